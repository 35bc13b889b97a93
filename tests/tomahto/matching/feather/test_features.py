from collections.abc import Sequence

import numpy as np
import pytest

from tomahto.learning.token_rows import Row
from tomahto.matching.feather.comparison import compare_rows
from tomahto.matching.feather.features import FEATURE_GROUPS, FEATURES, feature_matrix
from tomahto.matching.feather.texts import Lexicon


def features(candidate: str, reference: str, question: str = "Who wrote it?") -> dict[str, float]:
    (line,) = feature_matrix(compare_rows([Row(candidate, reference, question)], Lexicon()))
    return dict(zip(FEATURES, line.tolist(), strict=True))


def chosen(values: dict[str, float], names: Sequence[str]) -> dict[str, float]:
    return {name: values[name] for name in names}


def test_features_have_a_column_each() -> None:
    assert len(set(FEATURES)) == len(FEATURES) == 76
    assert sum(len(group(compare_rows([], Lexicon()))) for group in FEATURE_GROUPS.values()) == 76


def test_overlap_counts_words_without_articles() -> None:
    # Candidate: old red dogs, reference: red dog. `red` is the same word, `dogs` the same stem.
    values = features("The old red dogs", "red dog")

    # Stems: 2 of 2 and 2 of 3 words: F1 = 2 · 1 · 2/3 / (5/3) = 0.8.
    expected = {
        "recall": 1 / 2,
        "stem_recall": 1.0,
        "precision": 2 / 3,
        "f1": 0.8,
        "reference_inside_candidate": 1.0,
        "candidate_inside_reference": 0.0,
    }
    assert chosen(values, list(expected)) == pytest.approx(expected)


def test_likeness_passes_over_what_the_question_says() -> None:
    # Of `Nile River` the question says `river`; only `Nile` is novel, and the candidate lacks it.
    values = features("the River Amazon", "Nile River", "Which river is longest?")

    expected = {
        "soft_recall": 1 / 2,
        "novel_recall": 0.0,
        "novel_missing": 1.0,
        "worst_content": 0.0,
        "first_word": 0.0,
        "last_word": 1.0,
        "reference_in_question": 1 / 2,
    }
    assert chosen(values, list(expected)) == expected


def test_numbers_tell_agreement_distance_and_period() -> None:
    names = ["year_recall", "year_gap", "number_gap", "same_period", "added_years"]

    assert chosen(features("in 1914", "1912"), names) == {
        "year_recall": 0.0,
        "year_gap": 2.0,
        "number_gap": 2 / 1914,
        "same_period": 0.0,
        "added_years": 1.0,
    }
    assert features("the early 1910s", "1912")["same_period"] == 2.0
    assert features("in the 20th century", "1912")["same_period"] == 1.0
    assert features("in the 19th century", "1912")["same_period"] == 0.0
    assert chosen(features("seven", "7 days"), ["number_recall", "year_recall"]) == {
        "number_recall": 1.0,
        "year_recall": -1.0,
    }


def test_additions_count_what_nothing_explains() -> None:
    # Ada and Lovelace come from the reference, wrote from the question; Byron and poem are new.
    values = features("Ada Lovelace wrote a poem like Byron", "Ada Lovelace", "Who wrote it?")

    expected = {
        "explained": 3 / 6,
        "added_words": 3.0,
        "added_names": 1.0,
        "news": 5.0,
        "news_precision": 2 / 5,
    }
    assert chosen(values, list(expected)) == expected


def test_place_finds_the_reference_in_the_answer() -> None:
    # Words: It was not found . Sir Isaac Newton of London knew; the hit is at places 5 and 6.
    values = features("It was not found. Sir Isaac Newton of London knew.", "Isaac Newton")

    expected = {
        "first_hit": 5.0,
        "relative_first_hit": 5 / 10,
        "compactness": 1.0,
        "adjacent": 1.0,
        "name_before": 1.0,
        "name_after": 0.0,
        "first_sentence": 4.0,
        "hit_in_first_sentence": 0.0,
        "sentences": 2.0,
        "negated_hit": 1.0,
    }
    assert chosen(values, list(expected)) == expected


@pytest.mark.parametrize(
    ("candidate", "refusals"),
    [
        ("I don't know.", 1),
        ("It is not mentioned here.", 1),
        ("Sorry, that is unclear.", 2),
        ("He is known as Bob.", 0),
    ],
)
def test_wording_notices_refusals(candidate: str, refusals: int) -> None:
    assert features(candidate, "Bob")["refusal"] == refusals


def test_wording_compares_yes_with_no() -> None:
    assert [features(c, "Yes")["polarity"] for c in ("No, never", "yes it is", "maybe")] == [
        -1,
        1,
        0,
    ]


@pytest.mark.parametrize(
    ("candidate", "reference", "fits"),
    [
        ("WHO", "World Health Organization", True),
        ("World Health Organization", "WHO", True),
        ("W.H.O.", "World Health Organization", True),
        ("WTO", "World Health Organization", False),
        ("WHO", "WHO", False),
    ],
)
def test_likeness_reads_acronyms(candidate: str, reference: str, fits: bool) -> None:
    assert features(candidate, reference)["acronym"] == fits


def test_question_kinds_are_told_apart() -> None:
    kinds = [name for name in FEATURES if name.startswith("asks_")]

    def asked(question: str) -> set[str]:
        return {name for name in kinds if features("x", "y", question)[name]}

    assert asked("Who sang it?") == {"asks_who", "asks_for_a_name"}
    assert asked("In which year did it end?") == {"asks_when", "asks_what"}
    assert asked("How many are there?") == {
        "asks_how_many",
        "asks_how_or_why",
        "asks_for_several",
    }
    assert asked("Is it red or blue?") == {"asks_yes_or_no", "asks_or"}


def test_features_of_empty_texts_are_numbers() -> None:
    rows = [Row("", "", ""), Row("", "fox", ""), Row("fox", "", "?"), Row("\0", "the", "\u202e")]

    assert np.isfinite(feature_matrix(compare_rows(rows, Lexicon()))).all()
