"""A metric beside people's judgement of the items of a report."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tomahto.lab.judged_units import UNIT_NAMES, JudgedUnit, judged_units
from tomahto.lab.metric_notes import interval_note
from tomahto.lab.report import LabInput
from tomahto.lab.scores import MetricScores
from tomahto.scoring.judged_scores import JudgedScores
from tomahto.scoring.metric_vs_human import JudgedRow, MetricVsHuman, metric_vs_human


@dataclass(frozen=True, eq=False)
class JudgedMetric:
    """A metric with its report. `units` are all judgements, `judged` those that it is judged on."""

    name: str
    scores: MetricScores
    given: LabInput

    @cached_property
    def units(self) -> Sequence[JudgedUnit]:
        return judged_units(self.given.data, self.given.unit)

    @cached_property
    def judged(self) -> Sequence[JudgedUnit]:
        items, tune_on = self.given.data.items, self.given.tune_on
        return [
            unit for unit in self.units if tune_on is None or items[unit.place].split != tune_on
        ]

    @cached_property
    def report(self) -> MetricVsHuman:
        items, scores = self.given.data.items, self.scores.scores.tolist()
        rows = [
            JudgedRow(scores[place], is_right, items[place].question_id, None, items[place].split)
            for place, is_right in self.units
        ]
        bootstrap, tune_on = self.given.bootstrap, self.given.tune_on
        return metric_vs_human(rows, bootstrap=bootstrap, tune_on=tune_on)

    def of_system(self, system: str) -> JudgedScores | None:
        """A system's judgements that the metric is judged on, if there are any."""
        items = self.given.data.items
        units = [unit for unit in self.judged if system in items[unit.place].systems]
        if not units:
            return None
        return JudgedScores.of(
            [float(self.scores.scores[unit.place]) for unit in units],
            [unit.is_right for unit in units],
            [items[unit.place].question_id for unit in units],
        )


def threshold_notes(given: LabInput) -> tuple[str, ...]:
    """How thresholds were tuned, and what the intervals are."""
    tuned = (
        f"The tuned threshold is that of highest accuracy on these very {given.unit}"
        " (in-sample), so its"
        " accuracy is too high."
        if given.tune_on is None
        else (
            f"The tuned threshold is that of highest accuracy on the split {given.tune_on}, of"
            f" which no {UNIT_NAMES[given.unit]} is counted here."
        )
    )
    return (
        (
            f"An item is right to a metric that scores it at the threshold or above. {tuned}"
            " It stays as it is in all replicates."
        ),
        interval_note(given.bootstrap),
    )
