"""The figures of a release as tables and charts: of one that is stored, or of its preview."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _

from tasks.agreement.shown.label_colours import label_colours
from tasks.models import Campaign

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    """The whole of a release, or one split: its sizes and its agreement."""

    name: str
    sizes: Json
    agreement: Json
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class LabelRow:
    split: str
    counts: tuple[int, ...]


def release_figures(
    campaign: Campaign, agreement: Json, statistics: Json, splits: Json
) -> dict[str, Any]:
    """What templates/releases/figures.html shows of agreement.json, statistics.json and
    splits.json.
    """
    return {
        "parts": _parts(agreement, statistics["sizes"]),
        "set_aside": "set_aside_ratings" in statistics["sizes"]["total"],
        "label_heads": _heads(campaign, splits["labels"]),
        "label_rows": _label_rows(splits["labels"]),
        "histogram": _histogram(campaign, statistics["f1_histogram"]),
        "systems": statistics.get("systems", ()),
        "splits_report": splits,
    }


def _parts(agreement: Json, sizes: Json) -> list[Part]:
    splits = [Part(name, sizes["splits"][name], part) for name, part in agreement["splits"].items()]
    return [*splits, Part(_("whole"), sizes["total"], agreement["whole"], is_whole=True)]


def _label_rows(labels: Mapping[str, Mapping[str, int]]) -> list[LabelRow]:
    return [LabelRow(split, tuple(counts.values())) for split, counts in labels.items()]


def _heads(campaign: Campaign, labels: Mapping[str, Mapping[str, int]]) -> list[tuple[str, str]]:
    """Title and colour of every label, in the order of the counts."""
    first = next(iter(labels.values()))
    return [_head(campaign, label) for label in first]


def _head(campaign: Campaign, label: str) -> tuple[str, str]:
    titles = campaign.annotation_protocol.titles
    return titles.get(label, label), str(label_colours(campaign).get(label, ""))


def _histogram(campaign: Campaign, histogram: Json) -> dict[str, Any]:
    columns = histogram["labels"]
    return {
        "heads": [_head(campaign, label) for label in columns],
        "bins": list(
            zip(pairwise(histogram["edges"]), zip(*columns.values(), strict=True), strict=True)
        ),
        "without_references": histogram["without_references"],
    }
