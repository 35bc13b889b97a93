import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.releases.files.text_files import fragments, json_lines, json_text
from tomahto.releases.records.columns import Kind

times = st.datetimes(timezones=st.just(UTC)) | st.sampled_from(
    [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)]
)
VALUES: dict[Kind, st.SearchStrategy[Any]] = {
    "text": st.text(max_size=3),
    "label": st.sampled_from(["exact", '"', "%s", "\u2028"]),
    "texts": st.lists(st.text(max_size=3), max_size=3),
    "flag": st.booleans(),
    "integer": st.integers(),
    "number": st.floats(allow_nan=False, allow_infinity=False),
}


@pytest.mark.parametrize("kind", VALUES)
@given(data=st.data())
def test_fragments_are_what_a_json_encoder_writes(kind: Kind, data: st.DataObject) -> None:
    values = data.draw(st.lists(st.none() | VALUES[kind]))
    assert list(fragments(kind, values)) == [json_text(value) for value in values]


@given(st.lists(st.none() | times))
def test_fragments_of_times_are_in_iso_format(values: list[datetime | None]) -> None:
    expected = [json_text(value.isoformat()) if value else "null" for value in values]
    assert list(fragments("time", values)) == expected


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1))))
def test_fragments_for_each_label_are_objects(values: list[tuple[float, float]]) -> None:
    labels = ('5 % "é"', "%s")
    expected = [json_text(dict(zip(labels, value, strict=True))) for value in values]
    assert list(fragments("shares", values, labels)) == expected


def test_json_lines_join_columns_in_their_order() -> None:
    columns = {"b": ["1", "null"], '5 % "a"': ['"x"', '"y"']}
    lines = list(json_lines(columns))
    assert lines == ['{"b":1,"5 % \\"a\\"":"x"}\n', '{"b":null,"5 % \\"a\\"":"y"}\n']
    assert [json.loads(line) for line in lines] == [
        {"b": 1, '5 % "a"': "x"},
        {"b": None, '5 % "a"': "y"},
    ]
