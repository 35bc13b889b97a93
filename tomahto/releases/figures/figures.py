"""The figures of a release, and the files that have them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.split_report import SPLITS, split_report
from tomahto.releases.figures.agreement import release_agreement
from tomahto.releases.figures.dawid_skene_file import DAWID_SKENE, dawid_skene_json
from tomahto.releases.figures.statistics import release_statistics

AGREEMENT, STATISTICS = "agreement.json", "statistics.json"


class Figures(NamedTuple):
    """Each is the content of the file so called."""

    agreement: Mapping[str, Any]
    statistics: Mapping[str, Any]
    splits: Mapping[str, Any]
    dawid_skene: Mapping[str, Any]

    @property
    def files(self) -> Mapping[str, Mapping[str, Any]]:
        """The figures by the paths of their files."""
        return dict(zip(FIGURE_FILES, self, strict=True))


FIGURE_FILES = (AGREEMENT, STATISTICS, SPLITS, DAWID_SKENE)


def figures_of(dataset: Dataset) -> Figures:
    return Figures(
        release_agreement(dataset),
        release_statistics(dataset),
        split_report(dataset),
        dawid_skene_json(dataset.estimate),
    )
