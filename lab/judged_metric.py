"""A metric beside people's judgement of the items of a report."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from lab.judged import JudgedItem
from lab.metric_notes import interval_note
from lab.report import LabInput
from lab.scores import MetricScores
from measures.judged_scores import JudgedScores
from measures.metric_vs_human import JudgedRow, MetricVsHuman, metric_vs_human


@dataclass(frozen=True, eq=False)
class JudgedMetric:
    """A metric with its report; `items` are those that it is judged on."""

    name: str
    scores: MetricScores
    given: LabInput

    @cached_property
    def places(self) -> Sequence[int]:
        items, tune_on = self.given.data.items, self.given.tune_on
        return [n for n, item in enumerate(items) if tune_on is None or item.split != tune_on]

    @cached_property
    def items(self) -> Sequence[JudgedItem]:
        return [self.given.data.items[place] for place in self.places]

    @cached_property
    def report(self) -> MetricVsHuman:
        rows = [
            JudgedRow(float(score), item.is_right, item.question_id, None, item.split)
            for score, item in zip(self.scores.scores, self.given.data.items, strict=True)
        ]
        bootstrap, tune_on = self.given.bootstrap, self.given.tune_on
        return metric_vs_human(rows, bootstrap=bootstrap, tune_on=tune_on)

    def of_system(self, system: str) -> JudgedScores | None:
        """The items of a system that the metric is judged on, if there are any."""
        places = [place for place in self.places if system in self.given.data.items[place].systems]
        items = [self.given.data.items[place] for place in places]
        if not items:
            return None
        return JudgedScores.of(
            self.scores.scores[places].tolist(),
            [item.is_right for item in items],
            [item.question_id for item in items],
        )


def threshold_notes(given: LabInput) -> tuple[str, ...]:
    """How thresholds were tuned, and what the intervals are."""
    tuned = (
        "The tuned threshold is that of highest accuracy on these very items (in-sample), so its"
        " accuracy is too high."
        if given.tune_on is None
        else (
            f"The tuned threshold is that of highest accuracy on the split {given.tune_on}, of"
            " which no item is counted here."
        )
    )
    return (
        (
            f"An item is right to a metric that scores it at the threshold or above. {tuned}"
            " It stays as it is in all replicates."
        ),
        interval_note(given.bootstrap),
    )
