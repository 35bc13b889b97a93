"""Cases in which it is known what follows, by how the answers were planted."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.tomahto.lab.answer_data import Said, judged_data, lab_input
from tests.tomahto.lab.samples import DATA, given
from tomahto.estimates.estimate import Estimate
from tomahto.lab.report import LabReport
from tomahto.lab.sections import make_report
from tomahto.lab.summary import (
    Margin,
    Margins,
    MetricVerdict,
    OrderVerdict,
    Shortage,
    Unsaid,
    summary_of,
)

QUESTIONS = 60


def report(
    right: dict[str, Sequence[bool]],
    sections: Sequence[str] | None = None,
    **scores: Sequence[bool],
) -> LabReport:
    """Of systems whose answers to as many questions are right or not; metrics' verdicts on all of
    them, system after system."""
    said = [
        Said(system, f"q{place:02}", f"{system} {place}", f"r{place}", is_right)
        for system, verdicts in right.items()
        for place, is_right in enumerate(verdicts)
    ]
    as_numbers = {metric: [float(each) for each in verdicts] for metric, verdicts in scores.items()}
    chosen = ["metric_quality", "systems"] if sections is None else sections
    return make_report(lab_input(judged_data(said), as_numbers), chosen)


def every(step: int, among: int = QUESTIONS) -> list[bool]:
    """One in `step` is true."""
    return [place % step == 0 for place in range(among)]


def but(verdicts: Sequence[bool], wrong: Sequence[bool]) -> list[bool]:
    """The verdicts, turned where they are wrong."""
    return [verdict != turned for verdict, turned in zip(verdicts, wrong, strict=True)]


def names(margins: Sequence[Margin]) -> list[tuple[str, str]]:
    return [(margin.first, margin.second) for margin in margins]


def metrics(made: LabReport) -> MetricVerdict:
    verdict = summary_of(made).metrics
    assert isinstance(verdict, MetricVerdict)
    return verdict


def systems(made: LabReport) -> Margins:
    verdict = summary_of(made).systems
    assert isinstance(verdict, Margins)
    return verdict


def order(made: LabReport) -> OrderVerdict:
    verdict = summary_of(made).order
    assert isinstance(verdict, OrderVerdict)
    return verdict


def test_one_metric_is_surely_best() -> None:
    people = every(2)
    verdict = metrics(
        report({"a": people}, good=but(people, every(20)), fair=but(people, every(4)), bad=every(3))
    )
    assert (verdict.best, verdict.accuracy.value) == ("good", 0.95)
    assert names(verdict.others.sure) == [("good", "fair"), ("good", "bad")]
    assert verdict.others.sure[0].difference.value == pytest.approx(0.2)
    assert (verdict.others.open, verdict.is_chance, verdict.in_sample) == ((), False, True)


def test_two_metrics_are_not_told_apart() -> None:
    """They differ on as many answers either way but for one."""
    people = every(2)
    late = [place % 10 == 1 for place in range(QUESTIONS)]
    wrong = [each and place > 1 for place, each in enumerate(late)]
    verdict = metrics(report({"a": people}, early=but(people, every(10)), late=but(people, wrong)))
    assert verdict.best == "late"
    assert (verdict.others.sure, names(verdict.others.open)) == ((), [("late", "early")])
    # The interval of -7 to 6 of 60 answers that one and the other decide alone is about 0.1 wide.
    assert verdict.others.resolution == pytest.approx(0.11, abs=0.04)


def test_metrics_are_not_known_to_differ_on_one_question() -> None:
    verdict = metrics(report({"a": [True]}, one=[True], other=[False]))
    assert (verdict.best, names(verdict.others.unknown)) == ("one", [("one", "other")])
    assert (verdict.others.resolution, verdict.is_chance) == (None, True)


def test_a_metric_whose_scores_say_nothing_is_no_better_than_chance() -> None:
    people = every(2)
    coin = [place % 4 < 2 for place in range(QUESTIONS)]
    assert metrics(report({"a": people}, coin=coin)).is_chance


def test_systems_that_do_not_differ_are_not_told_apart() -> None:
    later = [place % 4 == 2 for place in range(QUESTIONS)]
    verdict = systems(report({"a": every(4), "b": later}))
    assert (verdict.sure, verdict.unknown, verdict.pairs) == ((), (), 1)
    assert names(verdict.open) == [("a", "b")]


def test_systems_that_differ_surely_stand_with_the_better_first_and_the_widest_gap_first() -> None:
    verdict = systems(report({"p": every(6), "g": [True] * QUESTIONS, "f": every(2)}))
    assert names(verdict.sure) == [("g", "p"), ("g", "f"), ("f", "p")]
    gaps = [margin.difference.value for margin in verdict.sure]
    assert gaps == pytest.approx([5 / 6, 1 / 2, 1 / 3])
    assert all(margin.difference.low > 0 for margin in verdict.sure if margin.difference.low)
    assert verdict.pairs == 3
    assert verdict.resolution == pytest.approx(0.12, abs=0.04)


def test_a_metric_flips_the_order_of_two_systems() -> None:
    good, poor = every(2), every(6)
    made = report({"g": good, "p": poor}, turned=[*poor, *good], same=[*good, *poor])
    verdict = order(made)
    assert (verdict.metrics, verdict.keeping) == (("turned", "same"), ("same",))
    (flip,) = verdict.flips
    assert (flip.metric, flip.better, flip.worse, flip.is_sure) == ("turned", "g", "p", True)
    assert flip.people.value == pytest.approx(1 / 3)
    assert flip.to_metric.value == pytest.approx(-1 / 3)
    assert verdict.sure == (flip,)


def test_a_flip_is_sure_only_if_both_judges_are() -> None:
    """People are, and the metric sees one answer of 60 more on the other side."""
    good, poor = every(2), every(6)
    nearly = [*every(2)[:-2], True, True]
    made = report({"g": good, "p": poor}, metric=[*good, *nearly])
    (flip,) = order(made).flips
    assert Margin("g", "p", flip.people).is_sure
    assert flip.to_metric.value == pytest.approx(-1 / 60)
    assert not flip.is_sure
    assert (order(made).sure, order(made).unsure) == ((), (flip,))


def test_what_cannot_be_said_has_a_reason() -> None:
    left_out = summary_of(report({"a": every(2)}, sections=["data"]))
    assert (left_out.metrics, left_out.systems) == (Unsaid("left out"), Unsaid("left out"))
    alone = summary_of(report({"a": every(2)}))
    assert alone.metrics == Unsaid("reason", "no metric has scored the items")
    assert (alone.systems, alone.order) == (Unsaid("one system"), Unsaid("one system"))
    assert summary_of(report({"a": every(2), "b": every(3)})).order == Unsaid("no metric")
    nameless = summary_of(report({"": every(2)}))
    assert nameless.systems == Unsaid("reason", "no answer is of a named system")


def test_a_report_from_before_there_were_differences_of_systems_says_so() -> None:
    made = report({"a": every(2), "b": every(3)})
    (section,) = (section for section in made.sections if section.key == "systems")
    tables = tuple(table for table in section.tables if table.key != "system_differences")
    old = replace(made, sections=(replace(section, tables=tables),))
    assert summary_of(old).systems == Unsaid("not in it")


def test_what_is_too_small_is_named_by_table_and_row() -> None:
    made = make_report(given(), ["metric_quality"])
    title = made.sections[0].tables[0].title
    assert Shortage(title, ("em", "f1"), "") in summary_of(made).shortages
    split = make_report(given(tune_on="dev"), ["metric_quality"])
    reasons = {shortage.reason for shortage in summary_of(split).shortages}
    assert "" in reasons
    large = report({"a": every(2)}, f1=but(every(2), every(5)))
    assert summary_of(large).shortages == ()


def test_thresholds_tuned_on_a_split_are_not_in_sample() -> None:
    assert not metrics(make_report(given(DATA, "dev"), ["metric_quality"])).in_sample


@pytest.mark.parametrize(
    ("low", "high", "is_sure", "is_open"),
    [(0.1, 0.3, True, False), (-0.3, -0.1, True, False), (0.0, 0.3, False, True)],
)
def test_a_difference_is_sure_where_its_interval_leaves_out_0(
    low: float, high: float, is_sure: bool, is_open: bool
) -> None:
    difference = Estimate(value=float(np.mean([low, high])), low=low, high=high, n=9)
    margin = Margin("a", "b", difference)
    assert (margin.is_sure, margin.is_open) == (is_sure, is_open)
