from pathlib import Path

import pytest

from tomahto.answerers.interface import Answerer
from tomahto.answerers.lexical import LexicalAnswerer
from tomahto.answerers.registry import (
    AnswerersFileError,
    UnknownAnswererError,
    answerer_names,
    configure_answerers,
    load_answerer,
)


@pytest.fixture(autouse=True)
def only_built_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tomahto.answerers.registry._configured", {})


def test_the_built_in_answerer_goes_by_its_name_and_is_loaded_once() -> None:
    assert answerer_names() == ("lexical",)
    lexical: Answerer = load_answerer("lexical")
    assert (lexical.name, lexical.version.partition("|")[0]) == ("lexical", "lexical")
    assert load_answerer("lexical") is lexical


def test_an_unknown_answerer_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnknownAnswererError, match="no answerer 'gpt'; known: lexical"):
        load_answerer("gpt")


def test_configured_answerers_stand_behind_the_built_in_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tomahto.answerers.registry._configured", {"mine": LexicalAnswerer})
    assert answerer_names() == ("lexical", "mine")
    assert isinstance(load_answerer("mine"), LexicalAnswerer)


def test_a_file_with_a_fault_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tomahto.answerers.registry._configured", {"mine": LexicalAnswerer})
    (tmp_path / "answerers.toml").write_text("[lexical]\n")
    with pytest.raises(AnswerersFileError, match=r"table \[lexical\]: the name is that of a"):
        configure_answerers(tmp_path / "answerers.toml")
    assert answerer_names() == ("lexical", "mine")
    configure_answerers(None)
    assert answerer_names() == ("lexical",)
