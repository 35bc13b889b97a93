import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tomahto.matching.examples import pair
from tomahto.matching.feather import SHIPPED_WEIGHTS
from tomahto.matching.feather.matcher import MAX_BYTES
from tomahto.matching.registry import load_matcher
from tomahto.matching.table import matchers_by_name

MATCHER = matchers_by_name()["feather"].load()
MOTION = "Who proposed the three laws of motion?"
SINKING = "When did the Titanic sink?"


worded_texts = st.lists(
    st.sampled_from(
        [*("the", "who", "wrote", "Paris", "France", "1912", "1914", "in", "not", "J.", "É", "WHO")]
    ),
    max_size=8,
).map(" ".join)


def score(candidate: str, *references: str, question: str) -> float:
    return MATCHER.score([pair(candidate, *references, question=question)])[0]


@settings(deadline=None)
@given(worded_texts, worded_texts, worded_texts)
def test_score_does_not_see_layout_accents_and_directions(
    candidate: str, reference: str, question: str
) -> None:
    plain = score(candidate, reference, question=question)

    spaced = candidate.replace(" ", " \t\n ")
    marked = "\u202e" + candidate.replace("a", "a\u0301\u200b") + "\u202c"
    assert score(f"  {spaced} ", reference, question=question) == plain
    assert score(marked, reference, question=question) == plain


def test_score_does_not_read_the_context() -> None:
    plain = pair("Newton", "Isaac Newton", question=MOTION)

    assert len(set(MATCHER.score([plain, replace(plain, context="Not Newton!")]))) == 1


@pytest.mark.parametrize(
    ("reference", "question"),
    [
        ("Isaac Newton", MOTION),
        ("1912", SINKING),
        ("14 April 1912", SINKING),
        ("seven", "How many days has a week?"),
        ("Mount Fuji", "Which mountain is the highest of Japan?"),
        ("to strengthen cultural links", "Why did Bermuda join?"),
        ("New York City, New York", "Where is the statue of liberty?"),
    ],
)
def test_scores_keep_the_order_that_readers_expect(reference: str, question: str) -> None:
    same, upper, sentence, refusal, empty, other = (
        score(candidate, reference, question=question)
        for candidate in (
            reference,
            reference.upper(),
            f"The answer is {reference}.",
            "I'm sorry, but I don't know the answer.",
            "",
            "Zanzibar",
        )
    )

    assert same > 0.95
    assert min(upper, sentence) > 0.8
    assert max(refusal, empty) < 0.1
    assert other < 0.4


@pytest.mark.parametrize("year", [1066, 1492, 1776, 1912, 1969, 2004])
def test_another_year_is_wrong(year: int) -> None:
    for text in ("{}", "It sank in {}.", "The ship, built in Belfast, sank in April {}."):
        right, wrong = (
            score(text.format(y), str(year), question=SINKING) for y in (year, year + 3)
        )

        assert wrong < 0.5 < right


@pytest.mark.parametrize(
    "hostile",
    ["", "\0", "?", "the", "\u202e", "😀" * 50, "ﷺ" * 400, "a" * 100_000, "x " * 50_000, "9" * 500],
)
def test_hostile_texts_have_a_score_in_bounded_time(hostile: str) -> None:
    start = time.perf_counter()

    scores = MATCHER.score(
        [
            pair(hostile, "Isaac Newton", question=MOTION),
            pair("Isaac Newton", hostile, question=MOTION),
            pair(hostile, hostile, question=hostile),
        ]
    )

    assert all(0 <= score <= 1 for score in scores)
    assert time.perf_counter() - start < 5


def test_many_long_pairs_are_compared_in_small_batches() -> None:
    long = [pair("red fox " * 2_000, "blue fox " * 2_000), pair("red fox", "fox")]

    assert MATCHER.score(long * 20) == MATCHER.score(long) * 20


def test_shipped_weights_are_small_and_named_by_their_digest() -> None:
    assert SHIPPED_WEIGHTS.stat().st_size < MAX_BYTES
    assert (
        load_matcher("feather").version
        == MATCHER.version
        == (
            "feather|tok:canonical-words,400|align:stem,letter-pairs|features:76,v1|agg:max-ref"
            "|weights:928609932257|v2"
        )
    )


def test_shipped_weights_give_the_scores_they_gave() -> None:
    golden = {
        ("Sir Isaac Newton", "Isaac Newton", MOTION): 0.9294,
        ("Johannes Kepler", "Isaac Newton", MOTION): 0.1187,
        ("I. Newton", "Isaac Newton", MOTION): 0.8877,
        ("It sank in 1912.", "1912", SINKING): 0.9592,
        ("It sank in 1914.", "1912", SINKING): 0.1621,
        ("in the early 1910s", "1912", SINKING): 0.581,
        ("I don't know.", "1912", SINKING): 0.0257,
    }

    scores = {key: round(score(key[0], key[1], question=key[2]), 4) for key in golden}

    assert scores == golden
