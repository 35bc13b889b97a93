"""Choices in CFMatch's training and their effect on agreement, one by one and together.

    python -m benchmarks.cfmatch_factors NAME=FILE[:FROM-TO] … [--test NAME=FILE …] [--factors]
        [--short]

The files hold labelled pairs as JSON lines; FROM-TO are lines of one, the first being 1. Three
tables come as Markdown. The first has, for every set of sources that is trained on, the accuracy
on every source and test file. The second (with --factors) trains on all sources and changes one
choice at a time. The third (with --short) says how many short answers of the test files are
accepted that no reference equals, by whether they are right and share a stem with a reference.
No pair is judged that was trained on: five folds by question where a source is
trained on itself, the questions that it shares left out elsewhere. Intervals are 95 % bootstraps
over questions. Needs scikit-learn, which is in the environment
of `./test`.
"""

import re
import string
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np
from scipy.sparse import coo_array, csr_array, hstack
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer

from tasks.management.evaluation.options import line_range
from tomahto.interchange.judgements.pairs import read_labelled_pairs
from tomahto.learning.files import question_of
from tomahto.learning.logistic_regression import fit_logistic_regression
from tomahto.learning.token_rows import Row, SparseMatrix
from tomahto.matching.accuracy import measure_accuracy, question_folds
from tomahto.matching.cfmatch.matcher import CLS, SEP, word_stem
from tomahto.matching.human_labels import LabelledPair
from tomahto.matching.interface import Pair, closest_reference
from tomahto.text.normalisation import exact_match, tokens
from tomahto.types import Floats

_FOLDS = 5
_SEED = 0
_PUNCTUATION = str.maketrans("", "", string.punctuation)
Sources = Mapping[str, list[LabelledPair]]


def _cached(split: Callable[[str], Sequence[str]]) -> Callable[[str], tuple[str, ...]]:
    return lru_cache(maxsize=None)(lambda text: tuple(split(text)))


TOKENISERS: Mapping[str, Callable[[str], tuple[str, ...]]] = {
    "squad": _cached(tokens),
    "stems": _cached(lambda text: [word_stem(word) for word in tokens(text)]),
    "articles": _cached(lambda text: text.lower().translate(_PUNCTUATION).split()),
    "white space": _cached(str.split),
    "two letters": _cached(lambda text: re.findall(r"\b\w\w+\b", text.lower())),
    "punctuation": _cached(lambda text: re.findall(r"\w+|[^\w\s]", text.lower())),
}


@dataclass(frozen=True)
class Recipe:
    """One way to train CFMatch; as it stands, the paper's with SQuAD's tokens."""

    words: str = "squad"
    overlap: str = "squad"
    each_word_once: bool = False
    tf_idf: bool = True
    has_overlap: bool = True
    question: bool = True
    markers: bool = True
    stop_words: frozenset[str] = frozenset()
    min_df: int = 2
    vocabulary: int | None = 20_000
    idf: bool = True
    sublinear: bool = False
    references: Literal["closest", "every", "first"] = "closest"
    incorrect_times: int = 1
    l2: float = 1.0
    overlap_scale: float = 1.0


PAPER = Recipe()
SHIPPED = Recipe(overlap="stems", l2=10, overlap_scale=10)
FACTORS: Mapping[str, Recipe] = {
    "the paper's": PAPER,
    "words: articles stay": replace(PAPER, words="articles"),
    "words: punctuation stays": replace(PAPER, words="punctuation"),
    "words: two letters and more": replace(PAPER, words="two letters"),
    "words: without stop words": replace(PAPER, stop_words=frozenset(ENGLISH_STOP_WORDS)),
    "words: without [CLS] and [SEP]": replace(PAPER, markers=False),
    "words: without the question": replace(PAPER, question=False),
    "vocabulary: every word": replace(PAPER, min_df=1, vocabulary=None),
    "vocabulary: in 5 rows": replace(PAPER, min_df=5),
    "vocabulary: 5,000 words": replace(PAPER, vocabulary=5_000),
    "vocabulary: 2,000 words": replace(PAPER, vocabulary=2_000),
    "no idf": replace(PAPER, idf=False),
    "sublinear tf": replace(PAPER, sublinear=True),
    "no TF-IDF": replace(PAPER, tf_idf=False),
    "no overlap": replace(PAPER, has_overlap=False),
    "overlap: white space, case, punctuation": replace(PAPER, overlap="white space"),
    "overlap: articles stay": replace(PAPER, overlap="articles"),
    "overlap: each word once": replace(PAPER, each_word_once=True),
    "overlap: stems": replace(PAPER, overlap="stems"),
    "balance: incorrect thrice": replace(PAPER, incorrect_times=3),
    "learn from every reference": replace(PAPER, references="every"),
    "learn from the first reference": replace(PAPER, references="first"),
    "l2 = 10": replace(PAPER, l2=10),
    "l2 = 3": replace(PAPER, l2=3),
    "l2 = 0.3": replace(PAPER, l2=0.3),
    "overlap × 10": replace(PAPER, overlap_scale=10),
    "together (shipped)": SHIPPED,
    "shipped, but SQuAD's tokens": replace(SHIPPED, overlap="squad"),
    "shipped, but l2 = 1": replace(SHIPPED, l2=1),
    "shipped, but overlap × 1": replace(SHIPPED, overlap_scale=1),
    "shipped, but no TF-IDF": replace(SHIPPED, tf_idf=False),
}


