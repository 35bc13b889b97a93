"""CAP: entailment between statements, as a score of correctness."""

from tomahto.matching.description import MatcherDescription
from tomahto.pretrained.locations import ModelVariable

STATEMENTS = ModelVariable(
    "TOMAHTO_CAP_STATEMENTS_MODEL",
    "a folder made by `./run --models manage train_statements` (the paper trains google/mt5-base)",
)
NLI = ModelVariable(
    "TOMAHTO_CAP_NLI_MODEL",
    "the paper's cross-encoder/nli-deberta-v3-large, or another model of entailment, neutral and "
    "contradiction",
)
MATCHERS = (
    MatcherDescription(
        name="cap",
        loader=f"{__name__}.matcher:load_cap",
        packages=("torch",),
        models=(STATEMENTS, NLI),
    ),
)
