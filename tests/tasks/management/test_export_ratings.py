"""`manage.py export_ratings`: the ratings as they stand, in a file that reads back."""

import json
from pathlib import Path

from tests.tasks.management.conftest import Manage
from tests.tasks.management.test_imports import ITEM
from tests.tomahto.interchange.files import Write
from tomahto.releases.files.json_lines import json_text

RATING = {**ITEM, "rater": "ann", "q1": False, "q2": True, "comment": "Said to the =letter."}
WHOLE_SECOND = "2026-03-01T12:00:01+00:00"


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


def test_export_ratings_writes_each_value_as_json_does(
    manage: Manage, campaign: str, write: Write, tmp_path: Path
) -> None:
    given = [
        {**RATING, "seconds": 0.0, "created_at": "2026-03-01T12:00:00.5+00:00"},
        {**RATING, "rater": 'b "é" \\', "seconds": 1e-7, "comment": 'a "quoted"\nword'},
        {**RATING, "rater": "cat", "seconds": 12, "comment": "", "created_at": WHOLE_SECOND},
    ]
    manage("import_ratings", campaign, write("r.jsonl", given))
    out = tmp_path / "ratings.jsonl"
    manage("export_ratings", campaign, "--out", out, "--with-comments")
    lines = out.read_text().splitlines()
    read = [json.loads(line) for line in lines]
    assert lines == [json_text(each) for each in read]
    assert [each["seconds"] for each in read] == [0.0, 1e-7, 12.0]
    assert [each.get("created_at") for each in read] == [
        "2026-03-01T12:00:00.500000+00:00",
        None,
        WHOLE_SECOND,
    ]
    assert [each.get("comment") for each in read] == [
        RATING["comment"],
        'a "quoted"\nword',
        None,
    ]


def test_export_ratings_finds_few_rated_items_among_many(
    manage: Manage, campaign: str, write: Write, tmp_path: Path
) -> None:
    def candidates(*numbers: int) -> list[dict[str, object]]:
        return [{**ITEM, "id": f"i{number}", "candidate": f"{number} hills"} for number in numbers]

    manage("import_items", campaign, write("items.jsonl", candidates(*range(20))))
    few = [{**RATING, **item} for item in candidates(0, 19)]
    manage("import_ratings", campaign, write("r.jsonl", few))
    out = tmp_path / "ratings.jsonl"
    manage("export_ratings", campaign, "--out", out)
    lines = map(json.loads, out.read_text().splitlines())
    assert [(line["id"], line["candidate"]) for line in lines] == [
        ("i0", "0 hills"),
        ("i19", "19 hills"),
    ]


def test_export_ratings_of_no_campaign_writes_nothing(
    manage: Manage, campaign: str, tmp_path: Path
) -> None:
    out = tmp_path / "ratings.jsonl"
    manage("export_ratings", f"{campaign}-2", "--out", out, code=1)
    assert not out.exists()