CHANGES: Mapping[str, Recipe] = {
    "the paper's": PAPER,
    "overlap of stems": replace(PAPER, overlap="stems"),
    "l2 = 10": replace(PAPER, l2=10, overlap_scale=10),
    "shipped": SHIPPED,
}
_SHORT = 5  # words


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks.cfmatch_factors")
    parser.add_argument("sources", nargs="+", type=_source, metavar="NAME=FILE[:FROM-TO]")
    parser.add_argument("--test", action="append", default=[], type=_source, metavar="NAME=FILE")
    parser.add_argument("--factors", action="store_true", help="the second table too")
    parser.add_argument("--short", action="store_true", help="the third table alone")
    options = parser.parse_args()
    sources, tests = dict(options.sources), dict(options.test)
    if options.short:
        _print_short(sources, [example for test in tests.values() for example in test])
        return
    for title, recipe in (("the paper's", PAPER), ("shipped", SHIPPED)):
        print(f"\nTraining: {title}\n")
        _print_head("trained on", *sources, *tests)
        for names in _training_sets([*sources], [*tests]):
            _print_row(" + ".join(names), *_judge(names, sources | tests, recipe).values())
    if options.factors:
        print(f"\nTrained on {' + '.join(sources)}; in the last columns on the test file itself\n")
        _print_head("choice", *sources, *tests, *(f"{name}, in folds" for name in tests))
        for title, recipe in FACTORS.items():
            own = (_judge([name], {name: part}, recipe)[name] for name, part in tests.items())
            _print_row(title, *_judge([*sources], sources | tests, recipe).values(), *own)


def _source(text: str) -> tuple[str, list[LabelledPair]]:
    name, _, place = text.partition("=")
    file, colon, lines = place.rpartition(":")
    if not colon:
        return name, list(read_labelled_pairs(Path(place)).rows)
    return name, list(read_labelled_pairs(Path(file), lines=line_range(lines)).rows)


def _training_sets(sources: Sequence[str], tests: Sequence[str]) -> Iterator[Sequence[str]]:
    """All sets of sources, every test file by itself, and everything."""
    for size in range(1, len(sources) + 1):
        yield from combinations(sources, size)
    yield from ([name] for name in tests)
    if tests:
        yield [*sources, *tests]


def _print_head(*cells: str) -> None:
    _print_row(*cells)
    _print_row(*["---"] * len(cells))


def _print_row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def _print_short(sources: Sources, test: Sequence[LabelledPair]) -> None:
    kinds: dict[str, list[LabelledPair]] = defaultdict(list)
    for example in test:
        pair = example.pair
        if len(tokens(pair.candidate)) <= _SHORT and not exact_match(
            pair.candidate, pair.references
        ):
            said = "right" if example.correct else "wrong"
            kinds[f"{said}, {'a' if _shares_a_stem(pair) else 'no'} stem shared"].append(example)
    names = sorted(kinds)
    _print_head("trained on", "choice", *(f"{name} ({len(kinds[name])})" for name in names))
    for parts in _training_sets([*sources], []):
        training = [example for part in parts for example in sources[part]]
        for title, recipe in CHANGES.items():
            trained = _Trained(recipe, training)
            accepted = ((trained.logits(kinds[name]) >= 0).mean() for name in names)
            _print_row(" + ".join(parts), title, *(f"{share:.3f}" for share in accepted))


def _shares_a_stem(pair: Pair) -> bool:
    candidate, *references = (
        set(TOKENISERS["stems"](text)) for text in (pair.candidate, *pair.references)
    )
    return any(candidate & reference for reference in references)


def _judge(names: Sequence[str], known: Sources, recipe: Recipe) -> dict[str, str]:
    """Accuracy with its interval, and F1 of `incorrect`, on every known file."""
    training = [example for name in names for example in known[name]]
    own = _by_folds(training, recipe)
    start, judged = 0, {}
    for name in names:
        stop = start + len(known[name])
        judged[name] = _figures(known[name], own[start:stop])
        start = stop
    seen = {question_of(example) for example in training}
    trained = _Trained(recipe, training)
    for name in known.keys() - set(names):
        test = [e for e in known[name] if question_of(e) not in seen]
        judged[name] = _figures(test, trained.logits(test))
    return {name: judged[name] for name in known}


