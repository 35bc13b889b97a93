"""The fields of a JSON object that somebody may have damaged, each read with its type."""

from collections.abc import Iterator
from math import inf
from typing import Any, TypeVar

from tomahto.releases.records.errors import ReleaseError

T = TypeVar("T")


class Fields:
    """A JSON object in a file. Every method raises ReleaseError naming file and field."""

    def __init__(self, data: object, place: str) -> None:
        if not isinstance(data, dict):
            raise ReleaseError(f"{place}: is not an object")
        self.data: dict[str, Any] = data
        self.place = place

    def text(self, name: str) -> str:
        return self._typed(name, str, "a text")

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
