"""Fields of one row: read by name, checked for kind and size, refused with file, line and field."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, NamedTuple, TypeGuard

from tomahto.interchange.reading.records import (
    MAX_INDEX,
    MAX_LIST,
    MAX_NAME,
    MAX_TEXT,
    InputError,
    Source,
)
from tomahto.text.normalisation import plain_name


class Row(NamedTuple):
    """The values of one object by field. Null and absent mean the same; extra fields are ignored.

    A method is called after what it reads, and refuses a row without the field; one that begins
    with `optional_` gives "" for a text that is absent, and None for anything else.

    A field with several names is read under the first name that the row has. `path` stands before
    every field in an error: it leads to the object inside a larger document. `file_names` says by
    field what the file calls those that it calls otherwise.

    Where a text has to be, a number is the text that it is written as: what was asked or answered
    may be 1969, and CSV makes no difference. An optional text must be one, as the number may be a
    code or a time. Names and ids come in their plain form (tomahto.text.normalisation).
    """

    source: Source
    values: Mapping[str, object]
    path: str = ""
    file_names: Mapping[str, str] = MappingProxyType({})

    def error(self, message: str, field: str) -> InputError:
        name, bracket, place = field.partition("[")
        ours = self.file_names.get(name, name)
        return self.source.error(message, f"{self.path}{ours}{bracket}{place}")

    def field_of(self, *names: str) -> str | None:
        """The first of the names under which the row holds a value, None if there is none."""
        for name in names:
            if self.values.get(name) is not None:
                return name
        return None

    def required_field(self, *names: str) -> str:
        """As `field_of`, but a row without the field is refused."""
        name = self.field_of(*names)
        if name is None:
            raise self.error(f"is missing{other_names(names)}", names[0])
        return name

    def text(self, *names: str, limit: int = MAX_TEXT) -> str:
        """A text of more than blanks."""
        name = self.required_field(*names)
        return self._checked(name, _as_written(self.values[name]), limit, is_filled_text)

    def text_or_empty(self, *names: str, limit: int = MAX_TEXT) -> str:
        """A text that may be empty: a system may abstain."""
        name = self.required_field(*names)
        return self._checked(name, _as_written(self.values[name]), limit, is_text)

    def optional_text(self, *names: str, limit: int = MAX_TEXT) -> str:
        """A text that may be empty or absent."""
        name = self.field_of(*names)
        return "" if name is None else self._checked(name, self.values[name], limit, is_text)

    def optional_name(self, *names: str, limit: int = MAX_NAME) -> str | None:
        """A name, an id or a title, None if it is empty, too. A whole number is one as well."""
        name = self.field_of(*names)
        return None if name is None else self._name(name, self.values[name], limit) or None

    def name(self, *names: str) -> str:
        """A name, an id or a title. A whole number is one as well."""
        name = self.required_field(*names)
        return self._filled_name(name, self.values[name])

    def names(self, *names: str) -> list[str]:
        """A list of names, in file order, each once. One name alone is a list of one."""
        name = self.required_field(*names)
        if not isinstance(self.values[name], list):
            return [self.name(name)]
        entries = enumerate(self.array(name))
        found = (self._filled_name(f"{name}[{place}]", value) for place, value in entries)
        return list(dict.fromkeys(found))

    def _filled_name(self, field: str, value: object) -> str:
        name = self._name(field, value, MAX_NAME)
        if not name:
            raise self.error("is empty", field)
        return name

    def _name(self, field: str, value: object, limit: int) -> str:
        # not 7.0: elsewhere it may be 7
        given = str(value) if type(value) is int else value
        name = plain_name(self._checked(field, given, limit, is_text))
        return self._checked(field, name, limit, is_text)  # it may have become longer

    def array(self, name: str) -> list[object]:
        """The list under `name`."""
        value = self.values[self.required_field(name)]
        if not isinstance(value, list):
            raise self.error(f"must be an array, not {json_type(value)}", name)
        if len(value) > MAX_LIST:
            raise self.error(f"has {len(value):,} entries; at most {MAX_LIST:,} are read", name)
        return value

    def texts(self, *names: str, limit: int = MAX_TEXT) -> list[str]:
        """A list of texts, in file order, none of them empty. One text alone is a list of one."""
        name = self.required_field(*names)
        if isinstance(_as_written(self.values[name]), str):
            return [self.text(name, limit=limit)]
        return self._texts(name, limit, is_filled_text)

    def texts_or_empty(self, name: str) -> list[str]:
        """A list of texts, any of which may be empty."""
        return self._texts(name, MAX_TEXT, is_text)

    def _texts(
        self, name: str, limit: int, is_right: Callable[[object, int], TypeGuard[str]]
    ) -> list[str]:
        return [
            self._checked(f"{name}[{place}]", _as_written(value), limit, is_right)
            for place, value in enumerate(self.array(name))
        ]

    def _checked(
        self, field: str, value: Any, limit: int, is_right: Callable[[object, int], TypeGuard[str]]
    ) -> str:
        if not is_right(value, limit):
            raise self.error(refusal(value, limit), field)
        return value

    def object(self, name: str) -> "Row":
        """The object under `name`, of whose fields errors say that they are below it."""
        return self._object(name, self.values.get(name))

    def object_by_name(self, name: str) -> "Row":
        """As `object`, of fields that are names. One that stands there in two spellings is
        refused."""
        given = self.object(name)
        values: dict[str, object] = {}
        for key, value in given.values.items():
            plain = given._name(name_in_error(key), key, MAX_NAME)
            if plain in values:
                raise given.error("occurs in two spellings", name_in_error(plain))
            values[plain] = value
        return given._replace(values=values)

    def rows(self, name: str) -> Iterator["Row"]:
        """The objects in the list under `name`."""
        for place, value in enumerate(self.array(name)):
            yield self._object(f"{name}[{place}]", value)

    def _object(self, field: str, value: Any) -> "Row":
        if not isinstance(value, dict):
            raise self.error(f"must be an object, not {json_type(value)}", field)
        return Row(self.source, value, f"{self.path}{field}.")

    def optional_number(self, name: str, high: float | None = None) -> float | None:
        """A number, from 0 to `high` if that is given."""
        if self.field_of(name) is None:
            return None
        value = self.number(name)
        if high is not None and not 0 <= value <= high:
            raise self.error(f"must be between 0 and {high:,.0f}", name)
        return value

    def share(self, name: str) -> float:
        """A number from 0 to 1."""
        return self.optional_number(self.required_field(name), 1.0) or 0.0

    def number(self, name: str) -> float:
        """Any number."""
        return float(self.as_number(name, self.values[self.required_field(name)]))

    def as_number(self, field: str, value: Any) -> int | float:
        """The value of a field as a number; a whole one stays whole."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(f"must be a number, not {json_type(value)}", field)
        return value

    def optional_whole_number(self, name: str) -> int | None:
        """A whole number of any size."""
        value = self.values.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.error("must be a whole number, without quotes or point", name)
        return value

    def optional_position(self, name: str) -> int | None:
        """A place in a list, counted from 0."""
        value = self.optional_whole_number(name)
        if value is not None and not 0 <= value <= MAX_INDEX:
            raise self.error(f"must be between 0 and {MAX_INDEX:,}", name)
        return value

    def optional_flag(self, name: str) -> bool | None:
        """True or false."""
        value = self.values.get(name)
        if value is not None and not isinstance(value, bool):
            raise self.error(f"must be true or false, not {json_type(value)}", name)
        return value

    def optional_moment(self, name: str) -> datetime | None:
        """An ISO 8601 date and time, given back in UTC; one without an offset is taken as UTC."""
        text = self.optional_text(name, limit=MAX_NAME)
        if not text:
            return None
        try:
            moment = datetime.fromisoformat(text)
            return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        except (ValueError, OverflowError):
            raise self.error("is not an ISO 8601 date and time", name) from None


