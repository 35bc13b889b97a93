"""The table of a leaderboard, in the order of one of its metrics."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tasks.evaluations.queries.leaderboard import ShownLeaderboard
from tasks.models import Submission

_SIGNED = 12  # digits of a release's digest in a signature


@dataclass(frozen=True, slots=True)
class Head:
    """A metric: its name, what it means, and its signature on this release."""

    key: str
    title: str
    meaning: str
    signature: str
    threshold: float | None
    is_ranked: bool


@dataclass(frozen=True, slots=True)
class TableRow:
    """A submission. `cells` are estimates or reasons for there being none, in the order of the
    heads. `ahead` is the share of replicates in which it is ahead of the next row; `starts_group`:
    it is told apart from all rows above."""

    submission: Submission
    ranks: tuple[int, int] | None
    starts_group: bool
    ahead: float | None
    cells: tuple[Mapping[str, Any], ...]
    settled: Mapping[str, int]
    settled_share: float


@dataclass(frozen=True, slots=True)
class LeaderboardTable:
    """`heads` begin with the metric that the rows are in the order of."""

    heads: tuple[Head, ...]
    rows: tuple[TableRow, ...]
    digest: str
    questions: int

    @property
    def by(self) -> Head:
        return self.heads[0]

    @property
    def choices(self) -> list[Head]:
        return sorted((head for head in self.heads if head.is_ranked), key=lambda head: head.title)


def leaderboard_table(shown: ShownLeaderboard, by: str) -> LeaderboardTable | None:
    """In the order of the metric `by`, or of the first one if it names none that has an order.

    None while nothing is worked out, or if there is no question to compare systems on.
    """
    if shown.content is None or not shown.content["metrics"]:
        return None
    metrics = {metric["key"]: metric for metric in shown.content["metrics"]}
    first = next(iter(metrics.values()))
    chosen = metrics.get(by, first)
    chosen = chosen if chosen["is_ranked"] else first
    ordered = [chosen, *(metric for metric in metrics.values() if metric is not chosen)]
    return LeaderboardTable(
        heads=tuple(_head(shown.content["digest"], metric) for metric in ordered),
        rows=_rows(shown, shown.content, ordered),
        digest=shown.content["digest"],
        questions=shown.content["questions"],
    )


def _rows(
    shown: ShownLeaderboard, content: Mapping[str, Any], metrics: list[Mapping[str, Any]]
) -> tuple[TableRow, ...]:
    compared = {
        entry.submission.pk: entry.submission
        for entry in shown.entries
        if entry.state == "compared"
    }
    order = [place["submission"] for place in metrics[0]["places"]]
    numbers = [number for number in dict.fromkeys((*order, *compared)) if number in compared]
    places = [{place["submission"]: place for place in metric["places"]} for metric in metrics]
    rows: list[TableRow] = []
    for number, after in zip(numbers, (*numbers[1:], None), strict=False):
        place = places[0].get(number) if shown.has_order else None
        before = places[0].get(rows[-1].submission.pk) if rows else None
        result = content["submissions"][str(number)]
        settled = result["settled"]
        rows.append(
            TableRow(
                submission=compared[number],
                ranks=tuple(place["ranks"]) if place else None,
                starts_group=bool(place and before and before["group"] != place["group"]),
                ahead=place["better"].get(str(after)) if place else None,
                cells=tuple(
                    _cell(metric["key"], found.get(number), result["failures"])
                    for metric, found in zip(metrics, places, strict=True)
                ),
                settled=settled,
                settled_share=1 - settled["open"] / content["questions"],
            )
        )
    return tuple(rows)


def _cell(
    key: str, place: Mapping[str, Any] | None, failures: Mapping[str, str]
) -> Mapping[str, Any]:
    """An estimate as JSON has it."""
    if place is None:
        return {"value": None, "low": None, "high": None, "reason": failures.get(key, "no score")}
    mean: Mapping[str, Any] = place["mean"]
    return mean


def _head(digest: str, metric: Mapping[str, Any]) -> Head:
    title, meaning = _words(metric["key"])
    return Head(
        key=metric["key"],
        title=title,
        meaning=meaning,
        signature=f"{metric['version']}|release:{digest[:_SIGNED]}",
        threshold=metric["threshold"],
        is_ranked=metric["is_ranked"],
    )


def _words(key: str) -> tuple[str, str]:
    """The title of a metric and what it means; a matcher's name is its title."""
    known = {
        "em": (
            _("EM"),
            _("The prediction equals a reference after SQuAD normalisation."),
        ),
        "f1": (
            _("F1"),
            _("Overlap of tokens with the closest reference, from 0 to 1."),
        ),
        "em_accepted": (
            _("EM, with accepted answers"),
            _(
                "The prediction equals a reference or a candidate that people accepted. A lower "
                "bound on the share of right predictions."
            ),
        ),
        "f1_accepted": (
            _("F1, with accepted answers"),
            _("Overlap of tokens with the closest reference or accepted candidate."),
        ),
        "at_most": (
            _("Upper bound"),
            _(
                "The same, with every prediction that nobody has judged counted as right. An "
                "upper bound, not a score: systems are not ranked by it."
            ),
        ),
    }
    return known.get(key) or (key, _("The matcher calls the prediction right."))
