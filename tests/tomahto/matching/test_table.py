"""Matchers are found, by name, without what they are made of."""

import logging
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from pkgutil import resolve_name

import pytest

from tests.site import ROOT
from tomahto.matching import table
from tomahto.matching.table import (
    JsonWeights,
    MatcherDescription,
    ModelFolder,
    matchers_by_name,
    model_variables,
)


@pytest.mark.parametrize("matcher", matchers_by_name().values(), ids=lambda each: each.name)
def test_what_a_matcher_names_is_there(matcher: MatcherDescription) -> None:
    named = [matcher.loader, matcher.is_there, matcher.files]
    match matcher.weights:
        case JsonWeights() as weights:
            named += [weights.train, weights.file, weights.matcher]
            assert weights.shipped.is_file()
        case ModelFolder() as weights:
            named += [weights.train, weights.read]
    assert [name for name in named if name and not resolve_name(name)] == []
    assert bool(matcher.loader) != isinstance(matcher.weights, JsonWeights)


def test_every_model_has_a_variable_and_an_advice() -> None:
    assert {each.name: each.default for each in model_variables()} == {
        "TOMAHTO_BERTSCORE_MODEL": "",
        "TOMAHTO_BEM_MODEL": "",
        "TOMAHTO_BEM_BASE": "google-bert/bert-base-uncased",
        "TOMAHTO_CAP_STATEMENTS_MODEL": "",
        "TOMAHTO_CAP_NLI_MODEL": "",
    }
    assert all(each.advice for each in model_variables())


_NAMED = """
import sys
from tomahto.matching.registry import matcher_names
matcher_names()
heavy = ("numpy", "nltk", "sacrebleu", "torch", "transformers")
loaded = (name.removeprefix("tomahto.matching.") for name in sys.modules)
print([name for name in loaded if name in heavy or name.endswith((".matcher", ".training"))])
"""


def test_naming_the_matchers_loads_none_of_them() -> None:
    printed = run(_NAMED, {})
    assert printed == "[]\n"


_MODULE = """
from tomahto.matching.table import MatcherDescription
MATCHER = MatcherDescription(name="length", loader="lengths:Length")
TAKEN = MatcherDescription(name="f1", loader="lengths:Length")

class Length:
    name, version, threshold = "length", "length|v1", 0.5

    def score(self, pairs):
        return [float(len(pair.candidate) == len(pair.references[0])) for pair in pairs]
"""
_ENTRY_POINTS = "[tomahto.matchers]\nlength = lengths:MATCHER\ntaken = lengths:TAKEN\n"
_USED = """
import tomahto
print(tomahto.matchers()[-1], tomahto.score("q", ["Paris"], "Lyons", matcher="length"))
print(tomahto.score("q", ["Paris"], "Lyons", matcher="f1").version)
"""


def test_a_matcher_of_another_package_is_used_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "lengths.py").write_text(_MODULE)
    installed = tmp_path / "lengths-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: lengths\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(_ENTRY_POINTS)
    assert run(_USED, {"PYTHONPATH": str(tmp_path)}).splitlines() == [
        "length Score(value=1.0, accepted=True, matcher='length', version='length|v1')",
        "f1|norm:squad|agg:max-ref|v1",  # nobody takes the name of another
    ]


def test_what_cannot_be_imported_is_left_out_and_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = EntryPoint("lost", "nowhere:MATCHER", table.GROUP)
    monkeypatch.setattr(table, "entry_points", lambda group: [broken])
    with caplog.at_level(logging.ERROR):
        assert matchers_by_name.__wrapped__() == matchers_by_name()
    assert caplog.messages == ["the matcher lost (nowhere:MATCHER) cannot be imported"]


def run(code: str, environment: dict[str, str]) -> str:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    ).stdout
