"""BEM in batches against one pair at a time padded to 512, as part of benchmarks/matchers.py.

The second is how the notebook published with the paper scores. The model is a BERT of 4 layers,
256 wide, with random weights, saved to a temporary folder and loaded as any other. Both ways
compute on one core and turn about, so that what else the machine does disturbs them alike.
"""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.timing import timed
from tomahto.matching.bem.matcher import LABELS, load_bem
from tomahto.matching.bem.options import BemOptions
from tomahto.matching.cfmatch import SHIPPED_WEIGHTS
from tomahto.matching.cfmatch.features import CLS, SEP
from tomahto.matching.cfmatch.weights import read_weights
from tomahto.matching.interface import Pair
from tomahto.pretrained.card import write_card

_ROUNDS = 4
_PADDED = 512
_SEED = 668


def print_bem_speeds(pairs: Sequence[Pair]) -> None:
    import torch

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        save_model(folder)
        batched = load_bem(str(folder))
        write_card(folder, {"options": replace(BemOptions(), int8=True).as_json()})
        int8 = load_bem(str(folder))
        ways = {
            "one at a time, padded to 512": one_at_a_time(folder),
            "batches": batched.score,
            "batches, int8": int8.score,
        }
        seconds = side_by_side(ways, pairs)
        alone, together, _ = (way(pairs[:40]) for way in ways.values())
        gap = max(abs(a - b) for a, b in zip(alone, together, strict=True))
    slowest = max(seconds.values())
    print(f"bem, {len(pairs)} generated pairs: pairs/s in {_ROUNDS} rounds")
    for name, took in seconds.items():
        print(f"{name:30} {len(pairs) / took:>9,.1f} pairs/s  {slowest / took:6.1f} x")
    print(f"largest difference between the first two ways: {gap:.1e}")


def side_by_side(
    ways: dict[str, Callable[[Sequence[Pair]], list[float]]], pairs: Sequence[Pair]
) -> dict[str, float]:
    """Seconds each way takes for all pairs, a part of them in each round."""
    seconds = dict.fromkeys(ways, 0.0)
    for way in ways.values():
        way(pairs[:4])
    for part in range(_ROUNDS):
        for name, way in ways.items():
            seconds[name] += timed(partial(way, pairs[part::_ROUNDS]))[0]
    return seconds


def one_at_a_time(folder: Path) -> Callable[[Sequence[Pair]], list[float]]:
    """Each pair alone, with tokenizer and model of transformers and nothing of ours."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    model: Any = AutoModelForSequenceClassification.from_pretrained(folder).eval()

    def score(pairs: Sequence[Pair]) -> list[float]:
        scores = []
        for pair in pairs:
            inputs = tokenizer(
                text=f"{CLS} {pair.candidate} {SEP}",
                text_pair=f"{pair.references[0]} {SEP} {pair.question} {SEP}",
                add_special_tokens=False,
                padding="max_length",
                max_length=_PADDED,
                return_token_type_ids=True,
                return_tensors="pt",
            )
            with torch.inference_mode():
                scores.append(model(**inputs).logits.softmax(-1)[0, 1].item())
        return scores

    return score


def save_model(folder: Path) -> None:
    """4 layers, 256 wide; the vocabulary is CFMatch's."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast
    from transformers.utils import logging

    words = [word for word in read_weights(SHIPPED_WEIGHTS).words if word not in {CLS, SEP}]
    vocabulary = {word: n for n, word in enumerate(["[PAD]", "[UNK]", CLS, SEP, "[MASK]", *words])}
    wordpiece = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    wordpiece.normalizer = normalizers.BertNormalizer()
    wordpiece.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    PreTrainedTokenizerFast(
        tokenizer_object=wordpiece,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token=CLS,
        sep_token=SEP,
    ).save_pretrained(folder)
    logging.disable_progress_bar()
    torch.manual_seed(_SEED)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=256,
        num_hidden_layers=4,
        num_attention_heads=4,
        intermediate_size=1024,
        id2label=dict(enumerate(LABELS)),
    )
    BertForSequenceClassification(config).save_pretrained(folder)
