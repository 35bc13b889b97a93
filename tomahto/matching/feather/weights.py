"""The numbers feather is made of, and the readable file they are kept in.

The file is JSON with one tree per line: the questions of its levels, each a feature and the
threshold it is compared with, and the leaves in thousandths of log-odds.
"""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from tomahto.learning.boosted_trees import SymmetricTrees
from tomahto.learning.weights_file import (
    WeightsError,
    WeightsFile,
    finite_number,
    whole_number,
)
from tomahto.matching.feather.features import FEATURES, FEATURES_SIGNATURE

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
    if not (isinstance(entry, list) and len(entry) == 2 and all(map(_is_list, entry))):
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


def _is_list(value: object) -> bool:
    return isinstance(value, list)


WEIGHTS_FILE = WeightsFile(
    MAX_BYTES,
    weights_text,
    _from_fields,
    smaller=lambda weights: f"train fewer than {len(weights.trees)} trees",
)
write_weights, read_weights = WEIGHTS_FILE.write, WEIGHTS_FILE.read
parse_weights = WEIGHTS_FILE.parse
