"""Are the tables and figures of a release those of its statistics and agreement?"""

import json
from collections.abc import Iterator
from pathlib import Path

from tomahto.figures.png import is_same_picture
from tomahto.releases.documents.paper_files import FIGURES, TABLES, PaperFile, paper_files
from tomahto.releases.stored.manifest import MANIFEST, Manifest

_SOURCES = ("statistics.json", "agreement.json")


def paper_differences(folder: Path, manifest: Manifest) -> Iterator[str]:
    """What is missing, too much, or of other content than `statistics.json` and `agreement.json`
    make; these must be right already. The picture is compared as people see it, for another
    version of what draws it may pack it otherwise.
    """
    figures = (json.loads((folder / name).read_bytes()) for name in _SOURCES)
    expected = {file.path: file for file in paper_files(manifest.campaign, *figures)}
    listed = {file.path for file in manifest.files if file.path.startswith((TABLES, FIGURES))}
    for path in sorted(expected.keys() - listed):
        yield f"{MANIFEST}: does not list {path}"
    for path in sorted(listed - expected.keys()):
        yield f"{path}: is no table or figure of this release"
    for path in sorted(listed & expected.keys()):
        if not _is_same((folder / path).read_bytes(), expected[path]):
            yield f"{path}: is not what statistics.json and agreement.json make"


def _is_same(found: bytes, expected: PaperFile) -> bool:
    if expected.path.endswith(".png"):
        return is_same_picture(found, expected.content)
    return found == expected.content
