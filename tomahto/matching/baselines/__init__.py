"""Measures of other packages, which stand beside the matchers to be compared with."""

from tomahto.matching.table import MatcherDescription
from tomahto.pretrained.files import ModelVariable

BERTSCORE = ModelVariable(
    "TOMAHTO_BERTSCORE_MODEL", "an encoder, for instance FacebookAI/roberta-large"
)
MATCHERS = (
    MatcherDescription(
        name="bleu",
        loader="tomahto.matching.baselines.words:Bleu",
        packages=("sacrebleu",),
        is_baseline=True,
    ),
    MatcherDescription(
        name="bleu-nltk",
        loader="tomahto.matching.baselines.words:NltkBleu",
        packages=("nltk",),
        is_baseline=True,
    ),
    MatcherDescription(
        name="rouge-l",
        loader="tomahto.matching.baselines.words:RougeL",
        packages=("rouge_score",),
        is_baseline=True,
    ),
    MatcherDescription(
        name="meteor",
        loader="tomahto.matching.baselines.words:load_meteor",
        packages=("nltk",),
        is_there="tomahto.matching.baselines.words:has_wordnet",
        files="tomahto.matching.baselines.words:wordnet_files",
        is_baseline=True,
    ),
    MatcherDescription(
        name="bertscore",
        loader="tomahto.matching.baselines.bertscore:load_bertscore",
        packages=("torch", "bert_score"),
        models=(BERTSCORE,),
        is_baseline=True,
    ),
)
