"""`manage.py evaluate reproduce cap RELEASE`: labels of models and of people side by side."""

from dataclasses import replace
from pathlib import Path

import pytest

from tasks.protocols.cap import PROTOCOL
from tests.exporters.format_samples import json_rows
from tests.exporters.made import write_release
from tests.exporters.samples import CAP_CONTENT, item
from tests.tasks.management.test_evaluate import Evaluate, evaluate
from tests.tasks.management.test_reproduce import FEW, figures, ours, why
from tests.tomahto.interchange.files import Write
from tomahto.releases.records.records import RatingRecord, SplitSpec

__all__ = ["evaluate"]

SYNTHETIC = ("exact", "partial", "partial", "invalid")
HUMAN = ("exact", "partial", "invalid", "invalid")


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Four generated answers, and one of a language model."""
    items = [
        item(f"g{n}", "A", question=f"q{n}", index=None, systems=("finch-7b",))
        for n in range(len(SYNTHETIC))
    ]
    items = [replace(one, intended=label) for one, label in zip(items, SYNTHETIC, strict=True)]
    items.append(item("m", "A", question="qm", index=None, systems=("gpt-4o-2024-08-06",)))
    ratings = [
        RatingRecord(one.id, "r1", label, {"label": label})
        for one, label in zip(items, (*HUMAN, "exact"), strict=True)
    ]
    content = replace(
        CAP_CONTENT,
        campaign=replace(
            CAP_CONTENT.campaign,
            scheme=PROTOCOL.scheme,
            question_keys=("label",),
            accepted_labels=PROTOCOL.accepted_labels,
        ),
        items=items,
        ratings=ratings,
        spec=SplitSpec("document", {"test": 100.0}),
    )
    write_release(content, tmp_path / "cap-1.0.0")
    return tmp_path / "cap-1.0.0"


def test_a_release_has_both_labels_of_generated_answers(evaluate: Evaluate, release: Path) -> None:
    found = figures(evaluate.json("reproduce", "cap", release, *FEW))
    assert ours(found, "Tab. 1", "CAP-Correctness", "Test") == 4
    # agreement 3/4; by chance 1/4*1/4 + 1/2*1/4 + 1/4*1/2 = 5/16: kappa = (12 - 5) / (16 - 5)
    assert ours(found, "Tab. 7", "Cohen's κ", "Score") == pytest.approx(700 / 11)
    assert why(found, "Tab. 14", "GPT-4o", "Spearman ρ").startswith('needs lines with "scores"')
    assert why(found, "Tab. 14", "Qwen 3", "Spearman ρ") == 'needs lines whose "system" is Qwen 3'


def test_the_layout_of_cap_correctness_gives_the_same(
    evaluate: Evaluate, release: Path, write: Write
) -> None:
    lines = json_rows(release / "cap_correctness/test.jsonl")
    generated = write("cap.jsonl", [line for line in lines if line["synthetic_label"]])
    by_lines = figures(evaluate.json("reproduce", "cap", generated, *FEW))
    by_release = figures(evaluate.json("reproduce", "cap", release, *FEW))
    for place in [("Tab. 1", "CAP-Correctness", "Test"), ("Tab. 7", "Linear weighted κ", "Score")]:
        assert by_lines[place] == by_release[place]


def test_a_release_of_another_protocol_is_no_cap_release(
    evaluate: Evaluate, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_release(CAP_CONTENT, tmp_path / "three")
    with pytest.raises(SystemExit):
        evaluate("reproduce", "cap", tmp_path / "three")
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"CommandError: {tmp_path / 'three'}: is of the protocol cap, not of CAP's classes"
    )
