"""`manage.py evaluate report` as a user calls it. No test here may touch the database."""

import json
from pathlib import Path

import pytest

from tests.exporters.builders import write_release
from tests.exporters.format_samples import AE
from tests.tasks.management.conftest import run_command
from tests.tomahto.interchange.files import Write
from tomahto.lab.report import report_from_json
from tomahto.lab.report_files import report_files

Rows = list[dict[str, object]]
ROWS: Rows = [
    {
        "question": f"Question {n // 2}?",
        "reference": "two",
        "candidate": ("two", "2", "three")[n % 3],
        "label": n % 3 < 2,
        "system": f"s{n % 2}",
        "split": "dev" if n < 4 else "test",
    }
    for n in range(12)
]


class Report:
    """Calls the command and keeps what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.told = ""

    def __call__(self, *arguments: str | Path) -> str:
        run_command("evaluate", "report", *arguments)
        printed = self._capsys.readouterr()
        self.told = printed.err
        return printed.out

    def error(self, *arguments: str | Path, code: int = 1) -> str:
        """The last line on stderr."""
        with pytest.raises(SystemExit) as caught:
            self(*arguments)
        assert caught.value.code == code
        printed = self._capsys.readouterr()
        assert printed.out == ""
        return printed.err.splitlines()[-1]


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str]) -> Report:
    return Report(capsys)


def test_report_prints_markdown_and_tells_how_far_it_is(report: Report, write: Write) -> None:
    text = report(write("j.jsonl", ROWS), "--section", "data", "--replicates", "20")
    assert text.startswith("# Report on j.jsonl\n\n")
    assert [line for line in text.splitlines() if line.startswith("| f1 ")] == [
        "| f1 | f1\\|norm:squad\\|agg:max-ref\\|v1 | 0.500 |"
    ]
    assert "| s0 | 6 | 4 | 2 |\n| s1 | 6 | 4 | 2 |\n| Total | 12 | 8 | 4 |\n" in text
    assert report.told.splitlines() == [
        *(f"scoring 12 items with {name}" for name in ("em", "f1", "cfmatch", "feather")),
        "section 1 of 1: data",
    ]


def test_report_prints_one_json_document(report: Report, write: Write) -> None:
    rows = [row | {"scores": {"judge": n / 12}} for n, row in enumerate(ROWS)]
    printed = report(
        *(write("j.jsonl", rows), "--matcher", "em", "--matcher", "em", "--section", "data"),
        *("--tune-on", "dev", "--replicates", "20", "--seed", "3", "--json"),
    )
    assert printed.count("\n") == 1
    made = report_from_json(json.loads(printed))
    assert [(each.metric, each.version) for each in made.metrics] == [
        ("judge", "given"),
        ("em", "em|norm:squad|agg:max-ref|v1"),
    ]
    assert (made.items, made.replicates, made.seed, made.tune_on) == (12, 20, 3, "dev")
    assert [section.key for section in made.sections] == ["data"]


def test_report_writes_a_folder_of_a_release(report: Report, tmp_path: Path) -> None:
    release, out = tmp_path / "release", tmp_path / "reports" / "first"
    write_release(AE, release)
    arguments = (release, "--matcher", "em", "--section", "data", "--out", out)
    assert report(*arguments) == f"4 items, 1 metrics, 1 sections; written to {out}\n"
    made = report_from_json(json.loads((out / "report.json").read_bytes()))
    assert made.name == "demo 1.0.0"
    for file in report_files(made):
        assert (out / file.path).read_bytes() == file.content
    assert report.error(*arguments) == (
        f"CommandError: {out} already exists and is not an empty folder"
    )


def test_scores_of_the_file_stand_for_the_matcher_of_that_name(
    report: Report, write: Write
) -> None:
    path = write("j.jsonl", [row | {"scores": {"feather": 1}} for row in ROWS])
    made = report_from_json(json.loads(report(path, "--section", "data", "--json")))
    assert [(each.metric, each.version == "given") for each in made.metrics] == [
        *(("feather", True), ("em", False), ("f1", False), ("cfmatch", False)),
    ]
    assert report.error(path, "--matcher", "feather") == (
        f"CommandError: {path}: already has scores of feather: leave out --matcher feather"
    )


def test_report_names_what_is_wrong(report: Report, write: Write, tmp_path: Path) -> None:
    path = write("j.jsonl", [*ROWS, {"question": "Who?"}])
    assert report.error(path) == (
        f"CommandError: {path}, line 13, field references: is missing (or reference)"
    )
    assert report.error(tmp_path) == (
        f"CommandError: {tmp_path}: manifest.json: is missing or not a regular file"
    )
    good = write("good.jsonl", ROWS)
    assert report.error(good, "--tune-on", "train") == (
        f"CommandError: {good}: no item is of the split 'train' to tune on; known: dev, test"
    )
    assert "argument --matcher: no matcher 'maze'; known: em, f1, " in report.error(
        good, "--matcher", "maze", code=2
    )
    assert "invalid choice: 'maze'" in report.error(good, "--section", "maze", code=2)


RATED: Rows = [
    {"question": "q1?", "label": True, "ratings": [True, True, False], "scores": {"m": 0.9}},
    {"question": "q2?", "label": False, "ratings": [0, 1, 0], "scores": {"m": 0.2}},
]
RATED = [{**row, "reference": "r", "candidate": "c"} for row in RATED]


def test_a_report_is_by_items_or_by_ratings(report: Report, write: Write) -> None:
    path = write("answers.jsonl", RATED)
    options = ("--matcher", "em", "--section", "metric_quality", "--replicates", "20")
    for unit, n in (("item", 2), ("rating", 6)):
        printed = report(path, *options, "--unit", f"{unit}s")
        assert f"Metrics against people's judgement (unit: {unit})" in printed
        assert f"| m | {n} |" in printed
    bare = [{key: value for key, value in row.items() if key != "ratings"} for row in RATED]
    needed = 'the unit ratings needs each item\'s ratings ("ratings" on every line)'
    assert needed in report.error(write("answers.jsonl", bare), "--unit", "ratings")
    mixed = report.error(write("answers.jsonl", [RATED[0], bare[1]]))
    assert "line 2, field ratings: must be on all lines or on none; compare line 1" in mixed