def _figures(test: Sequence[LabelledPair], logits: Floats) -> str:
    accepted = (logits >= 0).tolist()
    accuracy = measure_accuracy(test, accepted, seed=_SEED)
    pairs = Counter(zip(accepted, (e.correct for e in test), strict=True))
    refused = pairs[False, False]
    f1 = 2 * refused / max(2 * refused + pairs[True, False] + pairs[False, True], 1)
    return f"{accuracy.value:.4f} ({accuracy.low:.3f}–{accuracy.high:.3f}), {f1:.3f}"


def _by_folds(examples: Sequence[LabelledPair], recipe: Recipe) -> Floats:
    """For each example its logit by what was trained on the other folds."""
    fold_of = question_folds(examples, folds=_FOLDS, seed=_SEED)
    logits = np.zeros(len(examples))
    for fold in range(_FOLDS):
        rest = [examples[place] for place in np.flatnonzero(fold_of != fold).tolist()]
        held_out = np.flatnonzero(fold_of == fold).tolist()
        logits[held_out] = _Trained(recipe, rest).logits([examples[p] for p in held_out])
    return logits


class _Trained:
    def __init__(self, recipe: Recipe, examples: Sequence[LabelledPair]) -> None:
        self._recipe = recipe
        self._vectorizer = TfidfVectorizer(
            analyzer=self._words,
            min_df=recipe.min_df,
            max_features=recipe.vocabulary,
            use_idf=recipe.idf,
            sublinear_tf=recipe.sublinear,
        )
        rows = [
            (row, example.correct)
            for example in examples
            for row in self._learned(example.pair)
            for _ in range(1 if example.correct else recipe.incorrect_times)
        ]
        if recipe.tf_idf:
            self._vectorizer.fit(row for row, _ in rows)
        labels = np.array([correct for _, correct in rows], dtype=np.float64)
        features = coo_array(self._features([row for row, _ in rows]))
        row, column = (np.asarray(places, dtype=np.int64) for places in features.coords)
        matrix = SparseMatrix(len(rows), features.shape[1], row, column, features.data)
        self._fit = fit_logistic_regression(matrix, labels, l2=recipe.l2)

    def logits(self, examples: Sequence[LabelledPair]) -> Floats:
        """For each example that of its best reference."""
        rows = [row for example in examples for row in _rows(example.pair)]
        logits = self._features(rows) @ self._fit.weights + self._fit.intercept
        starts = np.cumsum([0, *(len(example.pair.references) for example in examples[:-1])])
        best: Floats = np.maximum.reduceat(logits, starts)
        return best

    def _learned(self, pair: Pair) -> list[Row]:
        if self._recipe.references == "closest":
            return [Row(pair.candidate, closest_reference(pair), pair.question)]
        return _rows(pair)[: 1 if self._recipe.references == "first" else None]

    def _words(self, row: Row) -> list[str]:
        split, recipe = TOKENISERS[self._recipe.words], self._recipe
        texts = row if recipe.question else row[:2]
        parts = [[*split(text), *([SEP] if recipe.markers else [])] for text in texts]
        words = [*([CLS] if recipe.markers else []), *(word for part in parts for word in part)]
        return [word for word in words if word not in recipe.stop_words]

    def _features(self, rows: Sequence[Row]) -> csr_array:
        parts = [self._vectorizer.transform(rows)] if self._recipe.tf_idf else []
        if self._recipe.has_overlap:
            overlaps = np.array([self._overlap(row) for row in rows])
            parts.append(csr_array(overlaps * self._recipe.overlap_scale))
        return csr_array(hstack(parts))

    def _overlap(self, row: Row) -> tuple[float, float, float]:
        split = TOKENISERS[self._recipe.overlap]
        candidate, reference = Counter(split(row.candidate)), Counter(split(row.reference))
        if self._recipe.each_word_once:
            candidate, reference = Counter(set(candidate)), Counter(set(reference))
        shared = (candidate & reference).total()
        if not shared:
            return (1.0, 1.0, 1.0) if not candidate and not reference else (0.0, 0.0, 0.0)
        precision, recall = shared / candidate.total(), shared / reference.total()
        return 2 * precision * recall / (precision + recall), precision, recall


def _rows(pair: Pair) -> list[Row]:
    return [Row(pair.candidate, reference, pair.question) for reference in pair.references]


if __name__ == "__main__":
    main()
