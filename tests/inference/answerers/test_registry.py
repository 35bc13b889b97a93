import pytest

from inference.answerers.interface import Answerer
from inference.answerers.registry import UnknownAnswererError, answerer_names, load_answerer


@pytest.mark.parametrize("name", answerer_names())
def test_every_answerer_goes_by_its_registered_name(name: str) -> None:
    answerer: Answerer = load_answerer(name)

    assert answerer.name == name
    assert answerer.version.startswith(f"{name}|")


def test_an_answerer_is_loaded_once() -> None:
    assert answerer_names() == ("lexical",)
    assert load_answerer("lexical") is load_answerer("lexical")


def test_an_unknown_answerer_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnknownAnswererError, match="no answerer 'gpt'; there are lexical"):
        load_answerer("gpt")
