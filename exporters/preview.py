"""What a release would say, before anything is written."""

from collections.abc import Mapping
from typing import Any

from exporters.planned_release import PlannedRelease
from tomahto.releases.figures.figures import figures_of


def release_preview(planned: PlannedRelease) -> dict[str, Any]:
    """The figures that the release would publish, by the functions that make them.

    - `statistics`, `splits`: statistics.json and splits.json, whole
    - `agreement`: agreement.json without the tables of single questions and pairs of raters, which
      grow with the number of raters
    - `items_without_ratings`, and `items_left_out`, which no split names
    - `left_out` by the selection, as the manifest has it
    - `findings`: comments that may hold personal data, by item and rater
    """
    figures, manifest = figures_of(planned.dataset), planned.manifest
    return {
        "statistics": figures.statistics,
        "splits": figures.splits,
        "agreement": _without_tables(figures.agreement),
        "items_without_ratings": manifest.items_without_ratings,
        "items_left_out": planned.items_left_out,
        "left_out": manifest.left_out.as_json(),
        "findings": [finding.as_json() for finding in planned.findings],
    }


def _without_tables(agreement: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "whole": _summary(agreement["whole"]),
        "splits": {name: _summary(part) for name, part in agreement["splits"].items()},
    }


def _summary(part: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in part.items() if name not in ("kappa", "questions")}
