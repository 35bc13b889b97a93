import pytest

from tomahto.interchange.reading.records import InputError, Source
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.strict_json import decode_line


def row(line: str) -> Row:
    values = decode_line(line)
    assert isinstance(values, dict)
    return Row(Source("a.jsonl", 1), values)


@pytest.mark.parametrize("digits", ["1969", "-5", "3.14", "1.50", "1e3", "0.1000000000000000055"])
def test_a_number_is_the_text_that_it_is_written_as(digits: str) -> None:
    one = row(f'{{"text": {digits}, "texts": ["a", {digits}]}}')
    assert (one.text("text"), one.text_or_empty("text")) == (digits, digits)
    assert (one.texts("texts"), one.texts_or_empty("texts")) == (["a", digits], ["a", digits])
    assert one.texts("text") == [digits]


@pytest.mark.parametrize(
    ("value", "kind"), [("true", "true or false"), ('{"a": 1}', "an object"), ("[1]", "an array")]
)
def test_what_is_no_text_and_no_number_is_refused(value: str, kind: str) -> None:
    one = row(f'{{"text": {value}, "texts": [{value}, null]}}')
    for read, message in (
        (lambda: one.text("text"), f"field text: must be text, not {kind}"),
        (lambda: one.text_or_empty("text"), f"field text: must be text, not {kind}"),
        (lambda: one.name("text"), f"field text: must be text, not {kind}"),
        (lambda: one.texts("texts"), f"field texts[0]: must be text, not {kind}"),
    ):
        with pytest.raises(InputError) as caught:
            read()
        assert str(caught.value) == f"a.jsonl, line 1, {message}"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ('"ann"', "ann"),
        ('"\\u00a0ann\\ufeff "', "ann"),
        ('"Zoe\\u0308"', "Zoë"),
        ("7", "7"),
        ('"\\u200b "', None),
        ("null", None),
    ],
)
def test_names_are_read_in_their_plain_form(value: str, name: str | None) -> None:
    one = row(f'{{"name": {value}, "names": [{value}, "ann"]}}')
    assert one.optional_name("name") == name
    if name is not None:
        assert one.name("name") == name
        assert one.names("name") == [name]
        assert one.names("names") == [*dict.fromkeys((name, "ann"))]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"name": "\\u200b"}', "field name: is empty"),
        ('{"name": ["ann", " "]}', "field name[1]: is empty"),
        ('{"name": 7.0}', "field name: must be text, not a number"),
        ("{}", "field name: is missing"),
    ],
)
def test_a_name_that_nobody_can_read_is_refused(line: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        row(line).names("name")
    assert str(caught.value) == f"a.jsonl, line 1, {message}"


def test_fields_that_are_names_stand_once() -> None:
    one = row('{"scores": {"f1": 1, " bem\\u00a0": 0.5}}')
    assert one.object_by_name("scores").values == {"f1": 1, "bem": 0.5}
    with pytest.raises(InputError) as caught:
        row('{"scores": {"bem": 1, "bem ": 0.5}}').object_by_name("scores")
    assert str(caught.value) == "a.jsonl, line 1, field scores.bem: occurs in two spellings"
