"""A line of a backup as the values of a row; an error in it names its field.

A column takes no value that the forms and models of the site refuse. Their rules for empty texts
are left out: a form asks for an answer where a file need not have one.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NoReturn

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import AutoField, EmailField, Field, ForeignKey, JSONField

from tasks.backup.tables import as_json, is_place, site_place, writer_of
from tasks.campaigns.workflow.campaign import pseudonym_of_import
from tomahto.releases.records.fields import ReleaseError, parse_version

Check = Callable[[Any], None]


def _version(value: str) -> None:
    try:
        parse_version(value)
    except ReleaseError as error:
        raise ValidationError(str(error)) from error


def _pseudonym(value: str) -> None:
    if pseudonym_of_import("", value) != value:
        raise ValidationError(f"{value!r} is not a pseudonym like r-a2b3c4d5e6")


# names that the site makes itself, and that stand in addresses
_NAMES: Final[dict[tuple[str, str], Check]] = {
    ("tasks_release", "version"): _version,
    ("tasks_membership", "pseudonym"): _pseudonym,
}
# JSON columns that hold lists, those of texts apart; all others hold objects
_TEXTS: Final = frozenset(
    {
        *(("tasks_question", "references"), ("tasks_item", "references")),
        *(("tasks_apitoken", "scopes"), ("tasks_webhook", "events")),
    }
)
_LISTS: Final = frozenset(
    {("tasks_question", "answer_starts"), ("tasks_candidate", "alternatives")}
)
# columns of text that hold an object
_JSON_TEXTS: Final = frozenset(
    {("tasks_auditentry", "details"), ("tasks_look", "findings"), ("tasks_evaluation", "report")}
)
# second factors: what makes a code cheap to check and hard to guess
_BOUNDS: Final[dict[tuple[str, str], tuple[int, int]]] = {
    ("otp_totp_totpdevice", "step"): (1, 600),
    ("otp_totp_totpdevice", "tolerance"): (0, 10),
    ("otp_totp_totpdevice", "throttling_failure_count"): (0, 30),
    ("otp_static_staticdevice", "throttling_failure_count"): (0, 30),
}


def _is_object(value: Any) -> None:
    if not isinstance(value, dict):
        raise ValidationError(f"{value!r:.80} is not an object")


def _is_list(value: Any) -> None:
    if not isinstance(value, list):
        raise ValidationError(f"{value!r:.80} is not a list")


def _is_list_of_texts(value: Any) -> None:
    _is_list(value)
    if not all(isinstance(each, str) for each in value):
        raise ValidationError(f"{value!r:.80} is not a list of texts")


def _is_text_of_an_object(value: str) -> None:
    try:
        _is_object(json.loads(value))
    except ValueError:
        raise ValidationError(f"{value!r:.80} is not JSON") from None


# createsuperuser takes more than EmailValidator does; no mail has a line in its address
_ADDRESS: Final = RegexValidator(r"\A\S*\Z", "is not an e-mail address")


def check_of(field: "Field[Any, Any]") -> Check:
    """A function that raises ValidationError for a value which is none of the field's."""
    checks, choices = _checks(field), dict(field.flatchoices)

    def check(value: Any) -> None:
        if value is None:
            if not field.null:
                raise ValidationError("is null")
            return
        if value == "" and field.blank:
            return
        if choices and value not in choices:
            raise ValidationError(f"{value!r} is not one of {', '.join(map(repr, choices))}")
        for each in checks:
            each(value)

    return check


def _checks(field: "Field[Any, Any]") -> list[Check]:
    if isinstance(field, ForeignKey):
        return _checks(field.target_field)
    if isinstance(field, EmailField):
        return [_ADDRESS]
    checks: list[Check] = list(field.validators)
    if isinstance(field, AutoField):
        checks.append(MinValueValidator(1))
    place = (field.model._meta.db_table, str(field.column))
    if own := _NAMES.get(place):
        checks.append(own)
    if place in _BOUNDS:
        least, most = _BOUNDS[place]
        checks += [MinValueValidator(least), MaxValueValidator(most)]
    if place in _JSON_TEXTS:
        checks.append(_is_text_of_an_object)
    if isinstance(field, JSONField):
        shape = _is_list if place in _LISTS else _is_object
        checks.append(_is_list_of_texts if place in _TEXTS else shape)
    return checks


_LONGEST_MESSAGE: Final = 300
_SHOWN: Final = 60  # characters of a value


def row_reader(
    fields: Sequence["Field[Any, Any]"], database: BaseDatabaseWrapper
) -> Callable[[bytes], list[Any]]:
    """A function from a line to its values as the database takes them.

    It raises ValueError, naming the field, for a value that no form of the site takes, or that is
    not written as `lines_of` writes it.
    """
    columns = [_Column(field, check_of(field), writer_of(field)) for field in fields]

    def read_row(line: bytes) -> list[Any]:
        read = [
            column.read(value)
            for column, value in zip(columns, _values(columns, line), strict=True)
        ]
        _require_as_written(columns, read, line)
        return [
            column.field.get_db_prep_save(value, database)
            for column, value in zip(columns, read, strict=True)
        ]

    return read_row


