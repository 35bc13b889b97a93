"""Files beside a site's database: folders of releases and matchers, files of operators."""

import hashlib
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from django.conf import settings

from tasks.backup.manifest import FILES, BackupError, is_plain
from tasks.models import Release, TrainedMatcher
from tomahto.releases.files.folder import FileEntry

BESIDE = ".restored"
_USUAL_NAMES = frozenset({"answerers.toml", "aliases.jsonl"})


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


def require_own_places(files: Iterable[FileEntry]) -> None:
    """Raises BackupError unless every file lies where a backup puts one, and every row that names
    a folder names one that the site may have made."""
    matchers = TrainedMatcher.objects.exclude(folder="").values_list("folder", flat=True)
    named = {"releases": _release_folders(), "matchers": list(matchers)}
    of_operators = _USUAL_NAMES | {file.name for file in operators_files()}
    for root, folders in named.items():
        if strange := [folder for folder in folders if not is_plain(folder)]:
            raise BackupError(f"{root}: {strange[0]!r} is not a folder of a site")
    for file in files:
        root, _, inner = file.path.removeprefix(f"{FILES}/").partition("/")
        is_own = any(inner.startswith(f"{folder}/") for folder in named.get(root, ()))
        if not is_own and (inner or root not in of_operators):
            raise BackupError(f"{file.path}: not a file of a backup")


def _release_folders() -> list[str]:
    """Of releases that lie below the site's own folder, as they are named below it."""
    places = list(Release.objects.values_list("path", flat=True))
    if strange := [place for place in places if ".." in PurePosixPath(place).parts]:
        raise BackupError(f"releases: {strange[0]!r} is not the folder of a release")
    root = Path(settings.RELEASES_DIR)
    return [
        Path(place).relative_to(root).as_posix()
        for place in places
        if Path(place).is_relative_to(root)
    ]


def place_on_site(path: str) -> Path:
    """The site's configuration is laid beside its place: somebody is to read it first."""
    root, _, inner = path.removeprefix(f"{FILES}/").partition("/")
    if inner:
        return _roots()[root] / inner
    return Path(settings.DATA_DIR) / (f"{root}{BESIDE}" if is_laid_beside(path) else root)


def is_laid_beside(path: str) -> bool:
    """Whether a file of the backup says how the site is run, and by whom: which programs and
    addresses answer, with which keys."""
    return path.count("/") == 1 and path.endswith(".toml")


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
    place = place_on_site(entry.path)
    if os.path.lexists(place):
        with place.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() == entry.sha256:
                return
        raise BackupError(f"{place} already exists with other content")
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
