"""The options of an answerer, read from the values of a table and checked one by one."""

import math
from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    OptionsT = TypeVar("OptionsT", bound=DataclassInstance)
else:
    OptionsT = TypeVar("OptionsT")

_TYPE_NAMES: Mapping[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}


class OptionError(ValueError):
    """An option that cannot be used: `key` names it, the message says what is wrong with it."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.key = key
        self.reason = reason


def options_from(kind: type[OptionsT], values: Mapping[str, Any]) -> OptionsT:
    """The dataclass made of the values: its fields are the keys there are.

    A field is a text, a number or true or false, or may be None where the key is left out; what
    else a value must be, `__post_init__` says with an OptionError. Raises OptionError.
    """
    known = {field.name: field for field in fields(kind)}
    for key in values:
        if key not in known:
            raise OptionError(key, f"no such key; known: {', '.join(known)}")
    for key, field in known.items():
        has_default = field.default is not MISSING or field.default_factory is not MISSING
        if key not in values and not has_default:
            raise OptionError(key, "is missing")
    types = get_type_hints(kind)
    return kind(**{key: _checked(key, value, types[key]) for key, value in values.items()})


def require_least(options: "DataclassInstance", least: Mapping[str, float]) -> None:
    """Raises OptionError for the first of these options that is below its least value."""
    for key, limit in least.items():
        if (value := getattr(options, key)) < limit:
            raise OptionError(key, f"must be at least {limit}, not {value}")


def _checked(key: str, value: Any, wanted: Any) -> Any:
    [plain] = [one for one in get_args(wanted) or (wanted,) if one is not NoneType]
    if plain is float and type(value) is int:
        value = float(value)
    if type(value) is not plain or (plain is float and not math.isfinite(value)):
        raise OptionError(key, f"{value!r} is not {_TYPE_NAMES[plain]}")
    if plain is str and not value.strip():
        raise OptionError(key, "is empty")
    return value
