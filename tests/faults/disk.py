"""What a disk holds after its power is cut: all that was synced, and any part of what was not.

A drive writes sectors whole, and in whatever order it likes. A new file may be missing, and a
removed one still be there, until the folder is synced.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

SECTOR = 512  # bytes; drives promise no more than one at a time


@dataclass
class _File:
    """The bytes that are sure, and the changes since, each a size to cut off or bytes and place."""

    synced: bytearray
    since: list[int | tuple[int, bytes]] = field(default_factory=list)
    is_named: bool = False

    def sync(self) -> None:
        for change in self.since:
            _apply(self.synced, change)
        self.since.clear()

    def after_cut(self, dice: random.Random) -> bytes:
        """Any of the sectors written since; all, none or each with a chance of its own."""
        kept = dice.choice((0.0, 0.5, 0.9, 1.0))
        content = bytearray(self.synced)
        for change in self.since:
            for part in _sectors(change):
                if dice.random() < kept:
                    _apply(content, part)
        return bytes(content)


class Disk:
    """Files by path, changed as system calls say."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = {
            path: _File(bytearray(content), is_named=True) for path, content in files.items()
        }
        self._removed: dict[str, _File] = {}

    def write(self, path: str, offset: int, content: bytes) -> None:
        self._at(path).since.append((offset, content))

    def truncate(self, path: str, size: int) -> None:
        self._at(path).since.append(size)

    def sync(self, path: str) -> None:
        """Sync a file, or the names in a folder."""
        if path in self._files:
            self._files[path].sync()
        for each, file in self._files.items():
            file.is_named |= str(Path(each).parent) == path
        for each in [each for each in self._removed if str(Path(each).parent) == path]:
            del self._removed[each]

    def remove(self, path: str) -> None:
        if path in self._files:
            self._removed[path] = self._files.pop(path)

    def after_cut(self, dice: random.Random) -> dict[str, bytes]:
        """One of the many states that the disk may be in, if the power fails now."""
        unsure = {path for path, file in self._files.items() if not file.is_named}
        missing = {path for path in sorted(unsure) if dice.random() < 0.5}
        back = {path for path in self._removed if path not in self._files and dice.random() < 0.5}
        found = {path: file for path, file in self._files.items() if path not in missing}
        found |= {path: self._removed[path] for path in sorted(back)}
        return {path: file.after_cut(dice) for path, file in found.items()}

    def _at(self, path: str) -> _File:
        return self._files.setdefault(path, _File(bytearray()))


def _sectors(change: int | tuple[int, bytes]) -> list[int | tuple[int, bytes]]:
    """A change in the parts that are each done or not."""
    if isinstance(change, int):
        return [change]
    offset, content = change
    edges = range(offset - offset % SECTOR, offset + len(content), SECTOR)
    parts = ((max(edge, offset), min(edge + SECTOR, offset + len(content))) for edge in edges)
    return [(begin, content[begin - offset : end - offset]) for begin, end in parts]


def _apply(content: bytearray, change: int | tuple[int, bytes]) -> None:
    size = change if isinstance(change, int) else change[0]
    if len(content) < size:
        content.extend(bytes(size - len(content)))
    if isinstance(change, int):
        del content[change:]
    else:
        offset, new = change
        content[offset : offset + len(new)] = new
