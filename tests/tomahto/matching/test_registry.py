from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tomahto.matching.examples import pair
from tomahto.matching.interface import Matcher
from tomahto.matching.registry import (
    UnknownMatcherError,
    available_matchers,
    configure_aliases,
    files_on_disk,
    load_matcher,
    matcher_names,
    suggesting_matchers,
)
from tomahto.pretrained.files import ModelNotSetError, configure_models


@pytest.fixture(autouse=True)
def nothing_configured() -> Iterator[None]:
    configure_models({})
    yield
    configure_models({})
    configure_aliases(None)


@pytest.mark.parametrize("name", available_matchers())
def test_every_matcher_goes_by_its_registered_name(name: str) -> None:
    matcher: Matcher = load_matcher(name)

    assert matcher.name == name
    assert matcher.version.startswith(f"{name}|")
    assert 0 < matcher.threshold <= 1


def test_matchers_are_listed_in_order() -> None:
    baselines = ("bleu", "bleu-nltk", "rouge-l", "meteor", "bertscore")
    assert matcher_names() == ("em", "f1", "cfmatch", "feather", "bem", "cap", *baselines)


@pytest.mark.parametrize(
    ("models", "more"),
    [
        ({}, ()),
        ({"TOMAHTO_BEM_MODEL": ""}, ()),  # an empty location is none
        ({"TOMAHTO_BEM_MODEL": "bem", "TOMAHTO_CAP_NLI_MODEL": "nli"}, ("bem",)),
        (
            {"TOMAHTO_CAP_STATEMENTS_MODEL": "statements", "TOMAHTO_CAP_NLI_MODEL": "nli"},
            ("cap",),
        ),
    ],
)
def test_matchers_are_available_once_all_their_models_are_set(
    models: dict[str, str], more: tuple[str, ...]
) -> None:
    configure_models(models)
    assert suggesting_matchers() == ("em", "f1", "cfmatch", "feather", *more)
    assert available_matchers()[-3:] == ("bleu", "bleu-nltk", "rouge-l")
    configure_models({"TOMAHTO_BERTSCORE_MODEL": "encoder"})
    assert available_matchers()[-1] == "bertscore"


@pytest.mark.parametrize(
    ("name", "models", "error"),
    [
        (
            "bem",
            {},
            (
                "TOMAHTO_BEM_MODEL is not set: it names a folder made by "
                "`./run --models manage train_bem` (the paper trains "
                "google-bert/bert-base-uncased), or kortukov/answer-equivalence-bem"
            ),
        ),
        (
            "cap",
            {},
            (
                "TOMAHTO_CAP_STATEMENTS_MODEL is not set: it names a folder made by "
                "`./run --models manage train_statements` (the paper trains google/mt5-base)"
            ),
        ),
        (
            "cap",
            {"TOMAHTO_CAP_STATEMENTS_MODEL": "statements"},
            (
                "TOMAHTO_CAP_NLI_MODEL is not set: it names the paper's "
                "cross-encoder/nli-deberta-v3-large, or another model of entailment, neutral and "
                "contradiction"
            ),
        ),
    ],
)
def test_a_matcher_without_its_model_says_which_variable_names_it(
    name: str, models: dict[str, str], error: str
) -> None:
    configure_models(models)
    with pytest.raises(ModelNotSetError) as caught:
        load_matcher(name)
    assert str(caught.value) == error


def test_a_matcher_is_loaded_once() -> None:
    assert load_matcher("cfmatch") is load_matcher("cfmatch")


def test_matchers_that_read_words_come_with_aliases_where_there_is_a_table(tmp_path: Path) -> None:
    table = tmp_path / "aliases.jsonl"
    table.write_text('{"name": "George Orwell", "aliases": ["Eric Arthur Blair"]}')
    configure_aliases(table)
    assert suggesting_matchers()[-2:] == ("cfmatch+aliases", "feather+aliases")
    matcher = load_matcher("em+aliases")
    assert matcher.name == "em+aliases"
    assert matcher.score([pair("Eric Arthur Blair", "George Orwell")]) == [1.0]
    configure_aliases(None)
    with pytest.raises(UnknownMatcherError, match="no matcher 'em"):
        load_matcher("em+aliases")


def test_a_wrong_table_is_named_when_it_is_read(tmp_path: Path) -> None:
    configure_aliases(tmp_path / "none.jsonl")
    with pytest.raises(FileNotFoundError, match=r"none\.jsonl"):
        load_matcher("f1+aliases")


def test_an_unknown_matcher_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(
        UnknownMatcherError, match="no matcher 'blue'; known: em, f1, cfmatch, feather, bem"
    ):
        load_matcher("blue")


def test_matchers_know_what_they_are_made_of_on_disk(tmp_path: Path) -> None:
    assert files_on_disk("em") == files_on_disk("f1") == files_on_disk("bleu") == []
    [weights] = files_on_disk("cfmatch")
    assert weights.name == "cfmatch.json"
    assert [path.name for path in files_on_disk("feather")] == ["feather.json"]
    configure_aliases(tmp_path / "aliases.jsonl")
    assert files_on_disk("em+aliases") == [tmp_path / "aliases.jsonl"]
    assert files_on_disk("cfmatch+aliases") == [weights, tmp_path / "aliases.jsonl"]


def test_matchers_with_models_are_made_of_weights_configuration_and_tokenizer(
    tmp_path: Path,
) -> None:
    for folder in ("statements", "nli"):
        for name in ("model.safetensors", "config.json", "README.md", "vocab.txt"):
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / name).write_text(name)
    folders = {
        "TOMAHTO_CAP_STATEMENTS_MODEL": str(tmp_path / "statements"),
        "TOMAHTO_CAP_NLI_MODEL": str(tmp_path / "nli"),
    }
    configure_models(folders)
    loaded = ("config.json", "model.safetensors", "vocab.txt")
    expected = [tmp_path / folder / name for folder in ("statements", "nli") for name in loaded]
    assert files_on_disk("cap") == expected
    with pytest.raises(ModelNotSetError):
        files_on_disk("bem")
    with pytest.raises(UnknownMatcherError, match="no matcher 'blue'"):
        files_on_disk("blue")
