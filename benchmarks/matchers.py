"""Pairs per second of every matcher on one core: `python -m benchmarks.matchers [PAIRS] [FILE …]`.

Words of the pairs are drawn from CFMatch's own vocabulary as often as they occurred in its training
data, so that nothing has to be downloaded. A question has 6 to 14 words, a reference 1 to 6; a
candidate repeats the reference, leaves out words of it or adds others. Long answers have 10 to 60
words around the reference, as those of language models do, and two references. With FILE, labelled
pairs as JSON lines, those are measured too.

Where torch is installed, `bem` is measured in the same run: in batches against one pair at a time
padded to 512, which is how the notebook published with the paper scores. The model is a BERT of 4
layers, 256 wide, with random weights, saved to a temporary folder and loaded as any other. Both
ways compute on one core and turn about, so that what else the machine does disturbs them alike.

Time is the processor's, so other programs disturb little; the fastest of a few runs counts, and the
first, in which a matcher meets every word anew, is shown beside it.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.timing import REPEATS, timed
from tomahto.interchange.judgements.pairs import read_labelled_pairs
from tomahto.matching.bem.matcher import LABELS, BemOptions, load_bem
from tomahto.matching.cfmatch import SHIPPED_WEIGHTS
from tomahto.matching.cfmatch.matcher import CLS, SEP, read_weights
from tomahto.matching.interface import Matcher, Pair
from tomahto.matching.registry import load_matcher, suggesting_matchers
from tomahto.pretrained.folders import write_card
from tomahto.pretrained.runtime import has_torch


def generate_pairs(count: int, *, seed: int) -> list[Pair]:
    """Pairs of one reference each; the same seed gives the same pairs."""
    generator = random.Random(seed)
    draw = _words_as_frequent_as_in_training(generator)
    return [_pair(generator, draw(k=26)) for _ in range(count)]


def generate_long_pairs(count: int, *, seed: int) -> list[Pair]:
    generator = random.Random(seed)
    draw = _words_as_frequent_as_in_training(generator)
    return [_long_pair(generator, draw(k=80)) for _ in range(count)]


def _words_as_frequent_as_in_training(generator: random.Random) -> "partial[list[str]]":
    weights = read_weights(SHIPPED_WEIGHTS)
    often = dict(zip(weights.words, weights.document_frequencies, strict=True))
    often = {word: count for word, count in often.items() if word not in {CLS, SEP}}
    return partial(generator.choices, list(often), weights=list(often.values()))


def _pair(generator: random.Random, words: Sequence[str]) -> Pair:
    question = words[: generator.randint(6, 14)]
    reference = words[14 : 14 + generator.randint(1, 6)]
    kept = reference[generator.randint(0, len(reference)) :]
    candidate = [*kept, *words[20 : 20 + generator.randint(0, 6)]]
    return Pair(
        question=f"{' '.join(question).capitalize()}?",
        context="",
        references=(" ".join(reference),),
        candidate=f"{' '.join(candidate).capitalize()}.",
    )


def _long_pair(generator: random.Random, words: Sequence[str]) -> Pair:
    references = [words[place : place + generator.randint(1, 4)] for place in (14, 18)]
    around = words[20 : 20 + generator.randint(10, 60)]
    place = generator.randint(0, len(around))
    candidate = [*around[:place], *generator.choice(references), *around[place:]]
    return Pair(
        question=f"{' '.join(words[: generator.randint(6, 14)]).capitalize()}?",
        context="",
        references=tuple(" ".join(reference) for reference in references),
        candidate=f"{' '.join(candidate).capitalize()}.",
    )


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
        write_card(folder, {"options": asdict(replace(BemOptions(), int8=True))})
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


_PAIRS = 50_000
_LONG_SHARE = 4  # one long answer is generated for so many short ones
_BEM_PAIRS = 320


class Speed(NamedTuple):
    """Pairs per second, of the first run and of the fastest."""

    first: float
    fastest: float


def measure_speed(matcher: Matcher, pairs: Sequence[Pair]) -> Speed:
    run = partial(matcher.score, pairs)
    seconds = [timed(run, time.process_time)[0] for _ in range(REPEATS)]
    return Speed(len(pairs) / seconds[0], len(pairs) / min(seconds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=int, nargs="?", default=_PAIRS, help="how many to generate")
    parser.add_argument("file", type=Path, nargs="*", help="labelled pairs as JSON lines")
    options = parser.parse_args()
    count: int = options.pairs
    sets: Mapping[str, list[Pair]] = {
        "generated pairs, one reference each": generate_pairs(count, seed=_SEED),
        "generated long answers, two references each": generate_long_pairs(
            max(count // _LONG_SHARE, 1), seed=_SEED
        ),
        **{
            f"pairs of {path}": [example.pair for example in read_labelled_pairs(path).rows]
            for path in options.file
        },
    }
    for title, pairs in sets.items():
        print(f"{len(pairs)} {title}: pairs/s of the fastest of {REPEATS} runs (of the first)")
        for name in suggesting_matchers():
            speed = measure_speed(load_matcher(name), pairs)
            print(f"{name:10} {speed.fastest:>10,.0f} ({speed.first:,.0f})")
    if has_torch():
        print_bem_speeds(generate_pairs(_BEM_PAIRS, seed=_SEED))


if __name__ == "__main__":
    main()
