"""Are the tables and figures of a release those of its statistics and agreement?"""

import json
from collections.abc import Iterator
from pathlib import Path

from tomahto.figures.chart_files import can_be
from tomahto.releases.documents.paper_files import FIGURES, TABLES, figure_charts, table_files
from tomahto.releases.stored.manifest import MANIFEST, Manifest

_SOURCES = ("statistics.json", "agreement.json")


def paper_differences(folder: Path, manifest: Manifest) -> Iterator[str]:
    """What is missing, too much, or of other content than `statistics.json` and `agreement.json`
    make; these must be right already. A figure is compared where the versions that drew it are
    those installed, for others draw it a little otherwise.
    """
    statistics, agreement = (json.loads((folder / name).read_bytes()) for name in _SOURCES)
    files = table_files(manifest.campaign, statistics, agreement)
    tables, figures = {file.path: file.content for file in files}, figure_charts(statistics)
    expected = tables.keys() | figures.keys()
    listed = {file.path for file in manifest.files if file.path.startswith((TABLES, FIGURES))}
    for path in sorted(expected - listed):
        yield f"{MANIFEST}: does not list {path}"
    for path in sorted(listed - expected):
        yield f"{path}: is no table or figure of this release"
    for path in sorted(listed & expected):
        found = (folder / path).read_bytes()
        if not (can_be(found, *figures[path]) if path in figures else found == tables[path]):
            yield f"{path}: is not what statistics.json and agreement.json make"
