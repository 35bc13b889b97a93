"""Places of answered questions: a file of JSON lines, or the items of a split of a release.

Whoever takes the one takes the other: `RELEASE:SPLIT`, or the folder alone where the release has a
split `train`. Examples that a model does not learn from are those whose questions stand at none
of the places that it learns from.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.records import InputError, Source
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import json_rows
from tomahto.learning.files import Examples, T, question_of
from tomahto.pretrained.files import digest_file
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.manifest import MANIFEST, Manifest, read_manifest
from tomahto.releases.stored.reading import StoredRelease, read_release, stored_rows

_USUAL: Final = "train"


def rows_at(path: Path, split: str = "", protocol: str = "") -> Iterator[Row]:
    """The lines of a file, or the items of a split of a release, reading on only as far as asked.

    Raises InputError for what cannot be read, a split that is not there, two that are named, a
    release without the split `train` where none is, and one that is not of the protocol, where one
    is asked for.
    """
    folder, named = _parted(path, split)
    if folder is None:
        return json_rows(InputFile.at(path))
    manifest = _manifest(folder)
    found = manifest.terms.protocol
    if protocol not in ("", found):
        raise InputError(f"is of the protocol {found}, not of {protocol}", file=str(folder))
    return _items(folder, manifest, _split(folder, manifest, named))


def source_of(path: Path, split: str = "") -> dict[str, str]:
    """The place as a card names it. Raises as `rows_at`."""
    folder, named = _parted(path, split)
    if folder is None:
        return {"file": path.name, "sha256": digest_file(path)}
    manifest = _manifest(folder)
    return {
        "release": manifest.campaign,
        "version": manifest.version,
        "split": _split(folder, manifest, named),
        "digest": manifest.digest,
    }


def release_at(path: Path) -> StoredRelease:
    """All of a release where no split is named, or what lies in that split.

    Raises ReleaseError for what is no release, and InputError for a split that is not there.
    """
    folder, split = folder_of(path)
    manifest, dataset = read_release(folder or path)
    if folder and split:
        dataset = dataset.of_split(_split(folder, manifest, split))
    return StoredRelease(manifest, dataset)


def require_split(path: Path) -> None:
    """Raises InputError for a release whose split is not named with it."""
    folder, split = folder_of(path)
    if folder and not split:
        choices = _choices(folder, _manifest(folder))
        raise InputError(f"is a release: name a split of it: {choices}", file=str(folder))


def _parted(path: Path, split: str) -> tuple[Path | None, str]:
    folder, named = folder_of(path)
    if named and split not in ("", named):
        raise InputError(f"names the split {named}, and {split} is asked for", file=str(path))
    return folder, named or split


def folder_of(path: Path) -> tuple[Path | None, str]:
    """The folder of a release and the split that is named with it, "" for none."""
    folder, _, split = str(path).rpartition(":")
    if (path / MANIFEST).is_file():
        return path, ""
    return (Path(folder), split) if folder and (Path(folder) / MANIFEST).is_file() else (None, "")


def _manifest(folder: Path) -> Manifest:
    try:
        return read_manifest(folder)
    except ReleaseError as error:
        raise InputError(str(error), file=str(folder)) from error


def _split(folder: Path, manifest: Manifest, name: str) -> str:
    names = manifest.terms.spec.names
    if (name or _USUAL) in names:
        return name or _USUAL
    fault = f"has no split {name!r:.40}" if name else "is a release without a split train"
    raise InputError(f"{fault}: {_choices(folder, manifest)}", file=str(folder))


def _choices(folder: Path, manifest: Manifest) -> str:
    return ", ".join(f"{folder}:{each}" for each in manifest.terms.spec.names)


def _items(folder: Path, manifest: Manifest, split: str) -> Iterator[Row]:
    place = str(folder / "items" / f"{split}.parquet")
    try:
        for number, values in enumerate(stored_rows(folder, manifest, "items", split), start=1):
            yield Row(Source(place, number), values)
    except ReleaseError as error:
        raise InputError(str(error), file=str(folder)) from error


_CONTENT: Final = ("sha256", "digest", "split")
"""The parts of a source that say which examples there are; names and versions do not."""


def read_held_out(
    path: Path, read: Callable[[Path], Examples[T]], known: Sequence[Examples[T]]
) -> tuple[Examples[T], int]:
    """The examples at a place whose questions none of the `known` has, and how many had one.

    Raises InputError as `read` does, for a release whose split
    is not named, and for a place that is one of the known or whose questions are all known.
    """
    require_split(path)
    found = read(path)
    for other in known:
        if _content(found) == _content(other):
            raise InputError(f"is the same as {other.name}: nothing is held out", file=found.name)
    questions = {question_of(row) for other in known for row in other.rows}
    rows = tuple(row for row in found.rows if question_of(row) not in questions)
    if not rows:
        names = ", ".join(other.name for other in known)
        raise InputError(f"nothing is held out: every question is also in {names}", file=found.name)
    return replace(found, rows=rows), len(found.rows) - len(rows)


def _content(examples: Examples[T]) -> list[str | None]:
    return [examples.source.get(name) for name in _CONTENT]
