"""Trained weights under a name of their own, such as `cfmatch:nq`.

The site keeps them in a folder, `KIND/NAME.json` (for bem a folder `KIND/NAME`): who may write
there decides which there are. A command may name any file, as `cfmatch:PATH`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tomahto.matching.bem.matcher import load_bem
from tomahto.matching.cfmatch.matcher import load_cfmatch
from tomahto.matching.feather.matcher import load_feather
from tomahto.matching.interface import Matcher
from tomahto.matching.trainable import NamedMatcher
from tomahto.pretrained.files import decisive_files
from tomahto.pretrained.runtime import has_torch

OF = ":"  # between the kind and the name
_NAME = re.compile(r"[\w.-]{1,60}", re.ASCII)
_SUFFIX = ".json"


class _Kind(NamedTuple):
    load: Callable[[Path], Matcher]
    is_folder: bool = False


_KINDS: Mapping[str, _Kind] = {
    "cfmatch": _Kind(load_cfmatch),
    "feather": _Kind(load_feather),
    "bem": _Kind(lambda folder: load_bem(str(folder)), is_folder=True),
}
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
    return has_torch() or not _KINDS[kind_of(name)].is_folder


def kind_of(name: str) -> str:
    """The matcher that the weights belong to: `cfmatch` of `cfmatch:nq`."""
    return name.partition(OF)[0]


def use_file(name: str, place: Path | None = None) -> bool:
    """Know the weights at the place, or those of `KIND:PATH`, by that name in this process.

    False if there are none.
    """
    kind, _, path = name.partition(OF)
    place = place or Path(path)
    if kind not in _KINDS or not path or not place.exists():
        return False
    _files[name] = place
    return True


def place_of(name: str) -> Path | None:
    """Where the weights of that name lie; None if there are none."""
    return _files.get(name) or _in_folder().get(name)


def load_own(name: str, place: Path) -> Matcher:
    """The matcher with these weights, under that name; its version carries their digest.

    Loaded once for as long as the file stays as it is. Raises as `load_cfmatch`, `load_feather`
    and `load_bem`.
    """
    return _load_once(name, place, tuple(path.stat().st_mtime_ns for path in files_of(place)))


def files_of(place: Path) -> list[Path]:
    """The file, or those of the folder that decide the scores."""
    return decisive_files(place) if place.is_dir() else [place]


@cache
def _load_once(name: str, place: Path, _changed: tuple[int, ...]) -> Matcher:
    return NamedMatcher(_KINDS[kind_of(name)].load(place), name)


def _in_folder() -> dict[str, Path]:
    return {
        f"{kind}{OF}{path.name.removesuffix(_SUFFIX)}": path
        for kind, of_kind in _KINDS.items()
        for folder in _folder
        for path in _entries(folder / kind, of_kind)
    }


def _entries(folder: Path, kind: _Kind) -> Iterator[Path]:
    for path in sorted(folder.glob("*")):
        fits = path.is_dir() if kind.is_folder else path.is_file() and path.suffix == _SUFFIX
        if fits and _NAME.fullmatch(path.name):
            yield path
