"""Are the tables and figures of a release those of its statistics and agreement?"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from tomahto.figures.chart_files import can_be
from tomahto.releases.documents.paper_files import FIGURES, TABLES, figure_charts, table_files
from tomahto.releases.files.spreadsheets import csv_of_version
from tomahto.releases.stored.manifest import MANIFEST, Manifest

_LATER = (f"{FIGURES}agreement.", f"{FIGURES}kappa.")  # no release had them at first
_SOURCES = ("statistics.json", "agreement.json")


def paper_differences(folder: Path, manifest: Manifest) -> Iterator[str]:
    """What is missing, too much, or of other content than `statistics.json` and `agreement.json`
    make; these must be right already. A figure is compared where the versions that drew it are
    those installed, for others draw it a little otherwise. Figures of 0.1.0 do not name what drew
    them, and are not compared.
    """
    statistics, agreement = (json.loads((folder / name).read_bytes()) for name in _SOURCES)
    files = table_files(manifest.campaign, statistics, agreement, manifest.terms.exact_rule)
    tables = {file.path: file.content for file in files}
    figures = figure_charts(statistics, agreement)
    for path in tables:
        if path.endswith(".csv"):
            [text] = csv_of_version(manifest.terms.figures_version, [tables[path].decode()])
            tables[path] = text.encode()
    listed = {file.path for file in manifest.files if file.path.startswith((TABLES, FIGURES))}
    if not any(path.startswith(_LATER) for path in listed):
        figures = {path: each for path, each in figures.items() if not path.startswith(_LATER)}
    is_unnamed = _is_of_0_1_0(manifest, listed)
    unnamed = {path for path in figures if is_unnamed and not path.endswith(".pdf")}
    expected = tables.keys() | (unnamed or figures.keys())
    for path in sorted(expected - listed):
        yield f"{MANIFEST}: does not list {path}"
    for path in sorted(listed - expected):
        yield f"{path}: is not a table or figure of this release"
    for path in sorted(listed & expected - unnamed):
        found = (folder / path).read_bytes()
        if not (can_be(found, *figures[path]) if path in figures else found == tables[path]):
            yield f"{path}: does not follow from statistics.json and agreement.json"


def _is_of_0_1_0(manifest: Manifest, listed: Iterable[str]) -> bool:
    """That version wrote no PDF; what is between it and the next one bears its number, too."""
    has_pdf = any(path.endswith(".pdf") for path in listed)
    return manifest.software == "tomahto 0.1.0" and not has_pdf
