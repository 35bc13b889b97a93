"""Scores that a matcher elsewhere gave judged items, in files as `import_suggestions` reads."""

from pathlib import Path

import numpy as np

from tasks.intake.workflow.suggestions import Scale
from tomahto.interchange.campaigns.suggestions import read_suggestions
from tomahto.interchange.reading.records import InputError
from tomahto.lab.judged import JudgedData
from tomahto.lab.scores import MetricScores, separating_threshold
from tomahto.pretrained.files import digest_file


def scores_of_file(data: JudgedData, name: str, path: Path, scale: Scale) -> MetricScores:
    """Of every item, by its id. Lines of items that are not judged are left out.

    Raises InputError for a line without an id or whose score is off the scale, and if an item has
    no score, or two.
    """
    found: dict[str, tuple[float, bool]] = {}
    for row in read_suggestions(path, format=None):
        if row.item_id is None:
            raise row.source.error("is missing, but identifies the items of a release", "id")
        if row.item_id in found:
            raise row.source.error(f"item {row.item_id!r} already has a score", "score")
        found[row.item_id] = scale.judged(row)
    missing = [item.id for item in data.items if item.id not in found]
    if missing:
        fault = f"has no score of {len(missing):,} of {len(data.items):,} items, as {missing[0]!r}"
        raise InputError(fault, file=str(path))
    scores = np.array([found[item.id][0] for item in data.items], dtype=np.float64)
    try:
        threshold = separating_threshold(found.values(), scale.place(scale.accepts_from))
    except ValueError as error:
        raise InputError(str(error), file=str(path)) from error
    return MetricScores(name, scale.version(digest_file(path)), threshold, scores)
