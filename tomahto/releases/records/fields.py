"""Small parts of a release, read with one error: fields of a JSON object, version
numbers, the head of the audit log.

A step from one version to the next says (semver.org, 2.0.0): major: labels, splits or texts of
items differ, or items are gone; minor: items, ratings, adjudications or settings differ; patch:
documentation.
"""

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import Any, Literal, NamedTuple, TypeVar, get_args


class ReleaseError(ValueError):
    """A release cannot be made or read; the message says why in one line."""


T = TypeVar("T")
Word = TypeVar("Word", bound=str)


class Fields:
    """A JSON object in a file. Every method raises ReleaseError naming file and field."""

    def __init__(self, data: object, place: str) -> None:
        if not isinstance(data, dict):
            raise ReleaseError(f"{place}: is not an object")
        self.data: dict[str, Any] = data
        self.place = place

    def text(self, name: str) -> str:
        return self._typed(name, str, "a text")

    def one_of(self, name: str, known: Collection[Word]) -> Word:
        text = self.text(name)
        for word in known:
            if word == text:
                return word
        raise self.error(name, f"is {text!r}, not one of {', '.join(known)}")

    def number(self, name: str) -> int:
        """A whole number."""
        if isinstance(self.data.get(name), bool):
            raise self.error(name, "is not a whole number")
        return self._typed(name, int, "a whole number")

    def count(self, name: str) -> int:
        """A whole number, 0 or above."""
        value = self.number(name)
        if value < 0:
            raise self.error(name, f"is {value}")
        return value

    def flag(self, name: str) -> bool:
        return self._typed(name, bool, "true or false")

    def texts(self, name: str) -> tuple[str, ...]:
        values = self._typed(name, list, "a list")
        if not all(isinstance(value, str) for value in values):
            raise self.error(name, "is not a list of texts")
        return tuple(values)

    def numbers(self, name: str) -> tuple[float, ...]:
        values = self._typed(name, list, "a list")
        if not all(type(value) in (int, float) and -inf < value < inf for value in values):
            raise self.error(name, "is not a list of numbers")
        return tuple(float(value) for value in values)

    def counts(self, name: str) -> tuple[int, ...]:
        """A list of whole numbers, 0 or above."""
        values = self._typed(name, list, "a list")
        if not all(type(value) is int and value >= 0 for value in values):
            raise self.error(name, "is not a list of whole numbers from 0")
        return tuple(values)

    def object(self, name: str) -> "Fields":
        return Fields(self._typed(name, dict, "an object"), f"{self.place}, field {name}")

    def objects(self, name: str) -> "Iterator[Fields]":
        for index, value in enumerate(self._typed(name, list, "a list")):
            yield Fields(value, f"{self.place}, field {name}[{index}]")

    def is_null(self, name: str) -> bool:
        self._require(name)
        return self.data[name] is None

    @contextmanager
    def naming(self, name: str) -> Iterator[None]:
        """A ValueError is raised as an error of this field."""
        try:
            yield
        except ValueError as error:
            raise self.error(name, str(error)) from error

    def error(self, name: str, message: str) -> ReleaseError:
        return ReleaseError(f"{self.place}, field {name}: {message}")

    def _typed(self, name: str, kind: type[T], what: str) -> T:
        self._require(name)
        value = self.data[name]
        if not isinstance(value, kind):
            raise self.error(name, f"is not {what}")
        return value

    def _require(self, name: str) -> None:
        if name not in self.data:
            raise self.error(name, "is missing")


Required = Literal["none", "patch", "minor", "major"]
Bump = Literal["backward", "none", "patch", "minor", "major"]
_BUMPS: tuple[Bump, ...] = get_args(Bump)
_VERSION = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")


class Version(NamedTuple):
    """The three numbers of a version, in the order in which versions follow each other."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    def next(self, step: Required) -> "Version":
        """The first version that is a step away; the next patch where none is required."""
        match step:
            case "major":
                return Version(self.major + 1, 0, 0)
            case "minor":
                return Version(self.major, self.minor + 1, 0)
        return Version(self.major, self.minor, self.patch + 1)

    def bump_to(self, later: "Version") -> Bump:
        """The step from this version to another."""
        if later < self:
            return "backward"
        steps: tuple[Bump, ...] = ("major", "minor", "patch")
        pairs = zip(steps, self, later, strict=True)
        return next((step for step, old, new in pairs if old != new), "none")


def parse_version(version: str) -> Version:
    """The version written as `X.Y.Z`. Raises ReleaseError if it is anything else."""
    found = _VERSION.fullmatch(version)
    if found is None:
        raise ReleaseError(f"version {version!r} is not three numbers like 1.0.0")
    return Version(*map(int, found.groups()))


def is_enough(step: Bump, required: Required) -> bool:
    """Whether a step says at least what it has to say."""
    return _BUMPS.index(step) >= _BUMPS.index(required)


_TEXT = re.compile(r"\b([1-9][0-9]*):([0-9a-f]{64})\b")
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class AuditHead:
    """The last entry of the log at some moment: its number and its SHA-256."""

    sequence: int
    hash: str

    def __str__(self) -> str:
        return f"{self.sequence}:{self.hash}"


def heads_in_text(text: str) -> list[AuditHead]:
    """Every `NUMBER:HASH` of a text, as a mail or a note has them."""
    return [AuditHead(int(number), found) for number, found in _TEXT.findall(text)]


def head_from_json(data: Any) -> AuditHead | None:
    """The entry `audit` in the manifest of a release or a backup; None without one."""
    match data:
        case {"audit": {"sequence": int(sequence), "hash": str(found)}} if _HASH.fullmatch(found):
            return AuditHead(sequence, found)
    return None