def brief(message: object) -> str:
    """The message as one line, no longer than people read."""
    text = str(message)
    line = "".join(sign if sign.isprintable() else " " for sign in text[:_LONGEST_MESSAGE])
    return " ".join(line.split()) + ("…" if len(text) > _LONGEST_MESSAGE else "")


@dataclass(frozen=True, slots=True)
class _Column:
    field: "Field[Any, Any]"
    check: Check
    write: Callable[[Any], Any]

    def error(self, message: object) -> ValueError:
        return ValueError(f"field {self.field.column}: {brief(message)}")

    def read(self, value: Any) -> Any:
        try:
            found = _read(self.field, value)
            self.check(found)
        except ValidationError as error:
            raise self.error(" ".join(error.messages)) from error
        except (TypeError, AttributeError, ArithmeticError, ValueError) as error:
            raise self.error(f"{_excerpt(value)} is not a value of this column") from error
        return found

    def text(self, value: Any) -> str:
        """As a backup has it. Raises ValueError for what is in none."""
        try:
            text = as_json(self.write(value))
            text.encode()
            if "\\u0000" in text and _has_nul(value):
                raise self.error("has a NUL character")
        except UnicodeEncodeError as error:
            raise self.error("has half of a pair of surrogates") from error
        except (RecursionError, OverflowError) as error:
            raise self.error(_why(error)) from error
        return text


def _read(field: "Field[Any, Any]", value: Any) -> Any:
    if value is None or isinstance(field, JSONField):
        return value
    found = field.to_python(site_place(value) if is_place(field) else value)
    if isinstance(found, datetime):
        if found.tzinfo is None:
            raise ValueError("it has no time zone")
        return found.astimezone(UTC)
    return found


def _values(columns: Sequence[_Column], line: bytes) -> list[Any]:
    try:
        values = json.loads(line.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise _unreadable(columns, line, error) from error
    if not isinstance(values, list):
        raise ValueError("is not a list of values")  # noqa: TRY004 - of a file, not of a caller
    if len(values) != len(columns):
        raise ValueError(f"has {len(values)} values for {len(columns)} columns")
    return values


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON number")


def _unreadable(columns: Sequence[_Column], line: bytes, error: Exception) -> ValueError:
    """The fault of the line, and the field of the value at which it begins."""
    is_text = not isinstance(error, UnicodeDecodeError)
    text = line.decode(errors="strict" if is_text else "replace")
    decoder, place = json.JSONDecoder(parse_constant=_refuse), 1
    for column in columns if text.startswith("[") else ():
        try:
            _value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as found:
            return column.error(_why(found))
        if not is_text and "\N{REPLACEMENT CHARACTER}" in text[place:end]:
            return column.error(_why(error))
        place = end + 1
    return ValueError(_why(error))


def _why(error: Exception) -> str:
    match error:
        case RecursionError():
            return "is nested too deep"
        case OverflowError():
            return "has a number out of range"
        case UnicodeDecodeError():
            return "is not UTF-8"
        case json.JSONDecodeError():
            return f"is not JSON: {error.msg}"
    return str(error).split(";")[0]  # of Python's limit of digits: what follows is for programmers


def _require_as_written(columns: Sequence[_Column], read: Sequence[Any], line: bytes) -> None:
    """Raises ValueError unless the line is the one that a backup of these values has."""
    if b"\\u0000" not in line and _line(columns, read) == line:
        return
    texts = [column.text(value) for column, value in zip(columns, read, strict=True)]
    text, place = line.decode(), 1
    for column, expected in zip(columns, texts, strict=True):
        if not text.startswith((f"{expected},", f"{expected}]"), place):
            there = text[place : place + _SHOWN]
            raise column.error(f"{there} … found where a backup has {expected[:_SHOWN]}")
        place += len(expected) + 1
    if not text.endswith("]\n"):
        raise ValueError("does not end like a line of a backup")


def _line(columns: Sequence[_Column], read: Sequence[Any]) -> bytes:
    try:
        values = [column.write(value) for column, value in zip(columns, read, strict=True)]
        return f"{as_json(values)}\n".encode()
    except (UnicodeEncodeError, RecursionError, OverflowError):  # the columns say which
        return b""


def _excerpt(value: Any) -> str:
    try:
        text = as_json(value)
    except (ValueError, RecursionError):
        return "it"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _has_nul(value: Any) -> bool:
    match value:
        case str():
            return "\0" in value
        case dict():
            return any(map(_has_nul, [*value, *value.values()]))
        case list():
            return any(map(_has_nul, value))
    return False
