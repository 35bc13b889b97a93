"""A line of a table's file is taken as it was written, or refused in one line that names the
field."""

import json
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model
from django_otp.plugins.otp_totp.models import TOTPDevice

from tasks.backup.reading import row_reader
from tasks.backup.tables import columns_of, fields_of, lines_of
from tasks.models import (
    Campaign,
    Event,
    Job,
    Look,
    Membership,
    Question,
    Rating,
    Release,
    SubmissionScore,
    User,
    Webhook,
)

NOW = "2026-01-02T03:04:05.000006+00:00"
BEYOND = str(2**63)
LONG = "9" * 5000
ANY: dict[type[Model], dict[str, str]] = {
    Campaign: {"slug": '"rivers"', "protocol": '"ae"', "overlap": "3", "lease_minutes": "30"}
    | dict.fromkeys(["calibration_pass_percent", "calibration_attempts"], "3")
    | {"suggestions": '"hidden"', "exact_rule": '"squad"', "state": '"open"'}
    | {
        "item_order": '"random"',
        "completion_url": '""',
        "form_languages": '"de"',
        "language": '"ar"',
    },
    Event: {"kind": '"job.done"', "uid": '"00000000-0000-4000-8000-000000000000"'},
    Job: {"kind": '"train"', "state": '"done"', "not_before": f'"{NOW}"'},
    Look: {"level": "1.0", "findings": '"{}"'},
    Membership: {"role": '"rater"', "pseudonym": '"r-abcdefghij"'},
    Question: {"references": '["so"]', "answer_starts": "[null,3]"},
    Rating: {"suggestion_arm": '""', "suggestion_policy": '""', "seconds": "1.5"}
    | {"outcome_id": '"ae:x"', "wording": '"de-1"'},
    Release: {"version": '"1.0.0"', "path": '"releases:rivers/1.0.0"'},
    SubmissionScore: {"scores": '"AAE="'},
    TOTPDevice: {"key": '"00"', "step": "30", "digits": "6"},
    User: {"username": '"oak"', "email": '"oak@there"', "message_mails": '"none"'},
    Webhook: {"url": '"https://hooks.example/"', "events": '["rating.stored"]'},
}
"""Values of tables, as JSON, that have rules of their own."""
KINDS = {
    **dict.fromkeys(["DateTimeField"], f'"{NOW}"'),
    **dict.fromkeys(["CharField", "TextField", "URLField", "EmailField"], '"x"'),
    "JSONField": '{"a":[1,2.5]}',
    "BooleanField": "true",
}


def line_of(model: type[Model], **changed: str) -> bytes:
    """A line that is right, but for these values as JSON."""
    fields = fields_of(model, columns_of(model))
    of_kind = {str(each.column): KINDS.get(type(each).__name__, "1") for each in fields}
    return f"[{','.join((of_kind | ANY[model] | changed).values())}]\n".encode()


def read(model: type[Model], line: bytes) -> list[Any]:
    return row_reader(fields_of(model, columns_of(model)), connection)(line)


def said_of(model: type[Model], line: bytes) -> str:
    with pytest.raises(ValueError, match=r".") as refused:
        read(model, line)
    message = str(refused.value)
    assert message.isprintable()
    assert len(message) < 400
    return message


@pytest.mark.parametrize("model", ANY)
def test_row_as_it_was_written_is_taken(model: type[Model]) -> None:
    fields = fields_of(model, columns_of(model))
    line = line_of(model)
    assert len(read(model, line)) == len(fields)
    values = [each.to_python(value) for each, value in zip(fields, json.loads(line), strict=True)]
    if model not in (Release, SubmissionScore):  # a place, and octets, are written in a way
        assert next(lines_of(fields, [values])) == line


