"""The examples that judge a model are none that it learned from."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.exporters.builders import write_release
from tests.exporters.samples import CONTENT
from tests.tomahto.matching.examples import EXAMPLES, write_examples
from tomahto.interchange.judgements.pairs import read_labelled_pairs
from tomahto.interchange.judgements.places import read_held_out
from tomahto.interchange.reading.records import InputError
from tomahto.learning.files import Examples
from tomahto.matching.human_labels import LabelledPair
from tomahto.releases.records.records import SplitSpec


def held_out(path: Path, *known: Examples[LabelledPair]) -> tuple[Sequence[LabelledPair], int]:
    found, left_out = read_held_out(path, read_labelled_pairs, known)
    return found.rows, left_out


def fault(path: Path, *known: Examples[LabelledPair]) -> str:
    with pytest.raises(InputError) as caught:
        held_out(path, *known)
    return str(caught.value)


def test_known_questions_are_left_out_and_counted_in_any_spelling(tmp_path: Path) -> None:
    pair = EXAMPLES[0].pair
    shouted = replace(EXAMPLES[0], pair=replace(pair, question="WHAT jumped？", context="a book"))
    train = read_labelled_pairs(write_examples(tmp_path / "t.jsonl", [shouted, EXAMPLES[2]]))
    rest = write_examples(tmp_path / "r.jsonl", EXAMPLES[:6])
    assert held_out(rest, train) == (tuple(EXAMPLES[4:6]), 4)
    assert held_out(rest) == (tuple(EXAMPLES[:6]), 0)


def test_what_is_known_holds_nothing_out(tmp_path: Path) -> None:
    path = write_examples(tmp_path / "t.jsonl", EXAMPLES[:4])
    copy = write_examples(tmp_path / "copy.jsonl", EXAMPLES[:4])
    train, lines = read_labelled_pairs(path), read_labelled_pairs(path, lines=range(1, 2))
    assert fault(copy, train) == f"{copy}: is the same as {path}: nothing is held out"
    assert fault(path, lines) == f"{path}: is the same as {path}: nothing is held out"
    part = write_examples(tmp_path / "part.jsonl", EXAMPLES[:3])
    assert fault(part, train) == f"{part}: nothing is held out: every question is also in {path}"


def test_a_split_of_a_release_is_named(tmp_path: Path) -> None:
    release = tmp_path / "release"
    spec = SplitSpec("document", {"train": 50.0, "test": 50.0})
    write_release(replace(CONTENT, spec=spec), release)
    train = read_labelled_pairs(release)
    assert fault(release) == (
        f"{release}: is a release: name a split of it: {release}:train, {release}:test"
    )
    named = Path(f"{release}:train")
    assert fault(named, train) == f"{named}: is the same as {release}: nothing is held out"
