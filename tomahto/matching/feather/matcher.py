"""feather, the project's own small matcher: boosted trees over what a pair's words show.

The trees were fitted to words, in which `-5` is `5`. So what signs say of a pair goes beside them:
a minus, a decimal comma, the ends of C++, C# and A-. Weights are kept as JSON with one tree per
line: the questions of its levels, each a feature and the threshold it is compared with, and the
leaves in thousandths of log-odds.
"""

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from tomahto.learning.boosted_trees import UNIT, SymmetricTrees
from tomahto.learning.files import WeightsError, WeightsFile, finite_number, whole_number
from tomahto.learning.logistic_regression import probabilities
from tomahto.learning.token_rows import Row
from tomahto.matching.feather.comparison import compare_rows
from tomahto.matching.feather.features import FEATURES, FEATURES_SIGNATURE, feature_matrix
from tomahto.matching.feather.texts import MARKS, MAX_CHARACTERS, Lexicon
from tomahto.matching.feather.words import canonical_form
from tomahto.matching.interface import Pair, require_references
from tomahto.matching.rows import rows_of
from tomahto.text.normalisation import ExactRule, is_exact
from tomahto.types import Floats

# several patterns, each of which begins with few characters, are faster than one of them all
_TRACES: Final = tuple(
    map(
        re.compile,
        (r"[-−](?:[\d.$€£¥]|(?!\w))", r"[+#]", r"\d,\d", r"\.\d", r"inus\b", r"egative\b"),
    )
)
_PARTS: Final = re.compile(r"[^\s()\[\]{}<>\"“”«»:;/\\|…]+")
_HANGING: Final = ".,!?'‘’"
_NUMBER: Final = re.compile(r"([-−]?)[$€£¥]?(\.?)(\d[\d.,]*)(\+?)")
_DECIMAL_COMMA: Final = re.compile(r"\d,(?!\d{3}(?!\d))\d")
_NAME: Final = re.compile(r"([^\W_]+)(\++|#+)|([^\W\d_]{1,2})([-−])")
_MINUS: Final = frozenset({"minus", "negative"})


def sign_verdict(candidate: str, reference: str) -> int:
    """Whether signs make the candidate right (1) or wrong (-1), or say nothing of it (0).

    It is wrong if both have a word and all signs at it differ. Where neither has a letter or a
    digit, signs are all there is.
    """
    if not any(map(str.isalnum, candidate)) and not any(map(str.isalnum, reference)):
        return 1 if is_exact(candidate, [reference], ExactRule.STRICT) else -1
    if not _has_traces(reference) and not _has_traces(candidate):
        return 0
    given, wanted = _signs(candidate), _signs(reference)
    differs = any(word in given and given[word].isdisjoint(wanted[word]) for word in wanted)
    return -1 if differs else 0


def _has_traces(text: str) -> bool:
    """Whether it can have signs: what most texts are seen not to have in no time."""
    return any(trace.search(text, 0, MAX_CHARACTERS) for trace in _TRACES)


def _signs(text: str) -> Mapping[str, set[str]]:
    """The signs at each word, in its canonical form; "" where it stands without one."""
    plain = MARKS.sub("", unicodedata.normalize("NFKD", text[:MAX_CHARACTERS]))
    signs: dict[str, set[str]] = defaultdict(set)
    before = ""
    for part in _PARTS.findall(plain):
        bare, sign = _parted(part.rstrip(_HANGING).lstrip("'‘’"))
        word = canonical_form(bare)
        is_negative = before.lower() in _MINUS and word[:1].isdigit()
        signs[word].add(f"-{sign}" if is_negative else sign)
        before = part
    return signs


def _parted(part: str) -> tuple[str, str]:
    if number := _NUMBER.match(part):
        minus, point, digits, plus = number.groups()
        comma = "," if _DECIMAL_COMMA.search(digits) else ""
        return digits.rstrip(".,"), ("-" if minus else "") + point + comma + plus
    if name := _NAME.fullmatch(part):
        word, plus, short, minus = name.groups()
        return (word, plus) if word else (short, "-")
    return part, ""


MAX_BYTES = 100_000
_MAX_DEPTH = 10
_MAX_LEAF = 1_000_000  # a thousand times any log-odds that makes sense


@dataclass(frozen=True, slots=True)
class Tree:
    """`questions` are (feature, threshold), one per level; `leaves` number 2 ** levels."""

    questions: tuple[tuple[str, float], ...]
    leaves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FeatherWeights:
    """A trained feather. Intercept and leaves are thousandths of log-odds."""

    intercept: int
    trees: tuple[Tree, ...]

    @classmethod
    def of(cls, trees: SymmetricTrees) -> "FeatherWeights":
        """The weights of trees over the columns of `FEATURES`."""
        return cls(
            intercept=trees.intercept,
            trees=tuple(
                Tree(
                    questions=tuple(
                        (FEATURES[column], threshold)
                        for column, threshold in zip(columns, thresholds, strict=True)
                    ),
                    leaves=tuple(leaves),
                )
                for columns, thresholds, leaves in zip(
                    trees.feature.tolist(),
                    trees.threshold.tolist(),
                    trees.leaf.tolist(),
                    strict=True,
                )
            ),
        )

    @property
    def digest(self) -> str:
        """The first 12 hexadecimal digits of the content's SHA-256."""
        return WEIGHTS_FILE.digest(self)

    def symmetric_trees(self) -> SymmetricTrees:
        column = {name: place for place, name in enumerate(FEATURES)}
        depth = len(self.trees[0].questions)
        shape = (len(self.trees), depth)
        questions = [question for tree in self.trees for question in tree.questions]
        return SymmetricTrees(
            intercept=self.intercept,
            feature=np.array([column[name] for name, _ in questions], np.int64).reshape(shape),
            threshold=np.array([threshold for _, threshold in questions]).reshape(shape),
            leaf=np.array([tree.leaves for tree in self.trees], np.int64),
        )


