import pytest

from tomahto.matching.feather.matcher import sign_verdict


@pytest.mark.parametrize(
    ("candidate", "reference", "verdict"),
    [
        ("-5", "5", -1),
        ("It fell to −5 degrees.", "5 degrees", -1),
        ("minus 5", "5", -1),
        ("minus 5", "-5", 0),
        ("Minus forty or so.", "-40 degrees", 0),
        ("-5 or 5", "5", 0),
        ("from 1-5", "5", 0),
        ("1983-1990", "1990", 0),
        ("1,5", "15", -1),
        ("1,500", "1500", 0),
        (".5", "5", -1),
        ("C#", "C++", -1),
        ("the C language", "C++", -1),
        ("c++ and C#", "C++", 0),
        ("an A- in biology", "A+", -1),
        ("Na+", "Na", -1),
        ("well- and ill-founded", "well", 0),
        ("18+", "18", -1),
        ("+", "-", -1),
        ("+", " + ", 1),
        ("", "+", -1),
        ("", "5", 0),
        ("plus", "+", 0),
        ("Paris", "Paris!", 0),
        ("'-5'", "-5", 0),
    ],
)
def test_signs_decide_where_words_are_the_same(
    candidate: str, reference: str, verdict: int
) -> None:
    assert sign_verdict(candidate, reference) == verdict
