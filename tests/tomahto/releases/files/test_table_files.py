import csv
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporters.planned_release import ReleaseContent
from tests.exporters.builders import build_dataset, write_verified
from tests.exporters.rows import table_rows
from tests.exporters.samples import CAP_CONTENT, CONTENT, EQUIVALENT, RATED_AT, item, rating
from tomahto.releases.files.folder import new_folder
from tomahto.releases.files.table_files import write_table
from tomahto.releases.files.tables import ROW_GROUP, Batch, Table, item_table, rating_table
from tomahto.releases.files.text_files import json_rows, spreadsheet_rows
from tomahto.releases.records.columns import Column, Kind
from tomahto.releases.records.records import SplitSpec

pytestmark = pytest.mark.slow


def test_json_lines_of_ratings_have_the_columns_that_imports_read(written: Path) -> None:
    lines = (written / "jsonl/ratings/test.jsonl").read_text().splitlines()
    by_rating = {(row["id"], row["rater"]): row for row in map(json.loads, lines)}
    assert by_rating["a1", "r3"] == {
        "id": "a1",
        "rater": "r3",
        "label": "not-equivalent",
        "q1": False,
        "q2": False,
        "q3": True,
        "q4": False,
        "counted": True,
        "seconds": 2.5,
        "created_at": "2026-03-01T12:30:00.250000+00:00",
        "guideline_version": 2,
        "suggestion_shown": False,
    }
    assert by_rating["a1", "r1"]["q3"] is None


def test_json_lines_of_items_have_labels_and_votes(written: Path) -> None:
    lines = (written / "jsonl/items/test.jsonl").read_text().splitlines()
    assert json.loads(lines[0]) == {
        "id": "a1",
        "document": "A",
        "question_id": "qa",
        "question_type": "",
        "source_split": "",
        "question": "What is qa?",
        "context": "A passage of A.",
        "references": ["Paris"],
        "reference_index": 0,
        "candidate": "in Paris, France",
        "systems": ["bidaf", "xlnet"],
        "label": "equivalent",
        "label_source": "majority",
        "tie": False,
        "tied_labels": [],
        "votes": {"equivalent": 2, "not-equivalent": 1},
        "n_ratings": 3,
        "majority_label": "equivalent",
        "confidence": 0.625,  # (2 + 1/2) / (3 + 1)
        "dawid_skene_label": "equivalent",
        "dawid_skene_confidence": 0.992991,
        "dawid_skene_posterior": {"equivalent": 0.992991, "not-equivalent": 0.007009},
        "adjudicated_label": None,
        "f1": 0.5,
    }


def test_ratings_of_other_protocols_keep_their_answers_as_text() -> None:
    table = rating_table(build_dataset(CAP_CONTENT))
    assert [column.name for column in table.columns[:5]] == [
        "id",
        "rater",
        "label",
        "why",
        "counted",
    ]
    rows = table_rows(table)
    assert sorted((row["id"], row["label"], row["why"]) for row in rows) == [
        ("a1", "exact", "aliasing"),
        ("a2", "partial", "more-details+other"),
        ("b1", "invalid", "yes"),
        ("c1", "exact", "no"),
    ]


def test_parquet_has_the_documented_types(written: Path) -> None:
    votes = pa.struct([("equivalent", pa.int32()), ("not-equivalent", pa.int32())])
    shares = pa.struct([("equivalent", pa.float64()), ("not-equivalent", pa.float64())])
    assert pq.read_schema(written / "items/dev.parquet") == pa.schema(
        {
            "id": pa.string(),
            "document": pa.string(),
            "question_id": pa.string(),
            "question_type": pa.string(),
            "source_split": pa.string(),
            "question": pa.string(),
            "context": pa.string(),
            "references": pa.list_(pa.string()),
            "reference_index": pa.int32(),
            "candidate": pa.string(),
            "systems": pa.list_(pa.string()),
            "label": pa.string(),
            "label_source": pa.string(),
            "tie": pa.bool_(),
            "tied_labels": pa.list_(pa.string()),
            "votes": votes,
            "n_ratings": pa.int32(),
            "majority_label": pa.string(),
            "confidence": pa.float64(),
            "dawid_skene_label": pa.string(),
            "dawid_skene_confidence": pa.float64(),
            "dawid_skene_posterior": shares,
            "adjudicated_label": pa.string(),
            "f1": pa.float64(),
        }
    )
    ratings = pq.read_schema(written / "ratings/dev.parquet")
    assert [ratings.field(f"q{n}").type for n in (1, 2, 3, 4)] == [pa.bool_()] * 4
    assert ratings.field("created_at").type == pa.timestamp("us", "UTC")


def test_parquet_is_written_in_groups_of_fixed_size(tmp_path: Path) -> None:
    size = ROW_GROUP + 1
    content = replace(
        CONTENT,
        items=[item("a", "A", question="qa"), item("b", "B", question="qb")],
        ratings=[rating("a", f"r{n}", EQUIVALENT) for n in range(size)]
        + [rating("b", "r", EQUIVALENT)],
        kept_documents={"A": "test", "B": "dev"},
    )
    with new_folder(tmp_path / "tables") as folder:
        write_table(folder, rating_table(build_dataset(content)))
    metadata = pq.read_metadata(tmp_path / "tables/ratings/test.parquet")
    assert [metadata.row_group(n).num_rows for n in range(2)] == [ROW_GROUP, 1]


