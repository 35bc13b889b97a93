"""A disk that loses power: what was synced stays, and of the rest what chance leaves.

The model is harsh. Changes that were not synced are lost or kept each for itself, in any order; a
write may be torn between two sectors; a file that was made or removed is so for certain only after
a sync of its folder, whatever was done to the file. A sync counts when it has returned, and for
changes that had returned before it began.
"""

import ast
import copy
import random
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from tests.faults.system_calls import Call

SECTOR = 512
SUFFIXES = ("", "-journal", "-wal")

S_contra = TypeVar("S_contra", contravariant=True)
S = TypeVar("S")


class Change(Protocol[S_contra]):
    def apply(self, state: S_contra) -> None: ...

    def torn(self, dice: random.Random) -> Sequence["Change[S_contra]"]:
        """Those parts of it that have reached the disk when the power fails meanwhile."""


class Luck(Enum):
    """The fate of the changes that were not synced when the power fails."""

    NONE = "none is kept"
    ALL = "all are kept"
    SOME = "some are kept"
    FIRST = "the first are kept, and one is torn"

    def left(self, changes: Sequence[Change[S]], dice: random.Random) -> Sequence[Change[S]]:
        if self is Luck.SOME:
            return [change for change in changes if dice.random() < 0.5]
        if self is Luck.FIRST and changes:
            last = dice.randrange(len(changes))
            return [*changes[:last], *changes[last].torn(dice)]
        return changes if self is Luck.ALL else []


class Stored(Generic[S]):
    """The content of a file, or the names in a folder: as synced, and the changes since."""

    def __init__(self, synced: S) -> None:
        self.synced = synced
        self.changes: list[Change[S]] = []

    def sync(self, changes: Collection[Change[S]]) -> None:
        """These are on the disk now; some may have been already."""
        for change in self.changes:
            if change in changes:
                change.apply(self.synced)
        self.changes = [change for change in self.changes if change not in changes]

    def left(self, luck: Luck, dice: random.Random) -> S:
        state = copy.copy(self.synced)
        for change in luck.left(self.changes, dice):
            change.apply(state)
        return state


File = Stored[bytearray]
Files = dict[str, File]


