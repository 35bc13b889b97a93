"""Cohen's κ of every two people as pages show it: a row for each pair, a heat map of many people.

With two labels, or nothing but agreement and disagreement to weigh, all weights give one
coefficient: then there is one column of it.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tasks.people.shown.names import ShownName
from tomahto.votes.scheme import Level

SHADES = 5  # .heat-0 to .heat-5 of static/css/dash.css
MANY = 3  # people from whom on a map shows more than rows do
_SAME = 1e-9

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class KappaPair:
    """Two people, on how many items, and an estimate for every column."""

    names: tuple[ShownName, ShownName]
    items: int
    estimates: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class KappaCell:
    """κ of the people of a row and a column; None for somebody with themself, or where they share
    no item. `shade` is deeper the more they agree."""

    estimate: Json | None
    is_same: bool

    @property
    def value(self) -> float | None:
        return self.estimate["value"] if self.estimate else None

    @property
    def shade(self) -> int:
        return math.ceil(SHADES * max(0.0, self.value or 0.0) - _SAME)


@dataclass(frozen=True, slots=True)
class KappaRow:
    """Somebody's κ with everybody, and the mean of it."""

    name: ShownName
    cells: tuple[KappaCell, ...]
    mean: float | None


@dataclass(frozen=True, slots=True)
class KappaTable:
    """`heads` are the titles of the columns of estimates. `rows` is empty where there are few
    people; it shows the coefficient called `shown`."""

    heads: tuple[str, ...]
    pairs: tuple[KappaPair, ...]
    shown: str
    rows: tuple[KappaRow, ...]

    @property
    def is_one(self) -> bool:
        """Whether all weights give the same."""
        return len(self.heads) == 1


def kappa_table(
    pairs: Sequence[Json], level: Level, name_of: Callable[[str], ShownName]
) -> KappaTable:
    """The table of pairs as the report of agreement has them, under pseudonyms."""
    titles = {
        "unweighted": _("Unweighted"),
        "linear": _("Linear weights"),
        "quadratic": _("Quadratic weights"),
    }
    is_one = all(_are_equal([pair[weights] for weights in titles]) for pair in pairs)
    weights = "unweighted" if is_one or level == "nominal" else "quadratic"
    return KappaTable(
        heads=(_("Cohen’s κ"),) if is_one else tuple(titles.values()),
        pairs=tuple(
            KappaPair(
                (name_of(pair["raters"][0]), name_of(pair["raters"][1])),
                pair["items"],
                tuple(pair[each] for each in ([weights] if is_one else titles)),
            )
            for pair in pairs
        ),
        shown=titles[weights],
        rows=_rows({tuple(pair["raters"]): pair[weights] for pair in pairs}, name_of),
    )


def _are_equal(estimates: Sequence[Json]) -> bool:
    values: list[float | None] = [each["value"] for each in estimates]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return not known
    return max(known) - min(known) < _SAME


def _rows(
    kappas: Mapping[tuple[str, ...], Json], name_of: Callable[[str], ShownName]
) -> tuple[KappaRow, ...]:
    """Everybody with everybody, whoever agrees most with the others first."""
    people = sorted({person for pair in kappas for person in pair})
    if len(people) < MANY:
        return ()
    means = {person: _mean(person, kappas) for person in people}
    people.sort(key=lambda person: (means[person] is None, -(means[person] or 0.0)))
    return tuple(
        KappaRow(
            name_of(one),
            tuple(
                KappaCell(kappas.get((one, other)) or kappas.get((other, one)), one == other)
                for other in people
            ),
            means[one],
        )
        for one in people
    )


def _mean(person: str, kappas: Mapping[tuple[str, ...], Json]) -> float | None:
    values = [kappa["value"] for pair, kappa in kappas.items() if person in pair]
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
