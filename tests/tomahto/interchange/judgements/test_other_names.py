import json
import time
from pathlib import Path

import pytest

from tomahto.interchange.judgements.pairs import OtherNames, parted, read_other_names
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


def test_the_first_original_line_that_parts_counts(tmp_path: Path) -> None:
    """Of lines of one question; some are there several times, and some end otherwise."""
    expanded: dict[str, object] = {
        "question": QUESTION,
        "reference": ["a", "b", "c"],
        "candidate": ["x", "y"],
    }
    originals = [["c", "b"], ["a", "c"], ["c"], ["b", "c"], ["a", "c"]]
    lines: list[dict[str, object]] = [
        {"question": QUESTION, "reference": names, "candidate": "y"} for names in originals * 2
    ]
    found = read_other_names([write(tmp_path / "all.jsonl", *lines, *[expanded] * 2)])
    assert found == OtherNames((("y", "x"), ("a",), ("c", "b")) * 2, 0)


def test_lines_of_one_question_are_parted_at_once(tmp_path: Path) -> None:
    originals: list[dict[str, object]] = []
    expanded: list[dict[str, object]] = []
    for number in range(4_000):
        names = [f"n{number}", f"m{number}"]
        originals.append({"question": QUESTION, "reference": names, "candidate": "y"})
        other = ["o", names[0], "p", names[1]]
        expanded.append({"question": QUESTION, "reference": other, "candidate": ["x", "y"]})
    path = write(tmp_path / "all.jsonl", *originals, *expanded)
    start = time.process_time()
    found = read_other_names([path])
    assert time.process_time() - start < 2  # quadratic would be four
    assert (len(found.entities), found.unparted) == (12_000, 0)


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
