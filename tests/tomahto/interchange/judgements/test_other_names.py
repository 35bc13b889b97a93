import json
from pathlib import Path

import pytest

from tomahto.interchange.judgements.other_names import OtherNames, parted, read_other_names
from tomahto.interchange.reading.records import InputError

QUESTION = "Which metal did they use?"


def write(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_expanded_lines_are_parted_by_the_original_ones(tmp_path: Path) -> None:
    expanded = write(
        tmp_path / "expanded.jsonl",
        {
            "question": QUESTION,
            "reference": ["sn", "tin metal", "Tin", "zn", "spelter", "Zinc"],
            "candidate": ["stannum", "tin"],
        },
    )
    original = write(
        tmp_path / "original.jsonl",
        {"question": QUESTION, "reference": ["Tin", "Zinc"], "candidate": "tin"},
    )
    assert read_other_names([expanded, original]) == OtherNames(
        (("tin", "stannum"), ("Tin", "sn", "tin metal"), ("Zinc", "zn", "spelter")), 0
    )


def test_references_that_no_original_line_parts_are_counted(tmp_path: Path) -> None:
    references, candidate = ["sn", "Tin"], ["stannum", "tin"]
    expanded = write(
        tmp_path / "expanded.jsonl",
        {"question": QUESTION, "reference": references, "candidate": candidate},
        {"question": "Which other?", "reference": ["Tin"], "candidate": ["tin"]},
    )
    original = write(
        tmp_path / "original.jsonl",
        {"question": QUESTION, "reference": ["Zinc"], "candidate": "tin"},
    )
    assert read_other_names([original, expanded]) == OtherNames((("tin", "stannum"), ("tin",)), 1)


def test_tables_are_entities(tmp_path: Path) -> None:
    table = write(tmp_path / "aliases.jsonl", {"name": "Tin", "aliases": ["stannum", "Sn"]})
    assert read_other_names([table]) == OtherNames((("Tin", "stannum", "Sn"),), 0)


def test_names_are_parted_from_the_end() -> None:
    names = ["sn", "tin", "stannum", "tin", "zinc"]
    assert parted(names, ["tin", "zinc"]) == (("tin", "sn", "tin", "stannum"), ("zinc",))
    assert parted(names, ["zinc", "zinc"]) is None
    assert parted(names, ["tin"]) is None
    assert parted(["tin"], ["zinc", "tin"]) is None


def test_wrong_line_is_named(tmp_path: Path) -> None:
    table = write(tmp_path / "aliases.jsonl", {"name": "Tin", "aliases": "Sn"})
    with pytest.raises(
        InputError, match=r"aliases\.jsonl, line 1, field aliases: must be an array"
    ):
        read_other_names([table])
