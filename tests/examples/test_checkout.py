"""The shared parts of the examples."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from examples import answer_equivalence, correctness_classes, main_job, matcher_rules
from examples.checkout import working_folder


def started(monkeypatch: pytest.MonkeyPatch, main: Callable[[], None], *options: object) -> object:
    """The end of the example at its start: a text for stderr, or a number."""
    monkeypatch.setattr(sys, "argv", ["example", *map(str, options)])
    with pytest.raises(SystemExit) as caught:
        main()
    return caught.value.code


@pytest.mark.parametrize(
    ("main", "options"),
    [
        (answer_equivalence.main, ()),
        (correctness_classes.main, ()),
        (main_job.main, ("questions.json",)),
        (matcher_rules.main, ()),
    ],
)
def test_a_folder_that_is_not_empty_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    main: Callable[[], None],
    options: tuple[str, ...],
) -> None:
    (tmp_path / "db.sqlite3").touch()
    fault = f"--data {tmp_path}: is not empty; name a folder that is, or a new one"
    assert started(monkeypatch, main, *options, "--data", tmp_path) == fault
    assert [path.name for path in tmp_path.iterdir()] == ["db.sqlite3"]


def test_a_new_folder_is_made(tmp_path: Path) -> None:
    made = working_folder(tmp_path / "a" / "b", "name")
    assert (made, list(made.iterdir())) == (tmp_path / "a" / "b", [])
    assert working_folder(made, "name") == made


def test_names_of_a_set_that_is_not_there_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--jeopardy-expanded", "names.jsonl", "--data", tmp_path)
    assert started(monkeypatch, matcher_rules.main, *options) == 2
    fault = "--jeopardy-expanded needs --jeopardy"
    assert capsys.readouterr().err.endswith(f"error: {fault}\n")
