import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tomahto.learning.boosted_trees import SymmetricTrees
from tomahto.learning.files import WeightsError
from tomahto.matching.feather.features import FEATURES, FEATURES_SIGNATURE
from tomahto.matching.feather.matcher import (
    MAX_BYTES,
    FeatherWeights,
    Tree,
    read_weights,
    write_weights,
)

WEIGHTS = FeatherWeights(
    intercept=500,
    trees=(
        Tree((("recall", 0.5), ("year_gap", 1.5)), (-1000, 1000, -2000, 0)),
        Tree((("f1", 0.1), ("news", 3.0)), (7, -7, 0, 1)),
    ),
)


def test_weights_survive_a_file_of_one_line_per_tree(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    write_weights(WEIGHTS, path)
    assert read_weights(path) == WEIGHTS
    assert path.read_text(encoding="utf-8") == (
        "{\n"
        f' "features": "{FEATURES_SIGNATURE}",\n'
        ' "intercept": 500,\n'
        ' "trees": [\n'
        '  [[["recall",0.5],["year_gap",1.5]],[-1000,1000,-2000,0]],\n'
        '  [[["f1",0.1],["news",3.0]],[7,-7,0,1]]\n'
        " ]\n"
        "}\n"
    )


def test_trees_survive_being_written_as_weights() -> None:
    trees = SymmetricTrees(
        intercept=-3,
        feature=np.array([[0, 5], [75, 1]]),
        threshold=np.array([[0.5, 1 / 3], [1e-05, 12345.0]]),
        leaf=np.array([[1, 2, 3, 4], [-5, 6, -7, 8]]),
    )

    again = FeatherWeights.of(trees).symmetric_trees()

    assert again.intercept == trees.intercept
    for name in ("feature", "threshold", "leaf"):
        assert getattr(again, name).tolist() == getattr(trees, name).tolist()


def test_digest_follows_the_content() -> None:
    assert replace(WEIGHTS).digest == WEIGHTS.digest
    assert replace(WEIGHTS, intercept=501).digest != WEIGHTS.digest


def _set(field: str, value: object) -> Callable[[dict[str, Any]], object]:
    return lambda fields: fields.update({field: value})


def _tree(tree: object) -> Callable[[dict[str, Any]], object]:
    return lambda fields: fields["trees"].append(tree)


_QUESTIONS = [["recall", 0.5], ["f1", 0.5]]


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (_set("features", "others"), "features: 'others', this version reads "),
        (_set("intercept", 0.5), "intercept: 0.5 is not a whole number"),
        (_set("intercept", 10**9), "intercept: 1000000000 is beyond 1000000"),
        (_set("trees", {}), "trees: not a list of at least one tree"),
        (_set("trees", []), "trees: not a list of at least one tree"),
        (_tree(3), "trees[2]: not a list of questions and a list of leaves"),
        (_tree([_QUESTIONS]), "trees[2]: not a list of questions and a list of leaves"),
        (_tree([[], [1]]), "trees[2]: 0 levels, not 1 to 10"),
        (_tree([_QUESTIONS * 20, [1]]), "trees[2]: 40 levels, not 1 to 10"),
        (_tree([_QUESTIONS, [1, 2, 3]]), "trees[2]: 3 leaves below 2 levels"),
        (_tree([_QUESTIONS[:1], [1, 2]]), "trees: some have 1 levels, some 2"),
        (_tree([[["recall"]], [1, 2]]), "trees[2]: ['recall'] is not a feature and a threshold"),
        (_tree([[["luck", 1]], [1, 2]]), "trees[2]: 'luck' is not a feature"),
        (_tree([[[["x"], 1]], [1, 2]]), "trees[2]: ['x'] is not a feature"),
        (_tree([[["f1", float("nan")]], [1, 2]]), "trees[2]: nan is not a finite number"),
        (_tree([[["f1", 1]], [1, float("inf")]]), "trees[2]: inf is not a whole number"),
    ],
)
def test_hostile_file_gives_one_clear_error(
    tmp_path: Path, spoil: Callable[[dict[str, Any]], object], fault: str
) -> None:
    path = tmp_path / "weights.json"
    write_weights(WEIGHTS, path)
    fields = json.loads(path.read_text(encoding="utf-8"))
    spoil(fields)
    path.write_text(json.dumps(fields), encoding="utf-8")

    with pytest.raises(WeightsError) as caught:
        read_weights(path)

    assert str(caught.value).startswith(f"{path}: {fault}")


def test_weights_of_100_kb_are_not_written(tmp_path: Path) -> None:
    many = replace(WEIGHTS, trees=WEIGHTS.trees * 1000)
    with pytest.raises(WeightsError, match="train fewer than 2000 trees"):
        write_weights(many, tmp_path / "large.json")
    assert MAX_BYTES == 100_000


def test_features_are_named_in_the_file_by_their_columns() -> None:
    assert {name for tree in WEIGHTS.trees for name, _ in tree.questions} < set(FEATURES)
