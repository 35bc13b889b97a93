"""`manage.py make_aliases`: from published sets to the table that matchers read."""

import json
from pathlib import Path

from tests.tasks.management.conftest import Manage
from tomahto.matching.aliases import read_alias_table


def write(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_make_aliases_writes_what_matchers_read(manage: Manage, tmp_path: Path) -> None:
    question, out = "Which states?", tmp_path / "aliases.jsonl"
    expanded = write(
        tmp_path / "expanded.jsonl",
        {
            "question": question,
            "reference": ["id", "gem state", "Idaho", "us", "United States"],
            "candidate": ["id", "Indonesia"],
        },
    )
    original = write(
        tmp_path / "original.jsonl",
        {"question": question, "reference": ["Idaho", "United States"], "candidate": "Indonesia"},
    )
    assert manage.json("make_aliases", expanded, original, "--out", out) == {
        "entities": 2,
        "aliases": 2,
        "ambiguous_names": 1,
        "reference_lists_left_out": 0,
        "path": str(out),
    }
    table = read_alias_table(out)
    assert table.expand("the Gem State") == ("the Gem State", "Idaho")
    assert table.expand("US") == ("US", "United States")
    assert table.expand("id") == ("id",)


def test_make_aliases_writes_nothing_where_nothing_has_another_name(
    manage: Manage, tmp_path: Path
) -> None:
    table, out = write(tmp_path / "in.jsonl", {"name": "x", "aliases": []}), tmp_path / "out"
    manage("make_aliases", table, "--out", out, code=1)
    assert manage.stderr == "CommandError: the files contain no aliases\n"
    assert not out.exists()
