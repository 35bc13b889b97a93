import json

from tests.exporters.builders import build_dataset
from tests.exporters.format_samples import AE, CAP, texts
from tests.exporters.samples import RATED_AT


def test_doccano_has_a_line_per_counted_rating() -> None:
    lines = "".join(texts(AE, "doccano").values()).splitlines()
    rows = list(map(json.loads, lines))
    assert sorted((row["item_id"], row["rater"], *row["label"]) for row in rows) == [
        ("a1", "r1", "equivalent"),
        ("a1", "r2", "equivalent"),
        ("a1", "r3", "not-equivalent"),
        ("a2", "r1", "not-equivalent"),
        ("b1", "r1", "not-equivalent"),
        ("b1", "r2", "equivalent"),
        ("c1", "r2", "equivalent"),
        ("d1", "r1", "not-equivalent"),
        ("d1", "r2", "not-equivalent"),
        ("d1", "r3", "not-equivalent"),
        ("d1", "r4", "not-equivalent"),
    ]


def test_doccano_line_has_text_and_label_and_our_fields_beside_them() -> None:
    lines = "".join(texts(AE, "doccano").values()).splitlines()
    row = next(row for row in map(json.loads, lines) if row["item_id"] == "a2")
    assert row == {
        "text": (
            "Question: What is qa?\nReference: the city of Paris\nCandidate: in Paris, France\n\n"
            "A passage of A."
        ),
        "item_id": "a2",
        "document": "A",
        "question_id": "qa",
        "question_type": "",
        "question": "What is qa?",
        "context": "A passage of A.",
        "references": ["the city of Paris"],
        "reference_index": 1,
        "candidate": "in Paris, France",
        "systems": ["bidaf", "xlnet"],
        "label": ["not-equivalent"],
        "rater": "r1",
        "q1": "yes",
        "q2": None,
        "q3": None,
        "q4": None,
        "seconds": 2.5,
        "created_at": RATED_AT.isoformat(),
    }
    assert "id" not in row  # doccano's own


def test_doccano_has_each_split_in_its_file() -> None:
    splits = {item.record.id: item.split for item in build_dataset(CAP).items}
    for path, text in texts(CAP, "doccano").items():
        ids = {json.loads(line)["item_id"] for line in text.splitlines()}
        assert ids == {key for key, split in splits.items() if path == f"doccano/{split}.jsonl"}
