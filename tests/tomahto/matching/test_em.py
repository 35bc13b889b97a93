from tests.tomahto.matching.examples import pair
from tomahto.matching.em import ExactMatch


def test_em_scores_one_if_the_normal_form_equals_any_reference() -> None:
    pairs = [
        pair("The Eiffel Tower!", "Louvre", "eiffel  tower"),
        pair("Eiffel", "Eiffel Tower"),
        pair("", "nobody"),
    ]

    assert ExactMatch().score(pairs) == [1.0, 0.0, 0.0]
