"""JSON that a model or a server wrote, read strictly: what is not exactly one value is an error."""

import json
import math
from typing import Any, Final, NoReturn

MAX_DEPTH: Final = 32
_MAX_DIGITS: Final = 100


class StrictJsonError(ValueError):
    """Text that is not one JSON value; the message says why, without a copy of the text."""


def read_json(text: str) -> Any:
    """The one value the text holds.

    Raises StrictJsonError for text around it, duplicate keys, NaN and infinities, overlong
    numbers, and nesting deeper than MAX_DEPTH.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise StrictJsonError(f"is not JSON: {error.msg} (character {error.pos})") from None
    except RecursionError:
        raise StrictJsonError(f"is nested more than {MAX_DEPTH} deep") from None
    _require_shallow(value)
    return value


def _require_shallow(value: Any) -> None:
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        if not level:
            return
        level = [
            inner
            for outer in level
            if isinstance(outer, (dict, list))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    raise StrictJsonError(f"is nested more than {MAX_DEPTH} deep")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise StrictJsonError("has the same key twice in one object")
    return members


def _constant(word: str) -> NoReturn:
    raise StrictJsonError(f"holds {word}, which is not a JSON number")


def _whole_number(digits: str) -> int:
    _require_short(digits)
    return int(digits)


def _number(digits: str) -> float:
    _require_short(digits)
    if not math.isfinite(value := float(digits)):
        raise StrictJsonError("holds a number that is out of range")
    return value


def _require_short(digits: str) -> None:
    if len(digits) > _MAX_DIGITS:
        raise StrictJsonError("holds a number that is too long")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_members,
    parse_constant=_constant,
    parse_int=_whole_number,
    parse_float=_number,
)
