"""Exports of Label Studio that somebody has broken, or made to break us."""

import json

from tests.tomahto.interchange.hostile.case import Hostile, Refused

DATA = {"question": "q?", "references": ["a"], "candidate": "b"}
GOOD = json.dumps({"data": DATA}).encode()


def labelled(**fields: object) -> bytes:
    """An array of one task with one annotation."""
    result = {"from_name": "label", "type": "choices", "value": {"choices": ["equivalent"]}}
    annotation = {"completed_by": 1, "result": [result], **fields}
    return json.dumps([{"data": DATA, "annotations": [annotation]}]).encode()


CASES = (
    Hostile("task", "items.json", b"[" + GOOD + b"]", [("q?", ("a",), "b")]),
    Hostile(
        "tasks-cut",
        "items.json",
        b"[" + GOOD,
        Refused(1, None, "is not JSON: ',' or ']' was expected"),
    ),
    Hostile(
        "task-cut",
        "items.json",
        b"[" + GOOD[:-2],
        Refused(1, None, "is not JSON: the file ends inside this value"),
    ),
    Hostile(
        "task-deep",
        "items.json",
        b"[\n" + b'{"data": ' * 100_000,
        Refused(2, None, "is nested more than 64 deep"),
    ),
    Hostile(
        "task-twice-the-key",
        "items.json",
        b'[{"data": {"question": "q?", "question": "r?"}}]',
        Refused(1, None, "the key 'question' occurs twice in one object"),
    ),
    Hostile(
        "task-nul",
        "items.json",
        json.dumps([{"data": {**DATA, "question": "a\0b"}}]).encode(),
        Refused(1, "[0].data.question", "holds a NUL character"),
    ),
    Hostile(
        "annotation-nan",
        "ratings.json",
        labelled(lead_time=float("nan")),
        Refused(1, None, "NaN is not a JSON number"),
    ),
    Hostile(
        "annotation-endless",
        "ratings.json",
        labelled(lead_time=1e300),
        Refused(1, "[0].annotations[0].lead_time", "must be between 0 and 31,622,400"),
    ),
    Hostile(
        "annotation-of-nobody",
        "ratings.json",
        labelled(completed_by="x" * 256),
        Refused(
            1,
            "[0].annotations[0].completed_by",
            "has 256 characters; at most 255 are read",
        ),
    ),
    Hostile(
        "annotation-good",
        "ratings.json",
        labelled(),
        [("label-studio-1", "equivalent", {})],
    ),
)
