"""The example that repeats Bulian et al. (2022), as a user starts it."""

import csv
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from examples.answer_equivalence import BEMS, Project, reproduce, train_bem
from examples.checkout import Tomahto
from tests.site import ROOT
from tests.tomahto.tiny_models import save_tiny_bert, save_tiny_encoder
from tomahto.releases.verification.verify import verify_release
from tomahto.text.normalisation import best_overlap, exact_match

pytestmark = [pytest.mark.faults, pytest.mark.timeout(600)]  # it starts a real server

VARIABLES = {"DATABASE_URL": "", "TOMAHTO_BROKER_URL": ""}

SYSTEMS = {"BiDAF": "thistle", "XLNet": "marigold", "Luke": "juniper"}
TABLES = [
    *("Tab. 1", "Tab. 2", "§3.5", "§3.5", "Fig. 1", "Tab. 3", "Tab. 4", "Tab. 5", "§4.2"),
    *("Tab. 6", "Tab. 7", "Tab. 8", "Fig. 2", "Tab. 9", "Tab. 10", "Tab. 11"),
]
COUNTED = re.compile(r"(\S+ ?\S*) +\S.*? +(?:(\d+) of (\d+)|[a-z][a-z ]*)")

Row = dict[str, Any]


@pytest.fixture(scope="module")
def repeated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the example leaves, and its output."""
    data = tmp_path_factory.mktemp("repeated")
    done = subprocess.run(
        [sys.executable, "examples/answer_equivalence.py", "--data", data],
        cwd=ROOT,
        env={**os.environ, **VARIABLES},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (data / "printed").write_text(done.stdout)
    return data


def counts(printed: list[str]) -> list[tuple[str, tuple[int, int] | None]]:
    """Of every table how many figures were computed, of how many."""
    found = [match for line in printed if (match := COUNTED.fullmatch(line))]
    return [
        (match[1].strip(), (int(match[2]), int(match[3])) if match[2] else None)
        for match in found
        if match[1].strip() in TABLES
    ]


def figures(data: Path) -> dict[tuple[str, str, str], float]:
    with (data / "figures.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        (row["table"], row["row"], row["column"]): float(row["ours"]) for row in rows if row["ours"]
    }


def squad_questions(path: Path) -> Iterator[Row]:
    for article in json.loads(path.read_text())["data"]:
        for paragraph in article["paragraphs"]:
            yield from paragraph["qas"]


def references() -> dict[str, list[str]]:
    """Of the demo's questions that can be answered."""
    return {
        asked["id"]: [answer["text"] for answer in asked["answers"]]
        for asked in squad_questions(ROOT / "demo" / "questions.json")
        if asked["answers"]
    }


def right_to_people(release: Path) -> set[tuple[str, str]]:
    """Questions and candidates that are equivalent to any reference by the release's labels."""
    return {
        (item["question_id"], item["candidate"])
        for path in (release / "jsonl" / "items").iterdir()
        for item in map(json.loads, path.read_text().splitlines())
        if item["label"] == "equivalent"
    }


def computed_again(release: Path) -> dict[tuple[str, str, str], float]:
    """Tab. 6 and 7 from the demo's own files and the release's labels."""
    gold, right = references(), right_to_people(release)
    found: dict[tuple[str, str, str], float] = {}
    for system, name in SYSTEMS.items():
        said = json.loads((ROOT / "demo" / "predictions" / f"{name}.json").read_text())
        exact = {key: exact_match(said[key], texts) for key, texts in gold.items()}
        f1 = 100 * fmean(best_overlap(said[key], texts).f1 for key, texts in gold.items())
        first = 100 * fmean(best_overlap(said[key], texts[:1]).f1 for key, texts in gold.items())
        human = fmean(exact[key] or (key, said[key]) in right for key in gold)
        found["Tab. 6", "EM", system] = 100 * fmean(exact.values())
        found["Tab. 6", "F1", system] = found["Tab. 7", system, "F1, all references"] = f1
        found["Tab. 6", "Human", system] = 100 * human
        found["Tab. 7", system, "F1, 1 reference"] = first
    return found


