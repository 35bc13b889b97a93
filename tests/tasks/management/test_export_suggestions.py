"""`manage.py export_suggestions`: scores, and what they come from."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.tasks.management.conftest import Manage
from tests.tasks.management.samples import ITEM
from tests.tomahto.interchange.files import Write
from tomahto.matching.cap import NliProbabilities
from tomahto.matching.cap.matcher import Cap
from tomahto.matching.f1 import TokenF1
from tomahto.statements.generator import QuestionAnswer

pytestmark = pytest.mark.usefixtures("nobody_else_at_work")


class Sentences:
    """Statements as a careless model would write them."""

    signature = "sentences"

    def statements(self, pairs: Sequence[QuestionAnswer]) -> list[str]:
        return [f"It is\0 {pair.answer}." for pair in pairs]


class Neutral:
    digest = "neutral"

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> list[NliProbabilities]:
        return [NliProbabilities(0.5, 0.5, 0.0) for _pair in pairs]


@pytest.fixture
def scored(manage: Manage, campaign: str, write: Write, monkeypatch: pytest.MonkeyPatch) -> str:
    matchers = {"cap": Cap(Sentences(), Neutral()), "f1": TokenF1()}
    monkeypatch.setattr("tasks.prefill.work.load_matcher", matchers.__getitem__)
    manage("import_items", campaign, write("i.jsonl", [ITEM]))
    manage("prefill", campaign, "--matcher", "cap", "--matcher", "f1", "--wait")
    return campaign


def test_export_suggestions_says_what_a_score_comes_from(
    manage: Manage, scored: str, tmp_path: Path
) -> None:
    out = tmp_path / "suggestions.jsonl"
    printed = manage.json("export_suggestions", scored, "--out", out)
    assert printed == {"suggestions": 2, "path": str(out)}
    cap, f1 = (json.loads(line) for line in out.read_text().splitlines())
    assert (cap["matcher"], cap["candidate"], f1["matcher"]) == ("cap", ITEM["candidate"], "f1")
    # 0.5 + 0.3 * 0.5 in both directions
    assert (cap["score"], cap["accepted"]) == (pytest.approx(0.65), True)
    neutral = {"entailment": 0.5, "neutral": 0.5, "contradiction": 0.0}
    assert cap["explanation"] == {
        "reference": ITEM["references"][0],
        "reference_statement": f"It is\ufffd {ITEM['references'][0]}.",
        "candidate_statement": f"It is\ufffd {ITEM['candidate']}.",
        "forward": neutral,
        "backward": neutral,
    }
    assert "explanation" not in f1


def test_export_suggestions_of_one_matcher(manage: Manage, scored: str, tmp_path: Path) -> None:
    out = tmp_path / "suggestions.jsonl"
    assert manage("export_suggestions", scored, "--matcher", "f1", "--out", out) == (
        f"1 suggestions written to {out}\n"
    )
    assert [json.loads(line)["matcher"] for line in out.read_text().splitlines()] == ["f1"]


def test_export_suggestions_refuses_to_write_nothing(
    manage: Manage, campaign: str, tmp_path: Path
) -> None:
    out = tmp_path / "suggestions.jsonl"
    error = manage.error("export_suggestions", campaign, "--matcher", "bem", "--out", out)
    assert error == "CommandError: rivers has no suggestions of bem\n"
    assert not out.exists()
