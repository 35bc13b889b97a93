"""Weights kept as readable JSON: what every such file has in common.

Plain numbers and names only, so loading a file from a stranger can run nothing.
"""

import json
import math
from pathlib import Path
from typing import Any


class WeightsError(ValueError):
    """Weights that cannot be used; the message names the file, the field and the fault."""


def write_content(content: bytes, path: Path) -> None:
    """Writes the file in one go: it is there as a whole or not at all."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.write_bytes(content)
    unfinished.replace(path)


def read_content(path: Path, *, max_bytes: int) -> str:
    """The text of the file. Raises WeightsError; a missing file is an OSError."""
    if path.stat().st_size >= max_bytes:
        raise WeightsError(f"{path}: {path.stat().st_size} bytes, the limit is {max_bytes}")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise WeightsError(f"{path}: {error}") from error


def parse_fields(content: str) -> dict[str, Any]:
    """The JSON object that the text is. Raises WeightsError."""
    try:
        fields = json.loads(content, object_pairs_hook=_without_repeats)
    except WeightsError:
        raise
    except (ValueError, RecursionError) as error:
        raise WeightsError(str(error)) from error
    if not isinstance(fields, dict):
        raise WeightsError("not a JSON object")
    return fields


def whole_number(value: object, field: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise WeightsError(f"{field}: {value!r} is not a whole number")
    return value


def finite_number(value: object, field: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise WeightsError(f"{field}: {value!r} is not a finite number")
    return float(value)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise WeightsError(f"{twice!r} is listed twice")
    return result
