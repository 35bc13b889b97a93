"""Trained weights under a name of their own, such as `cfmatch:nq`.

The site keeps them in a folder, `KIND/NAME.json` (for bem a folder `KIND/NAME`): who may write
there decides which there are. A command may name any file, as `cfmatch:PATH`.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tomahto.matching.description import ModelFolder
from tomahto.matching.interface import Matcher
from tomahto.matching.table import matchers_by_name
from tomahto.matching.trainable import NamedMatcher, trainable_kinds
from tomahto.pretrained.files import decisive_files

OF = ":"  # between the kind and the name
_NAME = re.compile(r"[\w.-]{1,60}", re.ASCII)
_SUFFIX = ".json"


_folder: list[Path] = []
_files: dict[str, Path] = {}


def configure_weights(folder: Path | None) -> None:
    """Take the site's weights from this folder from now on; it need not be there."""
    _folder[:] = [folder] if folder else []
    _files.clear()


def own_weights() -> tuple[str, ...]:
    """The names of those in the folder, in alphabetical order, kind by kind."""
    return tuple(_in_folder())


def is_loadable(name: str) -> bool:
    """Whether the packages for its kind are installed."""
    return matchers_by_name()[kind_of(name)].is_installed


def kind_of(name: str) -> str:
    """The matcher that the weights belong to: `cfmatch` of `cfmatch:nq`."""
    return name.partition(OF)[0]


def use_file(name: str, place: Path | None = None) -> bool:
    """Know the weights at the place, or those of `KIND:PATH`, by that name in this process.

    False if there are none.
    """
    kind, _, path = name.partition(OF)
    place = place or Path(path)
    if kind not in trainable_kinds() or not path or not place.exists():
        return False
    _files[name] = place
    return True


def place_of(name: str) -> Path | None:
    """The place of the weights of that name; None without any."""
    return _files.get(name) or _in_folder().get(name)


def load_own(name: str, place: Path) -> Matcher:
    """The matcher with these weights, under that name; its version carries their digest.

    Loaded once for as long as the file stays as it is. Raises as
    `MatcherDescription.load`.
    """
    return _load_once(name, place, tuple(path.stat().st_mtime_ns for path in files_of(place)))


def files_of(place: Path) -> list[Path]:
    """The file, or those of the folder that decide the scores."""
    return decisive_files(place) if place.is_dir() else [place]


@cache
def _load_once(name: str, place: Path, _changed: tuple[int, ...]) -> Matcher:
    return NamedMatcher(matchers_by_name()[kind_of(name)].load(place), name)


def _in_folder() -> dict[str, Path]:
    return {
        f"{kind}{OF}{path.name.removesuffix(_SUFFIX)}": path
        for kind in trainable_kinds()
        for folder in _folder
        for path in _entries(folder / kind, kind)
    }


def _entries(folder: Path, kind: str) -> Iterator[Path]:
    is_folder = isinstance(matchers_by_name()[kind].weights, ModelFolder)
    for path in sorted(folder.glob("*")):
        fits = path.is_dir() if is_folder else path.is_file() and path.suffix == _SUFFIX
        if fits and _NAME.fullmatch(path.name):
            yield path