@pytest.mark.parametrize(
    ("model", "column", "value"),
    [
        (Campaign, "title", '""'),  # a form asks for one, a row need not have it
        (Campaign, "title", '"<b> | \\u0001 \\\\u0000 \U0001f34b"'),
        (Campaign, "completion_url", '""'),
        (Campaign, "rater_quota", "null"),
        (User, "email", '""'),
        (User, "username", '"Ünal"'),
        (Rating, "suggestion_policy", '"hidden"'),
        (Job, "result", "null"),
        (Question, "answer_starts", "[1e-07,10000000000000000000000000000000,-1.5]"),
        (Release, "path", '"s3://bucket/rivers"'),
        (Webhook, "url", '""'),
    ],
)
def test_value_that_a_site_may_have_is_taken(model: type[Model], column: str, value: str) -> None:
    assert read(model, line_of(model, **{column: value}))


@pytest.mark.parametrize(
    ("model", "column", "value", "said"),
    [
        # numbers
        (Campaign, "overlap", BEYOND, "less than or equal to"),
        (Campaign, "overlap", "-1", "greater than or equal to"),
        (Campaign, "overlap", "101", "less than or equal to 100"),
        (Campaign, "seed", "-1", "greater than or equal to 0"),
        (Campaign, "seed", BEYOND, "less than or equal to"),
        (Campaign, "created_by_id", BEYOND, "less than or equal to"),
        (Campaign, "id", f"-{BEYOND}0", "greater than or equal to"),
        (Campaign, "id", "0", "greater than or equal to 1"),
        (Campaign, "id", "1.5", "found where a backup has 1"),
        (Campaign, "overlap", '"3"', "found where a backup has 3"),
        (Campaign, "overlap", "true", "found where a backup has 1"),
        (Campaign, "overlap", LONG, "5000 digits"),
        (Campaign, "overlap", "[3]", "must be an integer"),
        (Campaign, "overlap", '"many"', "must be an integer"),
        (Rating, "seconds", "NaN", "NaN is not a JSON number"),
        (Rating, "seconds", "-Infinity", "-Infinity is not a JSON number"),
        (Rating, "seconds", "1e999", "found where a backup has Infinity"),
        (Rating, "seconds", "1", "found where a backup has 1.0"),
        (Rating, "seconds", f"1{'0' * 400}", "is not a value of this column"),
        (Rating, "seconds", "{}", "must be a float"),
        # truth and time
        (Campaign, "shows_differences", '"true"', "must be either True or False"),
        (Campaign, "form_languages", '"de tlh"', "the form does not exist in 'tlh'"),
        (Rating, "wording", '"de-99"', "the form has no wording named 'de-99'"),
        (Campaign, "shows_differences", "1", "found where a backup has true"),
        (Job, "created_at", '"2026-13-45T00:00:00+00:00"', "invalid"),
        (Job, "created_at", '"0001-01-01T00:00:00+05:00"', "is not a value of this column"),
        (Job, "created_at", f'"{NOW[:-6]}"', "is not a value of this column"),
        (Job, "created_at", '"2026-01-02T05:04:05.000006+02:00"', "found where a backup has"),
        (Job, "created_at", '""', "invalid format"),
        (Job, "created_at", "5", "5 is not a value of this column"),
        # texts
        (Campaign, "title", f'"{"x" * 201}"', "at most 200 characters (it has 201)"),
        (Campaign, "title", '"a\\u0000"', "has a NUL character"),
        (Campaign, "title", '"\\ud800"', "has half of a pair of surrogates"),
        (Campaign, "title", '"\\u0041"', "found where a backup has"),
        (Campaign, "title", '["x"]', "found where a backup has"),
        (Campaign, "title", "5", "found where a backup has"),
        (Campaign, "title", "null", "is null"),
        (Event, "uid", '"1"', "is not a valid UUID"),
        (Event, "uid", f'"{"A" * 32}"', "found where a backup has"),
        (SubmissionScore, "scores", '"§"', "is not a value of this column"),
        # JSON
        (Job, "parameters", "null", "is null"),
        *((Job, "parameters", wrong, "is not an object") for wrong in ("5", "[null]", '"x"')),
        *((Question, "references", wrong, "is not a list") for wrong in ("5", "[1]", '{"a":1}')),
        (Question, "answer_starts", '"x"', "is not a list"),
        *((Look, "findings", wrong, "is not JSON") for wrong in ('"x"', '"{"')),
        (Look, "findings", '"[1]"', "is not an object"),
        (TOTPDevice, "step", "0", "1"),
        (TOTPDevice, "tolerance", "11", "10"),
        (TOTPDevice, "throttling_failure_count", "2147483647", "30"),
        (Job, "parameters", '{"a":1,"a":1}', "found where a backup has"),
        (Job, "parameters", '{"b":1,"a":1}', "found where a backup has"),
        (Job, "parameters", '{"a":"\\u0000"}', "has a NUL character"),
        (Job, "parameters", '{"\\u0000":[]}', "has a NUL character"),
        (Job, "parameters", '{"a":"\\udfff"}', "has half of a pair of surrogates"),
        (Job, "parameters", '{"a":1e999}', "has a number out of range"),
        (Job, "parameters", f'{{"a":{LONG}}}', "5000 digits"),
        (Job, "parameters", "[" * 100_000, "is nested too deep"),
        (Job, "parameters", '{"a":' * 800 + "1" + "}" * 800, "is nested too deep"),
        (Job, "parameters", "{]", "is not JSON"),
        # rules of forms
        (Campaign, "slug", '"../../x"', "lower-case letters, digits and single hyphens"),
        (Campaign, "slug", '""', "lower-case letters"),
        (Campaign, "slug", '"rivers\\n"', "lower-case letters"),
        (Campaign, "protocol", '"none"', "no protocol 'none'"),
        (Campaign, "state", '"shut"', "'shut' is not one of 'open', 'paused'"),
        (Campaign, "state", '""', "'' is not one of"),
        (Campaign, "completion_url", '"javascript:alert(1)"', "Enter a valid URL"),
        (Webhook, "url", '"ftp://x"', "Enter a valid URL"),
        (User, "username", '"a b"', "Enter a valid username"),
        (User, "email", '"a@b.c\\nBcc: d@e.f"', "is not an e-mail address"),
        (Membership, "pseudonym", '"../x"', "is not a pseudonym"),
        (Membership, "pseudonym", '""', "is not a pseudonym"),
        (Release, "version", '"../../x"', "is not three numbers like 1.0.0"),
        (Release, "version", '"1.0.0\\n"', "is not three numbers"),
        (Release, "version", '""', "is not three numbers"),
        (Release, "path", "5", "5 is not a value of this column"),
    ],
)  # fmt: skip
def test_value_that_no_site_has_is_refused_by_the_name_of_its_field(
    model: type[Model], column: str, value: str, said: str
) -> None:
    message = said_of(model, line_of(model, **{column: value}))
    assert message.startswith(f"field {column}: ")
    assert said in message


