"""The compose file as Docker Compose reads it, as far as the file goes."""

import re
from collections.abc import Mapping
from typing import Any

import yaml

from tests.site import ROOT

FOLDER = ROOT / "docker"
_VARIABLE = re.compile(r"\$(?:\$|\{(?P<name>\w+)(?::(?P<how>[-?])(?P<text>[^}]*))?\})")


class VariableMissing(Exception):
    """A variable that the file demands has no value."""


def services() -> dict[str, dict[str, Any]]:
    """The services by name, with the parts they share filled in."""
    return dict(read_compose()["services"])


def read_compose() -> dict[str, Any]:
    compose: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text())
    return compose


def interpolated(text: str, variables: Mapping[str, str]) -> str:
    """`${NAME}`, `${NAME:-default}` and `$$` replaced. Raises VariableMissing for `${NAME:?…}`."""

    def value(match: re.Match[str]) -> str:
        if match["name"] is None:
            return "$"
        if found := variables.get(match["name"]):
            return found
        if match["how"] == "?":
            raise VariableMissing(match["name"])
        return match["text"] or ""

    return _VARIABLE.sub(value, text)


def variables_in(value: object) -> dict[str, bool]:
    """The variables named anywhere in a value, and whether each is demanded."""
    if isinstance(value, str):
        return {m["name"]: m["how"] == "?" for m in _VARIABLE.finditer(value) if m["name"]}
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {name: demanded for part in parts for name, demanded in variables_in(part).items()}


def example_variables() -> dict[str, str]:
    """The variables that .env.example sets, empty values included."""
    lines = (FOLDER / ".env.example").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
