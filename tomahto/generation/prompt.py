"""Prompts, each a file of its own with a version: what a model was told can be told later."""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from string import Template

from tomahto.endpoint.chat import Message


@dataclass(frozen=True, slots=True)
class Prompt:
    """Two texts with `$name` where something is filled in. `digest` is of the file.

    `parts` are what is filled in for one target or another, by its name.
    """

    name: str
    number: int
    digest: str
    system: str
    user: str
    parts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """`NAME-NUMBER:DIGEST`: a changed file has another version even if its number was left."""
        return f"{self.name}-{self.number}:{self.digest}"

    def messages(self, values: Mapping[str, str]) -> list[Message]:
        """The conversation to send. What is filled in is never looked at for `$name` again.

        Raises KeyError if a value is missing.
        """
        return [
            Message("system", Template(self.system).substitute(values).strip()),
            Message("user", Template(self.user).substitute(values).strip()),
        ]


@cache
def read_prompt(path: Path) -> Prompt:
    """From a TOML file with `version`, `system`, `user` and tables below `parts`.

    The file's name is the prompt's.
    """
    content = path.read_bytes()
    table = tomllib.loads(content.decode())
    digest = hashlib.sha256(content).hexdigest()[:8]
    return Prompt(
        name=path.stem,
        number=table["version"],
        digest=digest,
        system=table["system"],
        user=table["user"],
        parts=table.get("parts", {}),
    )