def weights_text(weights: FeatherWeights) -> str:
    """The content of a weights file."""
    trees = ",\n".join(
        "  " + json.dumps([tree.questions, tree.leaves], separators=(",", ":"))
        for tree in weights.trees
    )
    return (
        f'{{\n "features": {json.dumps(FEATURES_SIGNATURE)},\n'
        f' "intercept": {weights.intercept},\n'
        f' "trees": [\n{trees}\n ]\n}}\n'
    )


def _from_fields(fields: dict[str, Any]) -> FeatherWeights:
    if fields.get("features") != FEATURES_SIGNATURE:
        raise WeightsError(
            f"features: {fields.get('features')!r}, this version reads {FEATURES_SIGNATURE!r}"
        )
    entries = fields.get("trees")
    if not isinstance(entries, list) or not entries:
        raise WeightsError("trees: not a list of at least one tree")
    trees = tuple(_tree(entry, f"trees[{place}]") for place, entry in enumerate(entries))
    depths = sorted({len(tree.questions) for tree in trees})
    if len(depths) > 1:
        raise WeightsError(f"trees: some have {depths[0]} levels, some {depths[-1]}")
    return FeatherWeights(_thousandths(fields.get("intercept"), "intercept"), trees)


def _tree(entry: object, field: str) -> Tree:
    if not (
        isinstance(entry, list)
        and len(entry) == 2
        and all(isinstance(part, list) for part in entry)
    ):
        raise WeightsError(f"{field}: not a list of questions and a list of leaves")
    questions, leaves = entry
    if not 1 <= len(questions) <= _MAX_DEPTH:
        raise WeightsError(f"{field}: {len(questions)} levels, not 1 to {_MAX_DEPTH}")
    if len(leaves) != 1 << len(questions):
        raise WeightsError(f"{field}: {len(leaves)} leaves below {len(questions)} levels")
    return Tree(
        questions=tuple(_question(question, field) for question in questions),
        leaves=tuple(_thousandths(leaf, field) for leaf in leaves),
    )


def _question(question: object, field: str) -> tuple[str, float]:
    if not isinstance(question, list) or len(question) != 2:
        raise WeightsError(f"{field}: {question!r} is not a feature and a threshold")
    name, threshold = question
    if name not in FEATURES:
        raise WeightsError(f"{field}: {name!r} is not a feature")
    return name, finite_number(threshold, field)


def _thousandths(value: object, field: str) -> int:
    number = whole_number(value, field)
    if abs(number) > _MAX_LEAF:
        raise WeightsError(f"{field}: {number} is beyond {_MAX_LEAF}")
    return number


WEIGHTS_FILE = WeightsFile(
    MAX_BYTES,
    weights_text,
    _from_fields,
    smaller=lambda weights: f"train fewer than {len(weights.trees)} trees",
)


write_weights, read_weights = WEIGHTS_FILE.write, WEIGHTS_FILE.read


_BATCH_ROWS = 1000
_BATCH_WORK = 40_000_000  # candidate characters × reference characters, some 1,000,000 word pairs
_LEXICON_WORDS = 100_000


class FeatureReader:
    """Turns rows into features, batch by batch, and remembers the words it has met."""

    def __init__(self) -> None:
        self._lexicon = Lexicon()

    def read(self, rows: Sequence[Row]) -> Iterator[Floats]:
        """The features of consecutive rows; a row's do not depend on the other rows."""
        for batch in _batches(rows):
            if len(self._lexicon) > _LEXICON_WORDS:
                self._lexicon = Lexicon()
            yield feature_matrix(compare_rows(batch, self._lexicon))


class Feather:
    """Scores the probability that people would call the candidate correct.

    Where signs decide (`sign_verdict`), the trees say how surely. A pair's score is the highest
    over its references and does not depend on the other pairs. The first 400 words of each text
    are read, the context not at all.
    """

    name = "feather"
    threshold = 0.5

    def __init__(self, weights: FeatherWeights) -> None:
        self._weights = weights
        self._trees = weights.symmetric_trees()
        self._reader = FeatureReader()

    @cached_property
    def version(self) -> str:
        """The features, and a digest of the weights' content."""
        return f"feather|{FEATURES_SIGNATURE}|agg:max-ref|weights:{self._weights.digest}|v2"

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One probability per pair. Raises MissingReferenceError."""
        require_references(pairs)
        if not pairs:
            return []
        rows, first_rows = rows_of(pairs)
        batches = [self._trees.sums(features) for features in self._reader.read(rows)]
        sums = np.concatenate(batches)
        verdicts = np.array([sign_verdict(row.candidate, row.reference) for row in rows])
        sums = np.where(verdicts, verdicts * np.abs(sums), sums)
        best = np.maximum.reduceat(sums, first_rows)
        scores: list[float] = probabilities(best / UNIT).tolist()
        return scores


def _batches(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Consecutive rows, as many as can be compared in bounded memory."""
    start = work = 0
    for place, row in enumerate(rows):
        own_work = min(len(row.candidate), MAX_CHARACTERS) * min(len(row.reference), MAX_CHARACTERS)
        if place > start and (place - start == _BATCH_ROWS or work + own_work > _BATCH_WORK):
            yield rows[start:place]
            start, work = place, 0
        work += own_work
    if rows:
        yield rows[start:]
