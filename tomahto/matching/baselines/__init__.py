"""Measures of other packages, which stand beside the matchers to be compared with."""

from tomahto.matching.description import MatcherDescription
from tomahto.pretrained.locations import ModelVariable

BERTSCORE = ModelVariable(
    "TOMAHTO_BERTSCORE_MODEL", "an encoder, for instance FacebookAI/roberta-large"
)
MATCHERS = (
    MatcherDescription(
        name="bleu",
        loader=f"{__name__}.bleu:Bleu",
        packages=("sacrebleu",),
        is_baseline=True,
    ),
    MatcherDescription(
        name="bleu-nltk",
        loader=f"{__name__}.bleu:NltkBleu",
        packages=("nltk",),
        is_baseline=True,
    ),
    MatcherDescription(
        name="rouge-l",
        loader=f"{__name__}.rouge_l:RougeL",
        packages=("rouge_score",),
        is_baseline=True,
    ),
    MatcherDescription(
        name="meteor",
        loader=f"{__name__}.meteor:load_meteor",
        packages=("nltk",),
        is_there=f"{__name__}.meteor:has_wordnet",
        files=f"{__name__}.meteor:wordnet_files",
        is_baseline=True,
    ),
    MatcherDescription(
        name="bertscore",
        loader=f"{__name__}.bertscore:load_bertscore",
        packages=("torch", "bert_score"),
        models=(BERTSCORE,),
        is_baseline=True,
    ),
)
