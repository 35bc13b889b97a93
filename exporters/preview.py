"""What a release would say, before anything is written."""

from collections.abc import Mapping
from typing import Any

from exporters.content import ReleaseContent
from tomahto.releases.dataset.split_report import split_report
from tomahto.releases.figures.agreement import release_agreement
from tomahto.releases.figures.statistics import release_statistics


def release_preview(content: ReleaseContent) -> dict[str, Any]:
    """The figures that the release of this content would publish, by the functions that make them.

    - `statistics`, `splits`: statistics.json and splits.json, whole
    - `agreement`: agreement.json without the tables of single questions and pairs of raters, which
      grow with the number of raters
    - `items_without_ratings`, and `items_left_out`, which no split names
    - `left_out` by the selection, as the manifest has it
    - `findings`: comments that may hold personal data, by item and rater

    Raises what building the dataset raises.
    """
    dataset = content.dataset
    unrated = content.items_without_ratings
    return {
        "statistics": release_statistics(dataset),
        "splits": split_report(dataset),
        "agreement": _without_tables(release_agreement(dataset)),
        "items_without_ratings": unrated,
        "items_left_out": len(content.items) - unrated - len(dataset.items),
        "left_out": content.left_out.as_json(),
        "findings": [finding.as_json() for finding in content.findings],
    }


def _without_tables(agreement: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "whole": _summary(agreement["whole"]),
        "splits": {name: _summary(part) for name, part in agreement["splits"].items()},
    }


def _summary(part: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in part.items() if name not in ("kappa", "questions")}
