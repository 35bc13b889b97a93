"""Trained weights that are used by a name of their own."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tomahto.matching.cfmatch.small_weights import WEIGHTS
from tests.tomahto.matching.examples import pair
from tomahto.matching.cfmatch.matcher import CFMatch, write_weights
from tomahto.matching.cost import measure_cost
from tomahto.matching.feather import SHIPPED_WEIGHTS as FEATHER_WEIGHTS
from tomahto.matching.registry import (
    UnknownMatcherError,
    available_matchers,
    files_on_disk,
    load_matcher,
    matcher_names,
    matcher_or_file,
    suggesting_matchers,
)
from tomahto.matching.table import matchers_by_name
from tomahto.matching.trainable import configure_weights

PAIRS = [pair("red fox", "fox"), pair("wolf", "fox")]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    for kind in ("cfmatch", "feather"):
        (tmp_path / kind).mkdir()
    configure_weights(tmp_path)
    yield tmp_path
    configure_weights(None)


def test_weights_in_the_folder_are_matchers_by_name(folder: Path) -> None:
    nq, old = folder / "cfmatch" / "nq.json", folder / "feather" / "old.json"
    write_weights(WEIGHTS, nq)
    old.write_bytes(FEATHER_WEIGHTS.read_bytes())
    assert matcher_names()[-2:] == available_matchers()[-2:] == ("cfmatch:nq", "feather:old")
    assert suggesting_matchers()[-2:] == ("cfmatch:nq", "feather:old")
    own, theirs = load_matcher("cfmatch:nq"), load_matcher("feather:old")
    assert (own.name, own.version) == ("cfmatch:nq", CFMatch(WEIGHTS).version)
    assert own.score(PAIRS) == CFMatch(WEIGHTS).score(PAIRS)
    assert (theirs.name, theirs.version) == (
        "feather:old",
        matchers_by_name()["feather"].load().version,
    )
    assert files_on_disk("cfmatch:nq") == [nq]


def test_other_things_in_the_folder_are_none(folder: Path) -> None:
    for name in ("notes.txt", "a b.json", "feather@demo.json", "nq.json.unfinished"):
        (folder / "cfmatch" / name).touch()
    (folder / "cfmatch" / "folder.json").mkdir()
    (folder / "em").mkdir()
    (folder / "em" / "mine.json").touch()
    assert matcher_names()[-1] == "bertscore"


def test_folders_are_weights_of_bem(folder: Path) -> None:
    (folder / "bem" / "mine").mkdir(parents=True)
    (folder / "bem" / "mine.json").touch()
    assert matcher_names()[-1] == "bem:mine"


def test_weights_are_loaded_anew_once_the_file_is_another(folder: Path) -> None:
    nq = folder / "cfmatch" / "nq.json"
    write_weights(WEIGHTS, nq)
    first = load_matcher("cfmatch:nq")
    assert load_matcher("cfmatch:nq") is first
    later = nq.stat().st_mtime_ns + 1
    write_weights(replace(WEIGHTS, intercept=0.5), nq)
    os.utime(nq, ns=(later, later))
    assert load_matcher("cfmatch:nq").version == CFMatch(replace(WEIGHTS, intercept=0.5)).version


def test_a_file_is_known_once_a_command_names_it(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    write_weights(WEIGHTS, path)
    name = f"cfmatch:{path}"
    with pytest.raises(UnknownMatcherError, match="no matcher 'cfmatch:"):
        load_matcher(name)
    assert matcher_or_file(name) == name
    assert (load_matcher(name).name, load_matcher(name).version) == (name, CFMatch(WEIGHTS).version)
    assert name not in matcher_names()
    assert measure_cost(name, PAIRS, runs=1, models={}, aliases=None).version == (
        CFMatch(WEIGHTS).version
    )
    configure_weights(folder)
    with pytest.raises(UnknownMatcherError):
        load_matcher(name)


@pytest.mark.parametrize("name", ["cfmatch:nowhere.json", "cfmatch:", "em:{}", "{}", "blue"])
def test_what_is_no_weights_is_no_matcher(folder: Path, name: str) -> None:
    (folder / "weights.json").touch()
    with pytest.raises(UnknownMatcherError, match=r"no matcher .*; known: em, f1, "):
        matcher_or_file(name.format(folder / "weights.json"))