def test_huge_value_is_named_in_a_line_that_people_read() -> None:
    for value in ('"' + "x\\n" * 1_000_000 + '"', "[" + "1," * 1_000_000 + "1]"):
        assert said_of(Campaign, line_of(Campaign, title=value)).startswith("field title: ")
        assert said_of(Campaign, line_of(Campaign, created_at=value)).startswith("field created_at")


def test_text_that_is_not_utf8_is_named() -> None:
    line = line_of(Campaign, title='"x?"').replace(b"x?", b"x\xff")
    assert said_of(Campaign, line) == "field title: is not UTF-8"
    assert said_of(Campaign, line_of(Campaign).decode().encode("utf-16")) == "is not UTF-8"


def test_line_that_is_no_row_is_refused() -> None:
    line = line_of(Campaign)
    width = len(columns_of(Campaign))
    lines = {
        b"\n": "is not JSON: Expecting value",
        b"{}\n": "is not a list of values",
        b"[1]\n": f"has 1 values for {width} columns",
        line.replace(b"]\n", b",1]\n"): f"has {width + 1} values for {width} columns",
        line[:-1]: "does not end like a line of a backup",
        line.replace(b"[", b"[ "): "field id: 1,",
        b"\xef\xbb\xbf" + line: "is not JSON: Unexpected UTF-8 BOM (decode using utf-8-sig)",
    }
    for odd, said in lines.items():
        assert said_of(Campaign, odd).startswith(said), odd
