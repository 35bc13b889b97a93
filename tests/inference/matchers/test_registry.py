import pytest

from inference.matchers.interface import Matcher
from inference.matchers.registry import UnknownMatcherError, load_matcher, matcher_names


@pytest.mark.parametrize("name", matcher_names())
def test_every_matcher_goes_by_its_registered_name(name: str) -> None:
    matcher: Matcher = load_matcher(name)

    assert matcher.name == name
    assert matcher.version.startswith(f"{name}|")
    assert 0 < matcher.threshold <= 1


def test_matchers_are_listed_in_order() -> None:
    assert matcher_names() == ("em", "f1", "cfmatch")


def test_a_matcher_is_loaded_once() -> None:
    assert load_matcher("cfmatch") is load_matcher("cfmatch")


def test_an_unknown_matcher_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnknownMatcherError, match="no matcher 'bleu'; there are em, f1, cfmatch"):
        load_matcher("bleu")
