"""How fast a release is written, and in how much memory: `python -m benchmarks.exports`.

    python -m benchmarks.exports [--ratings 1000000] [--raters 40]

The records are generated: three ratings of every item by raters who err now and then, ten
candidates of three systems on every passage of 120 words. They are handed over one by one, as the
database does. Peak memory is that of the process beyond what it had before the first record.
"""

import argparse
import gc
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from benchmarks.timing import timed
from exporters.planned_release import PlannedRelease, ReleaseContent, planned_release
from exporters.release import write_release
from tomahto.releases.comparison.compared import stored_release
from tomahto.releases.comparison.diff import ReleaseDiff, compare
from tomahto.releases.comparison.diff_reasons import EXAMPLES
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.files.folder import new_folder
from tomahto.releases.files.table_files import Format, json_lines, parquet, spreadsheet, write_table
from tomahto.releases.files.tables import release_tables
from tomahto.releases.formats.formats import write_formats
from tomahto.releases.records.items import take_in_items
from tomahto.releases.records.ratings import take_in_ratings
from tomahto.releases.records.records import CampaignRecord, ItemRecord, RatingRecord, SplitSpec
from tomahto.releases.stored.digest import content_digest
from tomahto.votes.scheme import LabelScheme

T = TypeVar("T")

_SEED = 1
_PER_ITEM, _PER_PASSAGE, _PASSAGES_PER_DOCUMENT = 3, 10, 10
_WORDS = [f"word{number}" for number in range(3000)]
_SCHEME = LabelScheme(("equivalent", "not-equivalent"), (1, 0))
_ANSWERS = {
    "equivalent": {"q1": "no", "q2": "yes"},
    "not-equivalent": {"q1": "no", "q2": "no", "q3": "yes", "q4": "no"},
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--ratings", type=int, default=1_000_000)
    options.add_argument("--raters", type=int, default=40)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        first = planned_release(synthetic_content(3000, 5))
        write_release(first, Path(folder, "first"))  # loads what loads late
    gc.collect()
    idle = _memory("VmRSS")
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), given.ratings, given.raters, idle)


def measure(folder: Path, ratings: int, raters: int, idle: int) -> None:
    """Print a line for each stage: seconds, rows a second and peak memory beyond `idle` bytes."""
    content = _timed("records, taken in", idle, 0, lambda: synthetic_content(ratings, raters))
    planned = _timed("labels, estimates, digest", idle, 0, lambda: planned_release(content))
    dataset = planned.dataset
    rows = len(dataset.items) + len(dataset.ratings)
    _timed("digest", idle, rows, lambda: content_digest(dataset))
    for names, formats in _FORMATS.items():
        _timed(names, idle, rows, lambda: _write(folder / names, dataset, formats))  # noqa: B023 - called at once
    for name in ("squad", "label-studio", "doccano"):
        _timed(name, idle, rows, lambda: _write_further(folder / name, dataset, name))  # noqa: B023 - called at once
    _timed("whole release", idle, rows, lambda: write_release(planned, folder / "release"))
    _timed("comparison with it", idle, rows, lambda: _compare(folder / "release", planned))


_FORMATS: dict[str, tuple[Format, ...]] = {
    "Parquet": (parquet,),
    "JSON lines": (json_lines,),
    "CSV": (spreadsheet,),
    "Parquet and JSON lines": (parquet, json_lines),
}


def _write(folder: Path, dataset: Dataset, formats: tuple[Format, ...]) -> None:
    with new_folder(folder) as target:
        for table in release_tables(dataset, ("items", "ratings")):
            write_table(target, table, formats)


def _write_further(folder: Path, dataset: Dataset, name: str) -> None:
    with new_folder(folder) as target:
        write_formats(target, dataset, (name,))


def _compare(release: Path, planned: PlannedRelease) -> ReleaseDiff:
    return compare(stored_release(release), planned.compared(), limit=EXAMPLES)


def _timed(what: str, idle: int, rows: int, work: Callable[[], T]) -> T:
    Path("/proc/self/clear_refs").write_text("5")  # the peak is that of what follows
    seconds, result = timed(work, time.process_time)
    rate = f"{rows / seconds:9,.0f} rows/s" if rows else " " * 16
    peak = (_memory("VmHWM") - idle) >> 20
    print(f"{what:25} {seconds:7.2f} s {rate} {peak:6,} MiB at most", flush=True)
    return result


def _memory(what: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith(f"{what}:"))
    return int(line.split()[1]) << 10


def synthetic_content(ratings: int, raters: int) -> ReleaseContent:
    number = ratings // _PER_ITEM
    items = take_in_items(_items(number))
    return ReleaseContent(
        campaign=CampaignRecord(
            slug="exports",
            title="Exports",
            description="",
            protocol="ae",
            scheme=_SCHEME,
            question_keys=("q1", "q2", "q3", "q4"),
            accepted_labels=("equivalent",),
        ),
        items=items,
        ratings=take_in_ratings(
            _ratings(number, raters),
            _SCHEME.labels,
            ("q1", "q2", "q3", "q4"),
            item_ids=(item.id for item in items),
        ),
        spec=SplitSpec("document", {"dev": 30.0, "test": 70.0}),
        seed=_SEED,
        version="1.0.0",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def _items(items: int) -> Iterator[ItemRecord]:
    """No text is shared, as none is among rows of a database."""
    for number in range(items):
        passage = number // _PER_PASSAGE
        draw = random.Random(passage)
        words = draw.choices(_WORDS, k=120)
        place = number % _PER_PASSAGE
        yield ItemRecord(
            id=f"item-{number:08}",
            document=f"document-{passage // _PASSAGES_PER_DOCUMENT}",
            question_id=f"question-{passage}",
            question=f"{' '.join(words[:9])}?",
            context=" ".join(words),
            references=(" ".join(words[20:22]),),
            candidate=" ".join(words[20 - place : 22 + place]),
            systems=(f"system-{number % 3}",),
            reference_index=0,
        )


def _ratings(items: int, raters: int) -> Iterator[RatingRecord]:
    draw = random.Random(_SEED)
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(items):
        true = draw.random() < 0.4
        for rater in draw.sample(range(raters), _PER_ITEM):
            is_right = draw.random() < 0.95 - 0.3 * rater / raters
            label = _SCHEME.labels[0 if true == is_right else 1]
            yield RatingRecord(
                item_id=f"item-{number:08}",
                rater=f"rater-{rater:03}",
                label=label,
                answers=dict(_ANSWERS[label]),
                seconds=round(draw.uniform(2, 90), 1),
                rated_at=begun + timedelta(seconds=number, microseconds=rater),
                guideline_version=1,
                suggestion_shown=False,
            )


if __name__ == "__main__":
    main()
