"""A picture of figures with the table behind it, as the page Agreement shows several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tasks.models import Campaign
from tasks.web.number_texts import count, decimals, from_to, number_or_share
from tomahto.charts.agreement_charts import Wording
from tomahto.charts.picture import Picture
from tomahto.charts.svg import svg_of
from tomahto.estimates.estimate import Estimate, estimate_from_json


@dataclass(frozen=True, slots=True)
class TableCell:
    """A cell of a table; `number` is what its text says, for sorting and files."""

    text: str
    number: float | Estimate | None = None
    address: str = ""
    lang: str = ""
    day: date | None = None


class Head(NamedTuple):
    """The title of a column; `unit` is that of its numbers in files. Columns of words that say
    what others do are not sorted by."""

    title: str
    unit: str = ""
    is_sorted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturedFigure:
    """A picture with its caption, and the table behind it; `more` is the page that has more of it.

    `heads` are the titles of the columns, the first of which names the rows. `nothing` is said
    where there is no picture.
    """

    key: str
    title: str
    term: str
    caption: str
    picture: Picture | None
    heads: Sequence[Head]
    rows: Sequence[Sequence[TableCell]]
    more: str = ""
    nothing: str = ""

    @property
    def svg(self) -> SafeString:
        assert self.picture is not None  # noqa: S101 - asked for where there is one
        return mark_safe(svg_of(self.picture))  # noqa: S308 - escapes every text  # nosec


@dataclass(frozen=True, slots=True)
class PageFigures:
    """All that the pictures are made of: figures by name, and what readers call the raters."""

    campaign: Campaign
    figures: Mapping[str, Any]
    names: Mapping[str, str]
    goal: float | None
    events: Sequence[tuple[date, str]] = ()
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def name_of(self, rater: str) -> str:
        return self.names.get(rater, rater)

    def page(self, name: str, *more: str) -> str:
        return reverse(name, args=[self.campaign.slug, *more])

    def wording(self, title: str, description: str, **more: Any) -> Wording:
        return Wording(
            title=title,
            description=description,
            goal=_("goal"),
            number=decimals,
            **more,
        )


def estimate_in_words(name: str, estimate: Estimate, *, as_share: bool = False) -> str:
    """All of an estimate in two lines."""
    if estimate.value is None:
        return f"{name}: {_('undefined')}"
    value = number_or_share(estimate.value, as_share=as_share)
    n = _("n = %(n)s") % {"n": count(estimate.n)}
    bounds = from_to(estimate.low, estimate.high, as_share=as_share)
    return f"{name}: {value}\n{f'{bounds}, ' if bounds else ''}{n}"


def estimate_cells(
    name: TableCell, estimate: Estimate, *, as_share: bool = False
) -> list[TableCell]:
    if estimate.value is None:
        return [
            name,
            TableCell(estimate.reason or "", lang="en"),
            TableCell(""),
            TableCell(count(estimate.n), estimate.n),
        ]
    return [
        name,
        TableCell(number_or_share(estimate.value, as_share=as_share), estimate),
        TableCell(from_to(estimate.low, estimate.high, as_share=as_share)),
        TableCell(count(estimate.n), estimate.n),
    ]


def interval_head() -> Head:
    """Of a column of intervals, whose numbers stand in the column before."""
    return Head(_("Interval (95 %)"), is_sorted=False)


def heads(*titles: str | Head) -> list[Head]:
    return [title if isinstance(title, Head) else Head(title) for title in titles]


def value_cell(figures: Mapping[str, Any]) -> TableCell:
    """Of an estimate as figures have it, or the reason why it is undefined."""
    if figures["value"] is None:
        return TableCell(figures["reason"], lang="en")
    return TableCell(decimals(figures["value"], 3), estimate_from_json(figures))
