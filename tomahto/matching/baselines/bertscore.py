"""BERTScore (Zhang et al. 2020) as the package bert-score computes it."""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tomahto.extras import require_package
from tomahto.matching.baselines import BERTSCORE
from tomahto.matching.interface import Pair, require_references
from tomahto.pretrained.files import digest_folder, model_folder, model_location
from tomahto.pretrained.runtime import best_device, require_torch

_LONGEST = 512  # tokens, for a tokenizer that does not know its model's limit


class BertScore:
    """Scores the F-measure of greedily matched token embeddings, with the closest reference.

    The cosines are not rescaled, so nearly all scores lie above 0.7 and the threshold means
    little: tune one on labelled answers (`evaluate metric_vs_human`). An empty text scores 0.
    """

    name = "bertscore"
    threshold = 0.5

    def __init__(self, scorer: Any, *, signature: str) -> None:
        """`scorer` is a `bert_score.BERTScorer`; `signature` names its model and layer."""
        self._scorer = scorer
        self.version = (
            f"bertscore|case:model|tok:model|idf:no|rescaled:no|{signature}|agg:max-ref|v1"
        )

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score per pair. Raises MissingReferenceError."""
        require_references(pairs)
        places = [
            place for place, pair in enumerate(pairs) if pair.candidate.strip() and _texts(pair)
        ]
        scores = [0.0] * len(pairs)
        if places:
            candidates = [pairs[place].candidate for place in places]
            references = [_texts(pairs[place]) for place in places]
            _, _, f_measures = self._scorer.score(candidates, references)
            for place, value in zip(places, f_measures.tolist(), strict=True):
                scores[place] = min(max(value, 0.0), 1.0)
        return scores


def load_bertscore(location: str | None = None) -> BertScore:
    """BERTScore with an encoder in a folder or on the hub, else the one that the site names.

    The layer is the one that bert-score recommends for the hub's model, else the last.
    Raises PackageMissingError, ModelError, and OSError if the hub cannot be reached.
    """
    location = location or model_location(BERTSCORE)
    require_torch()
    require_package("bert_score", extra="bertscore")
    folder = model_folder(location)
    from bert_score import BERTScorer
    from bert_score.utils import model2layers

    name = location.partition("@")[0]
    layers = model2layers.get(name) or _last_layer(folder)
    scorer = BERTScorer(model_type=str(folder), num_layers=layers, device=str(best_device()))
    # a tokenizer that names no limit has one that does not fit into its own counter
    tokenizer = scorer._tokenizer
    tokenizer.model_max_length = min(tokenizer.model_max_length, _LONGEST)
    signature = f"model:{digest_folder(folder)}|layer:{layers}|bert-score:{version('bert-score')}"
    return BertScore(scorer, signature=signature)


def _last_layer(folder: Path) -> int:
    from transformers import AutoConfig

    config = AutoConfig.from_pretrained(  # nosec B615 - a folder: nothing is downloaded
        folder, local_files_only=True, trust_remote_code=False
    )
    return int(config.num_hidden_layers)


def _texts(pair: Pair) -> list[str]:
    return [reference for reference in pair.references if reference.strip()]
