"""The fenced blocks of the pages that people read."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bootstrap.system import ROOT

PAGES = (
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "tomahto" / "client" / "README.md",
    ROOT / "demo" / "README.md",
)
_FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^(\w+=\S+ )?(\./\w+|python3?|manage\.py|docker)\b", re.MULTILINE)
_MANAGE = re.compile(r"^(?:\w+=\S+ )?\./run (?:--models )?manage (?P<command>.+)$", re.MULTILINE)


class Block(NamedTuple):
    """A fenced block of a page. `page` is relative to the checkout, `line` that of the fence."""

    page: str
    line: int
    language: str
    text: str

    @property
    def is_typed(self) -> bool:
        return self.language == "sh"

    @property
    def looks_typed(self) -> bool:
        return bool(_COMMAND.search(self.text))

    def management_commands(self) -> Iterator[list[str]]:
        """The arguments of manage.py in each line, continued lines joined."""
        joined = self.text.replace("\\\n", " ")
        for found in _MANAGE.finditer(joined):
            yield shlex.split(found["command"].split(" > ")[0], comments=True)


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            page.relative_to(ROOT).as_posix(),
            text.count("\n", 0, found.start()) + 1,
            found["language"],
            found["text"],
        )
        for found in _FENCE.finditer(text)
    ]


def all_blocks() -> list[Block]:
    return [block for page in PAGES for block in blocks_of(page)]


def sentences_of(page: Path) -> str:
    """The text outside the fences."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))
