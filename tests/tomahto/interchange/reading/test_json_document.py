import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tomahto.interchange.reading.json_values import VALUES
from tomahto.interchange.campaigns.predictions import read_predictions
from tomahto.interchange.reading import records
from tomahto.interchange.reading.input_file import InputFile, TextStream
from tomahto.interchange.reading.records import InputError
from tomahto.interchange.reading.strict_json import JsonDocument

FILE = InputFile(Path("d.json"), "d.json")


class TrickleStream(TextStream):
    """Gives a few characters at a time, so that most values are cut."""

    def read(self, size: int) -> str:
        return super().read(min(size, 7))


def document(text: str) -> JsonDocument:
    return JsonDocument(FILE, TrickleStream(FILE, io.BytesIO(text.encode())))


@settings(deadline=None)  # a machine under load takes its time
@given(
    st.dictionaries(st.text(), st.lists(VALUES, max_size=4), max_size=4),
    st.sampled_from([None, 0, 2]),
)
def test_document_walks_to_the_values_json_wrote(
    value: dict[str, list[object]], indent: int | None
) -> None:
    walked = document(json.dumps(value, indent=indent) + "\n")
    read = {key: [walked.value() for _ in walked.elements()] for key in walked.members()}
    walked.finish()
    assert read == value


def test_document_knows_the_line_of_every_value() -> None:
    walked = document('\n{"a":\n\n[1,\n"\\n",{\n}],"b":2}\n')
    lines = []
    for key in walked.members():
        if key == "a":
            for place in walked.elements():
                lines.append((f"a[{place}]", walked.source.line))
                walked.value()
        else:
            lines.append((key, walked.source.line))
            walked.value()
    assert lines == [("a[0]", 4), ("a[1]", 5), ("a[2]", 5), ("b", 6)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "d.json, line 1: an object was expected here"),
        ("[]", "d.json, line 1: an object was expected here"),
        ('{"a" 1}', "d.json, line 1: ':' was expected here"),
        ('{"a":\n\n1 2}', "d.json, line 3: is not JSON: ',' or '}' was expected"),
        ('{"a": 1,\n2}', "d.json, line 2: is not JSON: a key in double quotes was expected"),
        ('{"a": tru}', "d.json, line 1: is not JSON: Expecting value"),
        ('{"a":\n{"b":\nnope}}', "d.json, line 3: is not JSON: Expecting value"),
        ('{"a": "b', "d.json, line 1: is not JSON: the file ends inside this value"),
        ('{"a": "b\n"}', "d.json, line 1: is not JSON: Invalid control character at"),
        ('{"a": 1}\n\n}', "d.json, line 3: has more text after the end of the JSON document"),
    ],
)
def test_document_tells_the_line_where_it_is_broken(text: str, message: str) -> None:
    walked = document(text)
    with pytest.raises(InputError) as caught:  # noqa: PT012 -- the walk as a whole is refused
        for _ in walked.members():
            walked.value()
        walked.finish()
    assert str(caught.value) == message


def test_document_refuses_more_keys_than_memory_may_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MAX_KEYS", 2)
    path = tmp_path / "p.json"
    path.write_text('{"1": "a",\n"2": "b",\n"3": "c"}')
    with pytest.raises(InputError) as caught:
        list(read_predictions(path, format=None, name="p.json"))
    assert str(caught.value) == "p.json, line 3: the key is one too many: 2 are read"
