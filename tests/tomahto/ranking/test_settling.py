"""The items that settle an answer to a question whose texts another one has as well."""

from operator import itemgetter

import pytest

from tomahto.ranking.system_accuracy import settling_items

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
