import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from exporters.release import write_release
from tests.exporters.samples import CAP_CONTENT


def ae_rows(folder: Path) -> Iterator[dict[str, Any]]:
    for split in ("dev", "test"):
        with (folder / f"ae/{split}.jsonl").open() as lines:
            yield from map(json.loads, lines)


def test_ae_format_has_one_line_per_counted_rating(written: Path) -> None:
    # a1 three, a2 one, b1 two, c1 one (its other rating is surplus), d1 four.
    questions = [row["qid"] for row in ae_rows(written)]
    assert sorted(questions) == ["qa"] * 4 + ["qb"] * 2 + ["qc"] + ["qd"] * 4


def test_ae_format_has_the_public_fields(written: Path) -> None:
    rows = [row for row in ae_rows(written) if row["reference"] == "Paris"]
    common = {
        "qid": "qa",
        "context": "A passage of A.",
        "question": "What is qa?",
        "reference": "Paris",
        "candidate": "in Paris, France",
        "gold_index": 0,
        "score": 2 / 3,  # two of three raters say equivalent
    }
    equivalent = {
        "question_1": "no",
        "question_2": "yes",
        "question_3": "undefined",
        "question_4": "undefined",
    }
    less = {"question_1": "no", "question_2": "no", "question_3": "yes", "question_4": "no"}
    assert rows == [common | equivalent, common | equivalent, common | less]


def test_ae_format_belongs_to_protocol_ae_alone(tmp_path: Path) -> None:
    write_release(CAP_CONTENT, tmp_path / "cap")
    assert not (tmp_path / "cap/ae").exists()
