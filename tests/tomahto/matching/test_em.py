import pytest

from tests.tomahto.matching.examples import pair
from tomahto.matching.em import ExactMatch
from tomahto.matching.references import MissingReferenceError


def test_em_scores_one_if_the_normal_form_equals_any_reference() -> None:
    pairs = [
        pair("The Eiffel Tower!", "Louvre", "eiffel  tower"),
        pair("Eiffel", "Eiffel Tower"),
        pair("", "nobody"),
    ]

    assert ExactMatch().score(pairs) == [1.0, 0.0, 0.0]


def test_em_of_no_pairs_is_empty() -> None:
    assert ExactMatch().score([]) == []


def test_em_refuses_a_pair_without_reference() -> None:
    with pytest.raises(MissingReferenceError, match=r"pair 1 \(candidate 'Paris'\)"):
        ExactMatch().score([pair("Rome", "Rome"), pair("Paris")])
