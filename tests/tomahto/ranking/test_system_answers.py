"""The correctness of answers by the labels of their items; and the items that settle an answer to a
question whose texts another one has as well."""

from operator import itemgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.ranking.system_answers import (
    EMPTY,
    EXACT,
    TO_BE_RATED,
    Texts,
    answers_of,
    is_right,
    settling_items,
)

LABELS = {"right": "good", "wrong": "bad", "tied": None}  # any other item is not rated

Items = list[tuple[str, str]]  # name and references, a letter each


@pytest.mark.parametrize(
    ("references", "own", "others", "found"),
    [
        ("ab", [], [("x", "a"), ("y", "b")], "xy"),
        ("ab", [("x", "a")], [("y", "a"), ("z", "b")], "xz"),  # of equal ones its own
        ("ab", [], [("x", "a"), ("y", "a")], "x"),  # else the first
        ("ab", [], [("x", "c"), ("y", "bc")], ""),  # compared with what is none of its references
        ("ab", [], [("x", "a"), ("y", "ba")], "y"),  # with all of them rather than with one
        ("a", [("x", "ac")], [("y", "a")], "x"),
        ("", [("x", "")], [("y", "")], "x"),
        ("", [], [("y", "")], "y"),
    ],
)
def test_an_answer_is_settled_by_the_items_that_have_its_texts(
    references: str, own: Items, others: Items, found: str
) -> None:
    settling = settling_items(references, own, others, itemgetter(1))
    assert "".join(name for name, _ in settling) == found


@given(st.lists(st.lists(st.sampled_from([*LABELS, "open"]), max_size=3), min_size=1, max_size=3))
def test_an_answer_is_as_correct_as_the_share_of_its_texts_that_are_right(
    texts: list[list[str]],
) -> None:
    named = {f"text {place}": items for place, items in enumerate(texts)}
    answers = answers_of("s", {"q": named}, frozenset(), LABELS, frozenset({"good"}))
    rights = [is_right(items, LABELS, frozenset({"good"})) for items in texts]
    expected = None if None in rights else sum(map(bool, rights)) / len(rights)
    assert (answers.kind("q"), answers.value("q")) == (TO_BE_RATED, expected)


def test_exact_and_empty_answers_are_right_and_wrong_without_a_label() -> None:
    texts: Texts[str] = {
        "exact": {"at sea": ["open"]},
        "empty": {" ": []},
        "open": {"": [], "at sea": []},
    }
    answers = answers_of("s", texts, frozenset({"exact", "alone"}), LABELS, frozenset({"good"}))
    assert {key: (answers.kind(key), answers.value(key)) for key in answers.questions} == {
        "alone": (EXACT, 1.0),
        "empty": (EMPTY, 0.0),
        "exact": (EXACT, 1.0),
        "open": (TO_BE_RATED, None),
    }
    assert (len(answers.items), answers.rated) == (1, 0)