def histogram(release: Path) -> Mapping[str, int]:
    """Fig. 1: the items of each reading."""
    totals: dict[str, int] = defaultdict(int)
    with (release / "tables" / "f1_histogram.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            for reading in ("equivalent", "removes-or-adds", "completely-different"):
                totals[reading] += int(row[reading])
    return totals


def size_at(data: Path, curve: str, kind: str) -> float:
    """The mean size of sets at 0.9 on a curve of Fig. 2."""
    path = data / "conformal" / curve / "tables" / "answer_set_curve.csv"
    with path.open(newline="") as file:
        sizes = {row["target"]: row[f"{kind}_size"] for row in csv.DictReader(file)}
    return float(sizes["0.9"])


def check_parts(release: Path) -> None:
    """Train is what the source has there, dev and test are the demo, each document is in one, and
    all questions are in the SQuAD files, those without an answer too."""
    splits = json.loads((release / "splits.json").read_text())
    assert (splits["leaks"], splits["parted_documents"], splits["kept"]) == ([], [], {"train": 5})
    parts = {
        split: [*squad_questions(release / "squad" / f"{split}.json")]
        for split in ("train", "dev", "test")
    }
    assert {split: len(asked) for split, asked in parts.items()}["train"] == 25
    of_demo = [*parts["dev"], *parts["test"]]
    assert sorted(asked["id"] for asked in of_demo) == sorted(
        asked["id"] for asked in squad_questions(ROOT / "demo" / "questions.json")
    )
    assert sum(asked["is_impossible"] for asked in of_demo) == 3
    assert sum(bool(asked["accepted_answers"]) for asked in of_demo) > 0


def test_the_paper_is_repeated_without_models(repeated: Path) -> None:
    release = repeated / "release"
    assert verify_release(release) == []
    check_parts(release)
    assert counts((repeated / "printed").read_text().splitlines()) == [
        ("Tab. 1", None),
        ("Tab. 2", (8, 8)),
        ("§3.5", (7, 7)),
        ("§3.5", (5, 5)),
        ("Fig. 1", None),
        ("Tab. 3", (0, 3)),  # BEM
        ("Tab. 4", (18, 38)),  # BEM and BERTScore
        ("Tab. 5", (6, 12)),
        ("§4.2", (0, 2)),
        ("Tab. 6", (9, 12)),
        ("Tab. 7", (6, 12)),
        ("Tab. 8", (15, 20)),
        ("Fig. 2", None),
        ("Tab. 9", (6, 9)),
        ("Tab. 10", (12, 12)),
        ("Tab. 11", (9, 9)),
    ]
    found, again = figures(repeated), computed_again(release)
    assert {place: found[place] for place in again} == pytest.approx(again)
    assert found["Tab. 2", "AE-examples", "Total"] == sum(histogram(release).values())
    assert min(histogram(release).values()) > 0
    sizes = {
        ("Tab. 8", "SQuAD labels", "90%"): size_at(repeated, "squad", "exact"),
        ("Tab. 8", "'+ AE labels", "90%"): size_at(repeated, "f1", "exact"),
        ("Tab. 8", "F1", "90%"): size_at(repeated, "f1", "corrected"),
    }
    assert {place: found[place] for place in sizes} == pytest.approx(sizes)
    assert (repeated / "report" / "report.md").is_file()


@pytest.mark.models
def test_models_fill_all_but_the_answers_to_nq_open(
    repeated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bert = save_tiny_bert(tmp_path / "bert")
    encoder = Path(save_tiny_encoder(tmp_path / "encoder"))
    config = encoder / "tokenizer_config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"model_max_length": 64}))
    for name, value in {**VARIABLES, "TOMAHTO_BERTSCORE_MODEL": str(encoder)}.items():
        monkeypatch.setenv(name, value)
    project = Project(Tomahto(repeated / "site"), repeated)
    bems = [train_bem(project, bert, name) for name in BEMS]
    reproduced = reproduce(project, bems, ["bertscore"])
    assert reproduced["counts"]["computed"] == 147
    missing = [one["table"] for one in reproduced["figures"] if one["ours"]["value"] is None]
    assert missing == ["§4.2", "§4.2"]
