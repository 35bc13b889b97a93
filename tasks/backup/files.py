"""What a site keeps beside its database: folders of releases and matchers, files of operators."""

import hashlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from django.conf import settings

from exporters.folder import FileEntry
from tasks.backup.errors import BackupError
from tasks.backup.manifest import FILES
from tasks.models import Release, TrainedMatcher


def folders_named(using: str) -> tuple[list[Path], list[str]]:
    """The folders in the site's own places that rows name, and the places that are elsewhere."""
    own, elsewhere = [], []
    for place in Release.objects.using(using).order_by("pk").values_list("path", flat=True):
        is_own = Path(place).is_relative_to(settings.RELEASES_DIR)
        (own.append(Path(place)) if is_own else elsewhere.append(place))
    matchers = TrainedMatcher.objects.using(using).exclude(folder="").values_list("folder")
    own += [Path(settings.MATCHERS_DIR) / folder for (folder,) in matchers.distinct()]
    return sorted(own), sorted(elsewhere)


def operators_files() -> list[Path]:
    """The files that operators may lay into the data folder. The secret key is none of them."""
    candidates = (settings.ANSWERERS_FILE, settings.ALIASES_FILE)
    return [file for file in candidates if file is not None and file.parent == settings.DATA_DIR]


def regular_files(folder: Path) -> Iterator[Path]:
    """All files below the folder, in order; links lead elsewhere and are none."""
    for parent, folders, names in os.walk(folder):
        folders.sort()
        places = [Path(parent) / name for name in sorted(names)]
        yield from (place for place in places if place.is_file() and not place.is_symlink())


def path_in_backup(place: Path) -> str:
    for name, root in _roots().items():
        if place.is_relative_to(root):
            return (PurePosixPath(FILES) / name / place.relative_to(root).as_posix()).as_posix()
    return f"{FILES}/{place.name}"


def _place_on_site(path: str) -> Path:
    inner = PurePosixPath(path).relative_to(FILES)
    if root := _roots().get(inner.parts[0]):
        return root.joinpath(*inner.parts[1:])
    return Path(settings.DATA_DIR) / inner


def _roots() -> dict[str, Path]:
    return {"releases": Path(settings.RELEASES_DIR), "matchers": Path(settings.MATCHERS_DIR)}


@contextmanager
def gone_if_it_fails() -> Iterator[list[Path]]:
    """A list of files that are removed again if the block fails."""
    placed: list[Path] = []
    try:
        yield placed
    except BaseException:
        for place in placed:
            place.unlink(missing_ok=True)
        raise


def place_file(folder: Path, entry: FileEntry, placed: list[Path]) -> None:
    """Bring a file of the backup to its place, whole or not at all, and note it in `placed`.

    One that is there already stays if it is the same. Raises BackupError if it is another.
    """
    place = _place_on_site(entry.path)
    if os.path.lexists(place):
        if _digest(place) != entry.sha256:
            raise BackupError(f"{place} is there already, with other content")
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    partial = place.with_name(f".{place.name}.{secrets.token_hex(8)}.partial")
    try:
        with (folder / entry.path).open("rb") as source, partial.open("xb") as file:
            while chunk := source.read(1 << 20):
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        partial.rename(place)
    finally:
        partial.unlink(missing_ok=True)
    placed.append(place)


def _digest(place: Path) -> str:
    with place.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
