"""Where the models lie. The site says so once, when it starts; nothing here reads the environment.

A location is a folder, or the id of a model on the Hugging Face hub, with `@REVISION` if wanted.
"""

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


_locations: dict[str, str] = {}


def configure_models(locations: Mapping[str, str]) -> None:
    """Replace what is known, by the names of variables; an empty location is none.

    To be called before a model is loaded.
    """
    _locations.clear()
    _locations.update({name: place for name, place in locations.items() if place})


def is_configured(variable: ModelVariable) -> bool:
    return variable.name in _locations


def model_location(variable: ModelVariable) -> str:
    """Raises ModelNotSetError, naming the variable and what the paper uses."""
    try:
        return _locations[variable.name]
    except KeyError:
        message = f"{variable.name} is not set: it names {variable.advice}"
        raise ModelNotSetError(message) from None
