"""Where the models lie. The site says so once, when it starts; nothing here reads the environment.

A location is a folder, or the id of a model on the Hugging Face hub, with `@REVISION` if wanted.
"""

from collections.abc import Mapping
from enum import StrEnum

from tomahto.pretrained.errors import ModelNotSetError


class ModelRole(StrEnum):
    """What a model is needed for; the value is the variable that names its location."""

    BEM = "TOMAHTO_BEM_MODEL"
    BEM_BASE = "TOMAHTO_BEM_BASE"
    CAP_STATEMENTS = "TOMAHTO_CAP_STATEMENTS_MODEL"
    CAP_NLI = "TOMAHTO_CAP_NLI_MODEL"
    BERTSCORE = "TOMAHTO_BERTSCORE_MODEL"


_ADVICE: Mapping[ModelRole, str] = {
    ModelRole.BEM: (
        "a folder made by `manage.py train_bem` (the paper trains google-bert/bert-base-uncased), "
        "or kortukov/answer-equivalence-bem"
    ),
    ModelRole.BEM_BASE: (
        "the model that campaigns train bem from (the paper's is google-bert/bert-base-uncased)"
    ),
    ModelRole.CAP_STATEMENTS: (
        "a folder made by `manage.py train_statements` (the paper trains google/mt5-base)"
    ),
    ModelRole.CAP_NLI: (
        "the paper's cross-encoder/nli-deberta-v3-large, or another model of entailment, "
        "neutral and contradiction"
    ),
    ModelRole.BERTSCORE: "an encoder, for instance FacebookAI/roberta-large",
}
_locations: dict[ModelRole, str] = {}


def configure_models(locations: Mapping[ModelRole, str]) -> None:
    """Replace what is known; an empty location is none. To be called before a model is loaded."""
    _locations.clear()
    _locations.update({role: place for role, place in locations.items() if place})


def is_configured(role: ModelRole) -> bool:
    return role in _locations


def model_location(role: ModelRole) -> str:
    """Raises ModelNotSetError, naming the variable and what the paper uses."""
    try:
        return _locations[role]
    except KeyError:
        raise ModelNotSetError(f"{role} is not set: it names {_ADVICE[role]}") from None
