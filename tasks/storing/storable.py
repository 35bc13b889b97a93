"""JSON values of models' making, as a database can store them."""

from typing import Any

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def storable(value: Any) -> Any:
    """The JSON value with U+FFFD for what PostgreSQL's jsonb refuses: NUL and half pairs."""
    match value:
        case str():
            text = value.replace("\0", _REPLACEMENT)
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case dict():
            return {storable(key): storable(inner) for key, inner in value.items()}
        case list() | tuple():
            return [storable(inner) for inner in value]
        case _:
            return value
