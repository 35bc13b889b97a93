"""`manage.py export_ratings`: the ratings as they stand, in a file that reads back."""

import json
from pathlib import Path

from tests.tasks.management.conftest import Manage
from tests.tasks.management.samples import ITEM
from tests.tomahto.interchange.files import Write

RATING = {**ITEM, "rater": "ann", "q1": False, "q2": True, "comment": "Said to the =letter."}


def test_export_ratings_writes_what_import_ratings_reads(
    manage: Manage, campaign: str, write: Write, tmp_path: Path
) -> None:
    manage("import_ratings", campaign, write("r.jsonl", [RATING]))
    out = tmp_path / "ratings.jsonl"
    assert manage.json("export_ratings", campaign, "--out", out) == {
        "ratings": 1,
        "path": str(out),
    }
    line = json.loads(out.read_text())
    assert (line["label"], line["q1"], line["q2"]) == ("equivalent", False, True)
    assert (line["question"], line["candidate"]) == (ITEM["question"], ITEM["candidate"])
    assert "comment" not in line
    manage("import_ratings", campaign, out)


def test_export_ratings_has_comments_only_where_asked(
    manage: Manage, campaign: str, write: Write, tmp_path: Path
) -> None:
    manage("import_ratings", campaign, write("r.jsonl", [RATING]))
    out = tmp_path / "ratings.jsonl"
    manage("export_ratings", campaign, "--out", out, "--with-comments")
    assert json.loads(out.read_text())["comment"] == RATING["comment"]


def test_export_ratings_of_no_campaign_writes_nothing(
    manage: Manage, campaign: str, tmp_path: Path
) -> None:
    out = tmp_path / "ratings.jsonl"
    manage("export_ratings", f"{campaign}-2", "--out", out, code=1)
    assert not out.exists()
