import re
from dataclasses import replace
from pathlib import Path

import pytest

from exporters.planned_release import ReleaseContent
from tests.exporters.builders import write_release
from tests.exporters.folders import contents
from tests.exporters.format_samples import CAP, STATEMENT, json_rows
from tests.exporters.samples import reseal
from tomahto.releases.files.text_files import json_text
from tomahto.releases.records.records import RatingRecord
from tomahto.releases.verification.verify import verify_release

SPLITS = ("dev", "test")


def test_cap_correctness_has_the_four_fields_of_the_paper(tmp_path: Path) -> None:
    write_release(CAP, tmp_path / "cap")
    rows = [
        row
        for split in SPLITS
        for row in json_rows(tmp_path / f"cap/cap_correctness/{split}.jsonl")
    ]
    assert sorted((row["id"], row["correctness_label"]) for row in rows) == [
        ("a1", "exact"),
        ("a2", "partial"),
        ("b1", "invalid"),
        ("c1", "exact"),
    ]
    assert next(row for row in rows if row["id"] == "b1") == {
        "id": "b1",
        "question": "What is qb?",
        "gold_answer": "Paris",
        "other_gold_answers": ["Lutetia"],
        "candidate_answer": "=2+2",
        "correctness_label": "invalid",
        "system": "luke",
        "label_source": "majority",
    }


def test_cap_statements_are_triples_with_their_validation(tmp_path: Path) -> None:
    write_release(STATEMENT, tmp_path / "statements")
    rows = [
        row
        for split in SPLITS
        for row in json_rows(tmp_path / f"statements/cap_statements/{split}.jsonl")
    ]
    common = {"answer": "Paris", "question_type": "", "label_source": "majority"}
    assert sorted(rows, key=lambda row: str(row["id"])) == [
        {
            "id": "a1",
            "question": "What is qa?",
            "statement": "in Paris, France",
            "label": "correct",
            **common,
        },
        {
            "id": "b1",
            "question": "What is qb?",
            "statement": "=2+2",
            "label": "wrong",
            **common,
        },
    ]


def test_cap_files_have_what_candidates_were_written_as(tmp_path: Path) -> None:
    items = [
        replace(each, intended="exact" if each.id in {"a1", "b1"} else "") for each in CAP.items
    ]
    write_release(replace(CAP, items=items), tmp_path / "cap")
    rows = [
        row
        for split in SPLITS
        for row in json_rows(tmp_path / f"cap/cap_correctness/{split}.jsonl")
    ]
    assert sorted((r["id"], r["synthetic_label"], r["correctness_label"]) for r in rows) == [
        ("a1", "exact", "exact"),
        ("a2", "", "partial"),
        ("b1", "exact", "invalid"),
        ("c1", "", "exact"),
    ]
    # b1 was written by luke, which answers nothing; a1 by two systems whose answer is a2
    systems = {r["id"]: r["system"] for r in rows}
    assert systems == {"a1": "", "a2": "bidaf+xlnet", "b1": "", "c1": "xlnet"}
    items = [replace(each, intended="Biology/long-question") for each in STATEMENT.items]
    write_release(replace(STATEMENT, items=items), tmp_path / "statements")
    rows = [
        row
        for split in SPLITS
        for row in json_rows(tmp_path / f"statements/cap_statements/{split}.jsonl")
    ]
    assert [row["subject"] for row in rows] == ["Biology", "Biology"]


def test_cap_formats_belong_to_their_protocols(tmp_path: Path) -> None:
    write_release(STATEMENT, tmp_path / "statements")
    assert not any(
        name.startswith(("squad", "cap_c")) for name in contents(tmp_path / "statements")
    )


def with_a_tie(content: ReleaseContent, label: str) -> ReleaseContent:
    """Somebody else says something else of b1."""
    more = RatingRecord("b1", "r9", label, {"label": label})
    return replace(content, ratings=[*content.ratings, more])


@pytest.mark.parametrize(
    ("content", "folder"),
    [
        (with_a_tie(CAP, "exact"), "cap_correctness"),
        (with_a_tie(STATEMENT, "correct"), "cap_statements"),
    ],
)
def test_lines_tell_of_labels_drawn_in_a_tie_but_need_not_in_0_1_0(
    tmp_path: Path, content: ReleaseContent, folder: str
) -> None:
    release = tmp_path / "made"
    write_release(content, release)
    files = [release / folder / f"{split}.jsonl" for split in SPLITS]
    rows = [row for file in files for row in json_rows(file)]
    assert {row["id"] for row in rows if row["label_source"] == "tie"} == {"b1"}
    assert verify_release(release) == []
    for file in files:
        file.write_text(re.sub(r',"(label_source|system)":"[^"]+"', "", file.read_text()))
    reseal(release, software="tomahto 0.1.0")
    assert verify_release(release) == []
    reseal(release, software="tomahto 0.2.0")
    differences = verify_release(release)
    assert {line.partition(",")[0].partition(":")[0] for line in differences} == {
        f"{folder}/{file.name}" for file in files
    }


def test_in_0_1_0_only_answers_beside_generated_ones_name_a_system(tmp_path: Path) -> None:
    items = [replace(each, intended="exact" if each.id == "c1" else "") for each in CAP.items]
    release = tmp_path / "made"
    write_release(replace(CAP, items=items), release)
    files = [release / f"cap_correctness/{split}.jsonl" for split in SPLITS]
    assert all(row["system"] for file in files for row in json_rows(file))
    for file in files:
        earlier = []
        for row in json_rows(file):
            del row["label_source"]
            intended, system = row.pop("synthetic_label"), row.pop("system")
            earlier.append({**row, "synthetic_label": intended, "system": system})
            if intended:
                earlier[-1]["system"] = ""
        file.write_text("".join(f"{json_text(row)}\n" for row in earlier))
    reseal(release, software="tomahto 0.1.0")
    assert verify_release(release) == []
    reseal(release, software="tomahto 0.2.0")
    assert verify_release(release) != []