def table_of(*columns: Column) -> Table:
    """A table with one label, `a`, whose rows come from elsewhere."""
    return Table("items", columns, ("a",), {}, lambda _split: iter(()))


texts = st.text(max_size=8) | st.sampled_from(["", "\0", "\r", "\n", "\u2028", "'=1", "é\u0301"])


def with_texts(question: str, reference: str, candidate: str, rater: str) -> ReleaseContent:
    """The sample with texts of all sorts in it."""
    strange = replace(
        CONTENT.items[0],
        question=question,
        references=(reference,),
        candidate=candidate,
        context=question + candidate,
    )
    items = [strange, *CONTENT.items[1:]]
    return replace(
        CONTENT, items=items, ratings=[*CONTENT.ratings, rating("a2", rater, EQUIVALENT)]
    )


@settings(max_examples=20)
@given(texts, texts, texts, texts.filter(lambda rater: rater != "r1"))
def test_json_lines_keep_every_text(
    question: str, reference: str, candidate: str, rater: str
) -> None:
    dataset = build_dataset(with_texts(question, reference, candidate, rater))
    table = item_table(dataset)
    batches = [batch for split in table.sizes for batch in table.batches(split)]
    lines = [line for batch in batches for line in json_rows(table, batch)]
    assert all(line.count("\n") == 1 for line in lines)
    read = {row["id"]: row for row in map(json.loads, lines)}["a1"]
    texts = (read["question"], read["references"], read["candidate"], read["context"])
    assert texts == (question, [reference], candidate, question + candidate)


def test_release_with_odd_texts_says_the_same_in_every_format(tmp_path: Path) -> None:
    odd = [
        "",
        "\0",
        "\r\n",
        "\n\n",
        "\t",
        "\u2028\u2029\x85",
        "é\u0301 \U0001f600",
        '"\\',
        "nan",
        "  ",
    ]
    items = [
        replace(
            item(f"i{n}", f"D{n}", question=f"q{n}", reference=text, candidate=text),
            question=text,
            context=text,
        )
        for n, text in enumerate(odd)
    ]
    ratings = [
        rating(each.id, text or "nobody", EQUIVALENT) for each, text in zip(items, odd, strict=True)
    ]
    spec = SplitSpec("document", {"test": 100.0})
    write_verified(replace(CONTENT, items=items, ratings=ratings, spec=spec), tmp_path / "out")
    rows = pq.read_table(tmp_path / "out/items/test.parquet").to_pylist()
    assert [(row["question"], row["references"]) for row in rows] == [
        (text, [text]) for text in odd
    ]


@pytest.mark.parametrize(
    "start", ["=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠"]
)
def test_spreadsheet_rows_neutralise_what_could_be_a_formula(start: str) -> None:
    formula = f"{start}HYPERLINK(1)"
    columns = [
        Column("text", "text", ""),
        Column("list", "texts", ""),
        Column("plain", "label", ""),
    ]
    batch: Batch = {"text": [formula], "list": [[formula]], "plain": [f"a{formula}"]}
    (cells,) = csv.reader(spreadsheet_rows(table_of(*columns), batch))
    assert cells[0] == f"'{formula}"
    assert json.loads(cells[1]) == [formula]
    assert cells[2] == f"a{formula}"


def test_spreadsheet_rows_have_values_as_json_does_and_null_as_nothing() -> None:
    batch: dict[str, list[Any]] = {
        "text": [None, "null"],
        "flag": [True, None],
        "number": [0.1, None],
        "integer": [3, None],
        "votes": [(1,), (0,)],
        "time": [RATED_AT, None],
    }
    kinds: tuple[Kind, ...] = ("text", "flag", "number", "integer", "votes", "time")
    table = table_of(*(Column(kind, kind, "", optional=True) for kind in kinds))
    assert list(spreadsheet_rows(table, batch)) == [
        ',true,0.1,3,"{""a"":1}",2026-03-01T12:30:00.250000+00:00\r\n',
        'null,,,,"{""a"":0}",\r\n',
    ]


def test_csv_has_the_columns_of_json_lines(written: Path) -> None:
    with (written / "csv/ratings/test.csv").open(newline="") as file:
        cells = next(csv.DictReader(file))
    with (written / "jsonl/ratings/test.jsonl").open() as file:
        row = json.loads(file.readline())
    assert list(cells) == list(row)
    assert (cells["q1"], cells["q3"], cells["seconds"]) == ("false", "", "2.5")


def test_csv_neutralises_the_candidate_of_a_release(written: Path) -> None:
    rows: list[dict[str, str]] = []
    for split in ("dev", "test"):
        with (written / f"csv/items/{split}.csv").open(newline="") as file:
            rows += csv.DictReader(file)
    assert {row["id"]: row["candidate"] for row in rows}["b1"] == "'=2+2"
