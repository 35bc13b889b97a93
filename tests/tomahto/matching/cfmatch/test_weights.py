import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tomahto.learning.files import WeightsError
from tomahto.matching.cfmatch.matcher import (
    FEATURES_SIGNATURES,
    MAX_BYTES,
    CFMatchWeights,
    OverlapWords,
    read_weights,
    write_weights,
)

WEIGHTS = CFMatchWeights(
    documents=3,
    words=("[CLS]", 'quote"d', "é"),
    document_frequencies=(3, 1, 2),
    word_weights=(0.125, -2.0, 1e-05),
    overlap_weights=(1.5, 0.0, -0.25),
    intercept=0.5,
)


@pytest.mark.parametrize("overlap_words", ["tokens", "stems"])
def test_weights_survive_a_file_of_one_line_per_word(
    tmp_path: Path, overlap_words: OverlapWords
) -> None:
    path = tmp_path / "weights.json"
    weights = replace(WEIGHTS, overlap_words=overlap_words)
    write_weights(weights, path)
    assert read_weights(path) == weights
    assert path.read_text(encoding="utf-8") == (
        "{\n"
        f' "features": "{FEATURES_SIGNATURES[overlap_words]}",\n'
        ' "documents": 3,\n'
        ' "intercept": 0.5,\n'
        ' "overlap": {"f1": 1.5, "precision": 0.0, "recall": -0.25},\n'
        ' "words": {\n'
        '  "[CLS]": [3, 0.125],\n'
        '  "quote\\"d": [1, -2.0],\n'
        '  "é": [2, 1e-05]\n'
        " }\n"
        "}\n"
    )


def test_digest_follows_the_content_and_not_the_layout(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    write_weights(WEIGHTS, path)
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")), indent=4))

    assert read_weights(path).digest == WEIGHTS.digest
    assert replace(WEIGHTS, intercept=0.51).digest != WEIGHTS.digest


def test_rounded_keeps_significant_digits() -> None:
    weights = replace(
        WEIGHTS,
        word_weights=(123456.0, 0.000123456, -1.0),
        overlap_weights=(1 / 3, 0.0, 2.0),
        intercept=-2 / 3,
    )

    assert weights.rounded(3) == replace(
        WEIGHTS,
        word_weights=(123000.0, 0.000123, -1.0),
        overlap_weights=(0.333, 0.0, 2.0),
        intercept=-0.667,
    )


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"words": ("a", "b")}, "words: 2 words, 3 frequencies, 3 weights"),
        ({"words": ("a", "b", "a")}, "words: a word is listed twice"),
        ({"overlap_weights": (1.0,)}, "overlap: 1 weights instead of 3"),
        ({"document_frequencies": (3, 4, 1)}, "occurs in 4 of 3 documents"),
        ({"document_frequencies": (3, 0, 1)}, "occurs in 0 of 3 documents"),
        ({"intercept": math.inf}, "a weight is inf, not a finite number"),
        ({"word_weights": (0.0, math.nan, 0.0)}, "a weight is nan, not a finite number"),
    ],
)
def test_weights_refuse_parts_that_do_not_fit(changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        replace(WEIGHTS, **changes)


def content(**changes: object) -> str:
    fields = {
        "features": FEATURES_SIGNATURES["tokens"],
        "documents": 3,
        "intercept": 0.5,
        "overlap": {"f1": 1.5, "precision": 0.0, "recall": -0.25},
        "words": {"fox": [1, 0.5]},
    }
    return json.dumps(fields | changes)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (content(features="v0"), "features: 'v0', this version reads "),
        (content(words=[]), "words: not a JSON object"),
        (content(words={"fox": [1]}), "words.fox: not a pair of document frequency and weight"),
        (content(words={"fox": [1.5, 1]}), "words.fox: 1.5 is not a whole number"),
        (content(words={"fox": [1, "x"]}), "words.fox: 'x' is not a finite number"),
        (content(words={"fox": [9, 1.0]}), "words: 'fox' occurs in 9 of 3 documents"),
        (content(documents=True), "documents: True is not a whole number"),
        (content(intercept=None), "intercept: None is not a finite number"),
        (content(overlap={"f1": 1.0}), "overlap.precision: None is not a finite number"),
    ],
)
def test_read_names_file_and_fault(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "weights.json"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(WeightsError) as caught:
        read_weights(path)

    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert fault in message


def test_weights_of_a_megabyte_are_not_written(tmp_path: Path) -> None:
    words = tuple(f"{number:020}" for number in range(30_000))
    ones = (1,) * len(words)
    big = replace(WEIGHTS, words=words, document_frequencies=ones, word_weights=ones)
    with pytest.raises(WeightsError, match="train with a smaller vocabulary than 30000 words"):
        write_weights(big, tmp_path / "weights.json")
    assert MAX_BYTES == 1_000_000
