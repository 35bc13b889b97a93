"""BEM: a BERT that judges equivalence (Bulian et al. 2022)."""

from tomahto.matching.table import CurvePlan, MatcherDescription, ModelFolder
from tomahto.pretrained.files import ModelVariable

MODEL = ModelVariable(
    "TOMAHTO_BEM_MODEL",
    "a folder made by `./run --models manage train_bem` (the paper trains "
    "google-bert/bert-base-uncased), or kortukov/answer-equivalence-bem",
)
BASE = ModelVariable(
    "TOMAHTO_BEM_BASE",
    "the model that campaigns train bem from (the paper's is google-bert/bert-base-uncased)",
    default="google-bert/bert-base-uncased",
)
MATCHERS = (
    MatcherDescription(
        name="bem",
        loader="tomahto.matching.bem.matcher:load_bem",
        packages=("torch",),
        models=(MODEL,),
        weights=ModelFolder(
            base=BASE,
            train="tomahto.matching.bem.on_labels:train_bem_on_labels",
            read="tomahto.matching.bem.on_labels:read_bem_folder",
            plan=CurvePlan(folds=3, points=2),
        ),
    ),
)
