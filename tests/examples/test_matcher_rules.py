"""CFMatch's project from seeds to tables, in short form, as a user starts it."""

import csv
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.site import ROOT
from tomahto.releases.verification.verify import verify_release

# it starts a real server, and some 25 commands
pytestmark = [pytest.mark.faults, pytest.mark.timeout(600)]


def matcher_rules(data: Path, *more: object) -> str:
    done = subprocess.run(
        [
            *(sys.executable, "examples/matcher_rules.py", "--data", data),
            *("--per-rule", "4", "--rounds", "2", "--raters", "3", *map(str, more)),
        ],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": "", "TOMAHTO_BROKER_URL": ""},
        capture_output=True,
        text=True,
        timeout=570,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def computed(printed: str) -> dict[str, tuple[int, int]]:
    """Figures computed and listed, by table."""
    found = re.findall(r"^  (\S.*?) +(\d+) of +(\d+)  \S", printed, re.MULTILINE)
    return {table: (int(done), int(listed)) for table, done, listed in found}


def test_the_whole_project_runs_from_seeds_to_tables(tmp_path: Path) -> None:
    printed = matcher_rules(tmp_path)
    release = tmp_path / "release"
    assert verify_release(release) == []
    items = [
        json.loads(line)
        for split in ("train", "dev", "test")
        for line in (release / "jsonl" / "items" / f"{split}.jsonl").read_text().splitlines()
    ]
    rules = Counter(item["intended"].partition("/")[0] for item in items)
    assert len(rules) == 7
    assert f"  {3 * len(items)} ratings by 3 raters" in printed
    # what learns has the release's train split, and people's labels of it
    train = (release / "jsonl" / "items" / "train.jsonl").read_text()
    augmented = (tmp_path / "augmented.jsonl").read_text()
    assert augmented.endswith(train)
    generated = len(train.splitlines())
    assert f"  {94 + 6 + generated} examples, {generated} of them generated" in printed
    # four of the ten players' answers are another name of the reference as a whole
    assert re.search(r"scored with em +\S+ s\n  0 accepted", printed)
    assert re.search(r"scored with em\+aliases +\S+ s\n  4 accepted", printed)
    assert computed(printed) == {
        "§3.2": (6, 9),
        "Tab. 2": (4, 4),
        "§5": (3, 3),
        "Tab. 3": (12, 18),
        "Tab. 4": (80, 120),
        "Tab. 5": (8, 12),
        "§5.2": (3, 3),
        "§5.3": (4, 4),
        "§5.4": (4, 4),
    }
    figures = (tmp_path / "figures.csv").read_text()
    assert ours(figures, "§3.2", "Generated, kept", "Examples") == len(items)
    same = sum(item["intended"].endswith(f"/{item['label']}") for item in items)
    assert ours(figures, "§3.2", "Consistent after self-evaluation", "Examples") == same
    # on the expanded set EM accepts the same four of six right ones, and none of four wrong ones
    assert ours(figures, "Tab. 4", "Jeopardy!", "EM E") == 40.0
    assert ours(figures, "Tab. 5", "EM", "Jeopardy! E") == 80.0


def ours(figures: str, *place: str) -> float:
    """The value at table, row and column."""
    rows = csv.DictReader(figures.splitlines())
    [found] = [one for one in rows if (one["table"], one["row"], one["column"]) == place]
    return float(found["ours"])


@pytest.mark.models
def test_tiny_models_fill_the_columns_of_bert(tmp_path: Path) -> None:
    from tests.tomahto.tiny_models import save_tiny_bert

    model = save_tiny_bert(tmp_path / "tiny")
    found = computed(matcher_rules(tmp_path / "data", "--tiny-models", model))
    # a GPU's costs are not measured
    assert (found["Tab. 3"], found["Tab. 4"], found["Tab. 5"]) == ((15, 18), (120, 120), (12, 12))
