"""The systems whose answers are in the benchmark, as people judged these.

They stand beside the leaderboard, not in it: their answers made the benchmark.
"""

from typing import Any

from tomahto.lab.judged import answers_of_items
from tomahto.lab.leaderboards.benchmark import EVERYTHING, items_of
from tomahto.releases.figures.system_table import system_table
from tomahto.releases.stored.reading import StoredRelease


def benchmark_systems(stored: StoredRelease, split: str) -> list[dict[str, Any]]:
    """The figures of the release's own table of systems, over the answers of the split.

    Of a release that does not have all answers, over those that its items tell of. Raises
    UnknownSplit.
    """
    dataset, items = stored.dataset, items_of(stored.dataset, split)
    if not dataset.answers:
        return system_table(dataset, answers_of_items(item.record for item in items))
    if split == EVERYTHING:
        return system_table(dataset)
    return system_table(dataset, dataset.answers_by_split[split])
