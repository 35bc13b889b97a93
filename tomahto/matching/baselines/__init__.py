"""Measures of other packages, which stand beside the matchers to be compared with."""

from functools import partial

from tomahto.matching.table import MatcherDescription
from tomahto.pretrained.files import ModelVariable

BERTSCORE = ModelVariable(
    "TOMAHTO_BERTSCORE_MODEL", "an encoder, for instance FacebookAI/roberta-large"
)
_WORDS = f"{__name__}.words"
_baseline = partial(MatcherDescription, is_baseline=True)
MATCHERS = (
    _baseline(name="bleu", loader=f"{_WORDS}:Bleu", packages=("sacrebleu",)),
    _baseline(name="bleu-nltk", loader=f"{_WORDS}:NltkBleu", packages=("nltk",)),
    _baseline(name="rouge-l", loader=f"{_WORDS}:RougeL", packages=("rouge_score",)),
    _baseline(
        name="meteor",
        loader=f"{_WORDS}:load_meteor",
        packages=("nltk",),
        is_there=f"{_WORDS}:has_wordnet",
        files=f"{_WORDS}:wordnet_files",
    ),
    _baseline(
        name="bertscore",
        loader=f"{__name__}.bertscore:load_bertscore",
        packages=("torch", "bert_score"),
        models=(BERTSCORE,),
    ),
)
