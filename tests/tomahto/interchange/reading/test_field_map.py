from pathlib import Path

import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.campaigns.ratings import read_ratings
from tomahto.interchange.reading.records import InputError
from tomahto.interchange.reading.rows import FieldMap


def test_field_map_is_written_in_pairs() -> None:
    fields = FieldMap.of(["question=data.q", "label=verdict"], ["a=b=right", "no=wrong"], "ann")
    assert fields == FieldMap(
        {"question": "data.q", "label": "verdict"}, {"a=b": "right", "no": "wrong"}, "ann"
    )
    assert (fields.place("label"), fields.place("q1")) == ("verdict", "q1")
    assert (fields.label("a=b"), fields.label("other")) == ("right", "other")


@pytest.mark.parametrize(
    ("places", "labels", "message"),
    [
        (["question"], [], "--map 'question' is not written FIELD=PLACE"),
        (["=data.q"], [], "--map '=data.q' is not written FIELD=PLACE"),
        (["question="], [], "--map 'question=' is not written FIELD=PLACE"),
        ([], ["yes"], "--label 'yes' is not written CHOICE=LABEL"),
        (["question=a", "question=b"], [], "--map names 'question' twice"),
        ([], ["yes=a", "yes=b"], "--label names 'yes' twice"),
    ],
)
def test_field_map_written_otherwise_is_refused(
    places: list[str], labels: list[str], message: str
) -> None:
    with pytest.raises(ValueError, match=r"^--") as caught:
        FieldMap.of(places, labels)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("rater", "message"),
    [("\u200b ", "is empty"), ("a" * 256, "has 256 characters; at most 255 are read")],
)
def test_field_map_names_a_rater(rater: str, message: str) -> None:
    assert FieldMap.of(rater="\u00a0ann ") == FieldMap(rater="ann")
    with pytest.raises(ValueError, match=r"^--rater") as caught:
        FieldMap.of(rater=rater)
    assert str(caught.value) == f"--rater {message}"


def test_field_map_is_for_files_of_other_tools(write: Write) -> None:
    path = write("items.jsonl", [{"question": "q?", "references": ["a"], "candidate": "b"}])
    with pytest.raises(InputError) as caught:
        read_items(path, format=None, name="items.jsonl", fields=FieldMap.of(["question=q"]))
    assert str(caught.value) == (
        "items.jsonl: is read as jsonl; --map, --label and --rater are for label-studio and doccano"
    )


def test_field_map_names_fields_that_there_are(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    path.write_text("[]")
    known = (
        "item_id, document, question_id, question_type, question, context, references,"
        " unrated_references, reference_index, candidate, systems"
    )
    fields = FieldMap.of(["answer=data.a"])
    with pytest.raises(InputError) as caught:
        read_items(path, format="label-studio", name="tasks.json", fields=fields)
    assert str(caught.value) == f"tasks.json: --map 'answer' is not one of the fields {known}"
    with pytest.raises(InputError) as caught:
        read_ratings(
            path, format="doccano", question_keys=("q1",), name="tasks.json", fields=fields
        )
    assert str(caught.value) == (
        f"tasks.json: --map 'answer' is not one of the fields {known}, label, rater, seconds, "
        "created_at, q1"
    )


def test_field_map_has_no_place_for_the_rater_of_label_studio(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    path.write_text("[]")
    fields = FieldMap.of(["rater=data.who"])
    with pytest.raises(InputError) as caught:
        read_ratings(path, format=None, question_keys=("q1",), name="tasks.json", fields=fields)
    assert str(caught.value).endswith("candidate, systems, label, q1")
