"""The colours of labels, the pairs that are confused, and the items with both."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from tasks.models import Campaign
from tasks.votes.patterns import labels_by_rank

_STEPS = 8  # --step-1 to --step-8 of static/css/tokens.css, worst to best


def label_colours(campaign: Campaign) -> dict[str, str]:
    """The name of each label's colour, by its place in the order of the ranks.

    Labels of equal rank get neighbouring colours: they are different labels.
    """
    scheme = campaign.annotation_protocol.scheme
    worst_first = sorted(
        scheme.labels, key=lambda label: (scheme.rank_of[label], -scheme.index_of[label])
    )
    last = max(len(worst_first) - 1, 1)
    return {
        label: f"step-{1 + round(place * (_STEPS - 1) / last)}"
        for place, label in enumerate(worst_first)
    }


def label_heads(campaign: Campaign) -> list[tuple[str, str]]:
    colours = label_colours(campaign)
    titles = campaign.annotation_protocol.titles
    return [
        *((titles[label], colours[label]) for label in titles),
        (_("No majority (tie)"), "soft"),
    ]


_SHADES = 5  # .heat-0 to .heat-5 of static/css/dash.css


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A number and its share of the row, None in a row of nothing. `address` leads to more."""

    number: float
    share: float | None
    is_same: bool
    address: str = ""

    @property
    def shade(self) -> int:
        return math.ceil(_SHADES * (self.share or 0) - 1e-9)


@dataclass(frozen=True, slots=True)
class HeatRow:
    """The cells of one label; `total` is what they add up to."""

    title: str
    total: float
    cells: tuple[HeatCell, ...]


def heat_rows(
    titles: Sequence[str],
    table: Sequence[Sequence[float]],
    addresses: Sequence[Sequence[str]] = (),
) -> list[HeatRow]:
    """The rows of a square table of numbers, rows and columns in the order of the titles."""
    rows = []
    for place, (title, numbers) in enumerate(zip(titles, table, strict=True)):
        total = sum(numbers)
        cells = tuple(
            HeatCell(
                number=number,
                share=number / total if total else None,
                is_same=place == column,
                address=addresses[place][column] if addresses and number else "",
            )
            for column, number in enumerate(numbers)
        )
        rows.append(HeatRow(title, total, cells))
    return rows


def items_with_both(campaign: Campaign, one: str, other: str) -> str:
    """The address of the items on which both labels were given, the most evenly split first: of
    those that the campaign is narrowed to, as far as the explorer can be."""
    labels = sorted((one, other), key=labels_by_rank(campaign.annotation_protocol.scheme).index)
    asked: dict[str, object] = {"vote": labels[0], "other_vote": labels[1], "order": "share"}
    if campaign.narrowed_to and campaign.narrowed_to.system:
        asked["system"] = campaign.narrowed_to.system
    if campaign.narrowed_to and campaign.narrowed_to.guideline:
        asked["guideline"] = campaign.narrowed_to.guideline
    return f"{reverse('items', args=[campaign.slug])}?{urlencode(asked)}"
