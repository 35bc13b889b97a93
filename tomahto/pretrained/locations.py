"""Where the models lie, as variables of the environment say, or the site, once, when it starts.

A location is a folder, or the id of a model on the Hugging Face hub, with `@REVISION` if wanted.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from tomahto.pretrained.errors import ModelNotSetError


@dataclass(frozen=True, slots=True)
class ModelVariable:
    """A variable of the environment that names a model's location; `advice` says which to name,
    `default` is taken where it is not set."""

    name: str
    advice: str
    default: str = ""


_configured: dict[str, str] | None = None


def configure_models(locations: Mapping[str, str] | None) -> None:
    """Replace what the environment says, by the names of variables; an empty location is none. With
    None the environment says it again. What is loaded from elsewhere is loaded anew."""
    global _configured
    _configured = None if locations is None else dict(locations)


def is_configured(variable: ModelVariable) -> bool:
    return bool(_location(variable))


def model_location(variable: ModelVariable) -> str:
    """Raises ModelNotSetError, naming the variable and what the paper uses."""
    location = _location(variable)
    if not location:
        raise ModelNotSetError(f"{variable.name} is not set: it names {variable.advice}")
    return location


def _location(variable: ModelVariable) -> str:
    if _configured is not None:
        return _configured.get(variable.name, "")
    return os.environ.get(variable.name) or variable.default