def _as_written(value: object) -> object:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number else value


def is_text(value: object, limit: int) -> TypeGuard[str]:
    """Whether a database can store it: text, no NUL, no half surrogate pair, not too long."""
    return (
        isinstance(value, str)
        and len(value) <= limit
        and "\0" not in value
        and (value.isascii() or _half_pair(value) is None)
    )


def is_filled_text(value: object, limit: int) -> TypeGuard[str]:
    """An `is_text` that holds more than blanks."""
    return is_text(value, limit) and bool(value) and not value.isspace()


def refusal(value: object, limit: int) -> str:
    """Why the value is not a filled text."""
    if not isinstance(value, str):
        return f"must be text, not {json_type(value)}"
    if len(value) > limit:
        return f"has {len(value):,} characters; at most {limit:,} are read"
    if "\0" in value:
        return "holds a NUL character"
    place = _half_pair(value)
    if place is not None:
        return f"holds half a surrogate pair (U+{ord(value[place]):04X} at character {place + 1})"
    return "is empty"


def _half_pair(value: str) -> int | None:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        return error.start
    return None


def other_names(names: Sequence[str]) -> str:
    """The end of an error about a field that goes by several names."""
    return f" (or {', '.join(names[1:])})" if names[1:] else ""


def all_or_none(first: Source) -> str:
    """The text of an error about a field that stands on some lines only, and not as on the
    first."""
    return f"must be on all lines or on none; compare line {first.line}"


def json_type(value: object) -> str:
    """The name of the value's type in JSON."""
    names = {dict: "an object", list: "an array", str: "text", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")


def name_in_error(name: str) -> str:
    """A name from the file as an error may show it: short, on one line."""
    return repr(name)[1:-1][:80]