@dataclass(eq=False)
class Write:
    offset: int
    data: bytes

    def apply(self, state: bytearray) -> None:
        state.extend(bytes(max(0, self.offset - len(state))))
        state[self.offset : self.offset + len(self.data)] = self.data

    def torn(self, dice: random.Random) -> Sequence["Write"]:
        """Some of its sectors."""
        end = self.offset + len(self.data)
        bounds = [self.offset, *range((self.offset // SECTOR + 1) * SECTOR, end, SECTOR), end]
        return [
            Write(start, self.data[start - self.offset : stop - self.offset])
            for start, stop in pairwise(bounds)
            if dice.random() < 0.5
        ]


@dataclass(eq=False)
class Resize:
    size: int

    def apply(self, state: bytearray) -> None:
        del state[self.size :]
        state.extend(bytes(self.size - len(state)))

    def torn(self, dice: random.Random) -> Sequence["Resize"]:
        return [self] if dice.random() < 0.5 else []


@dataclass(eq=False)
class Entry:
    """The file that a folder has under a name from now on; None if no more."""

    name: str
    file: File | None

    def apply(self, state: Files) -> None:
        if self.file is None:
            state.pop(self.name, None)
        else:
            state[self.name] = self.file

    def torn(self, dice: random.Random) -> Sequence["Entry"]:
        return [self] if dice.random() < 0.5 else []


# SQLite does without the second ones: should it begin to use them, the model has to learn them
KNOWN = ("openat", "unlink", "pwrite64", "ftruncate", "fsync", "fdatasync")
UNKNOWN = ("creat", "write", "writev", "pwritev", "fallocate", "truncate", "rename", "link")
TRACED = ",".join([*KNOWN, *UNKNOWN, "sendto"])
_CALL = re.compile(
    r"(?P<name>\w+)\((?:\d+<(?P<open>[^>]*)>(?P<deleted>\(deleted\))?|"
    r'(?:AT_FDCWD<[^>]*>, )?"(?P<path>[^"]*)")(?:, )?(?P<rest>.*)'
)
_WRITTEN = re.compile(r'(?P<data>"[^"\\]*(?:\\.[^"\\]*)*"), \d+, (?P<offset>\d+)')
_SUCCESS = re.compile(r"\) = \d+(?:<[^>]*>)?$")


def files_of(folder: Path, database: str) -> dict[str, bytes]:
    """The files of an SQLite database, but for the index of its log, which is made anew."""
    paths = (folder / f"{database}{suffix}" for suffix in SUFFIXES)
    return {path.name: path.read_bytes() for path in paths if path.exists()}


class Disk:
    """The files of an SQLite database in a folder, and what calls make of them."""

    def __init__(self, folder: Path, database: str, files: Mapping[str, bytes]) -> None:
        self._folder = str(folder)
        self._paths = {str(folder / f"{database}{suffix}") for suffix in SUFFIXES}
        self._files = {
            str(folder / name): File(bytearray(content)) for name, content in files.items()
        }
        self._entries = Stored(dict(self._files))
        self._under_way: set[Change[bytearray]] = set()
        self._then: dict[Call, Callable[[], None]] = {}

    def step(self, call: Call) -> None:
        """A call has begun, or has returned."""
        named = _CALL.match(call.text)
        if named is None or named["deleted"]:
            return
        path = named["open"] or named["path"]
        if not call.has_returned:
            if then := self._begin(named, path):
                self._then[call] = then
        elif then := self._then.pop(call, None):
            if _SUCCESS.search(call.text):
                then()
            elif named["name"] not in ("openat", "unlink"):
                raise ValueError(f"nobody knows what this left: {call.text[-200:]}")

    def left(self, luck: Luck, dice: random.Random) -> dict[str, bytes]:
        """The files after a power failure at this moment, by their names."""
        return _contents(self._entries.left(luck, dice), luck, dice)

    def current(self) -> dict[str, bytes]:
        """The files as every process sees them."""
        return _contents(self._files, Luck.ALL, random.Random(0))

    def _begin(self, named: re.Match[str], path: str) -> Callable[[], None] | None:
        """Take note of a change or a sync; what is to be done when it has returned."""
        name, is_sync = named["name"], named["name"] in ("fsync", "fdatasync")
        if is_sync and path == self._folder:
            return partial(self._entries.sync, list(self._entries.changes))
        if path not in self._paths:
            return None
        if name == "unlink":
            return partial(self._enter, Entry(path, None))
        if name == "openat" and "O_TRUNC" not in named["rest"]:
            is_new = path not in self._files and "O_CREAT" in named["rest"]
            return partial(self._enter, Entry(path, File(bytearray()))) if is_new else None
        file = self._files[path]
        if is_sync:
            return partial(file.sync, [x for x in file.changes if x not in self._under_way])
        change = _change(name, named["rest"])
        file.changes.append(change)
        self._under_way.add(change)
        return partial(self._under_way.remove, change)

    def _enter(self, entry: Entry) -> None:
        entry.apply(self._files)
        self._entries.changes.append(entry)


def _contents(files: Files, luck: Luck, dice: random.Random) -> dict[str, bytes]:
    return {Path(path).name: bytes(files[path].left(luck, dice)) for path in sorted(files)}


def _change(name: str, arguments: str) -> Write | Resize:
    if name == "ftruncate":
        return Resize(int(arguments.partition(")")[0]))
    written = _WRITTEN.match(arguments)
    if name != "pwrite64" or written is None:
        raise ValueError(f"the model does not know this: {name}({arguments[:200]}")
    return Write(int(written["offset"]), ast.literal_eval(f"b{written['data']}"))
