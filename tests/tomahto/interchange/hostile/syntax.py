"""JSON that is broken, bottomless, endless, or says one thing twice."""

from tests.tomahto.interchange.hostile.case import (
    DEEP,
    GOOD,
    GOOD_RECORD,
    QUESTION,
    Hostile,
    Refused,
    line,
    paragraph,
    squad,
)

CASES = (
    Hostile(
        "deep-line",
        "questions.jsonl",
        GOOD + DEEP,
        Refused(2, None, "is nested more than 64 deep (character 65)"),
    ),
    Hostile(
        "deep-objects",
        "items.jsonl",
        b'{"a":' * 100_000,
        Refused(1, None, "is nested more than 64 deep (character 321)"),
    ),
    Hostile(
        "deep-document",
        "questions.json",
        b'{"version": ' + DEEP,
        Refused(1, None, "is nested more than 64 deep"),
    ),
    Hostile(
        "deep-article",
        "questions.json",
        b'{"data":\n[{"paragraphs": [\n' + DEEP,
        Refused(3, None, "is nested more than 64 deep"),
    ),
    Hostile(
        "deep-candidate",
        "predictions.json",
        b'{"1": ' + DEEP + b"]" * 100_000 + b"}",
        Refused(1, None, "is nested more than 64 deep"),
    ),
    Hostile(
        "deep-cell",
        "questions.csv",
        b'question,references\na,"[""x"",' + DEEP + b'"\n',
        Refused(2, "references", "is nested more than 64 deep"),
    ),
    Hostile(
        "brackets-in-text",
        "predictions.jsonl",
        line(id="1", candidate="[" * 20_000),
        [("1", "[" * 20_000)],
    ),
    Hostile(
        "nan",
        "ratings.jsonl",
        b'{"id": "7", "rater": "r", "label": "x", "seconds": NaN}',
        Refused(1, None, "NaN is not a JSON number"),
    ),
    Hostile(
        "infinity",
        "ratings.jsonl",
        b'{"id": "7", "rater": "r", "label": "x", "seconds": -Infinity}',
        Refused(1, None, "-Infinity is not a JSON number"),
    ),
    Hostile(
        "overflowing-number",
        "ratings.jsonl",
        b'{"id": "7", "rater": "r", "label": "x", "seconds": 1e999}',
        Refused(1, None, "the number 1e999 is out of range"),
    ),
    Hostile(
        "huge-integer",
        "ratings.jsonl",
        b'{"id": "7", "seconds": ' + b"9" * 1_000_000 + b"}",
        Refused(1, None, "a number of 1,000,000 characters is too long"),
    ),
    Hostile(
        "huge-fraction",
        "items.jsonl",
        b'{"id": 0.' + b"3" * 1_000_000 + b"}",
        Refused(1, None, "a number of 1,000,002 characters is too long"),
    ),
    Hostile(
        "huge-start",
        "questions.json",
        squad(paragraph(QUESTION)).replace(b": 0", b": " + b"1" * 5_000),
        Refused(1, None, "a number of 5,000 characters is too long"),
    ),
    Hostile(
        "nan-csv",
        "ratings.csv",
        b"id,rater,label,seconds\n7,r,x,NaN\n",
        Refused(2, "seconds", "must be a number, not text"),
    ),
    Hostile(
        "duplicate-key",
        "questions.jsonl",
        GOOD + b'{"question": "a", "references": ["x"], "question": "b"}',
        Refused(2, None, "the key 'question' occurs twice in one object"),
    ),
    Hostile(
        "duplicate-key-nested",
        "questions.json",
        b'{"data": [{"paragraphs": [\n{"context": "c", "qas": [{"id": "1", "id": "2"}]}]}]}',
        Refused(2, None, "the key 'id' occurs twice in one object"),
    ),
    Hostile(
        "duplicate-key-top",
        "questions.json",
        b'{"data": [],\n"data": []}',
        Refused(2, None, "the key 'data' is also on line 1"),
    ),
    Hostile(
        "duplicate-prediction",
        "predictions.json",
        b'{"1": "a",\n"2": "b",\n"\\u0031": "c"}',
        Refused(3, None, "the key '1' is also on line 1"),
    ),
    Hostile(
        "duplicate-prediction-lines",
        "predictions.jsonl",
        line(id="1", candidate="a") + line(qid=1, candidate="b"),
        Refused(2, "id", "the question id '1' is also on line 1"),
    ),
    Hostile(
        "duplicate-question",
        "questions.csv",
        b"id,question,reference\n1,a,x\n2,b,y\n1,c,z\n",
        Refused(4, "id", "the id '1' is also on line 2"),
    ),
    Hostile(
        "trailing-comma",
        "predictions.json",
        b'{"1": "a",\n}',
        Refused(2, None, "is not JSON: a key in double quotes was expected"),
    ),
    Hostile(
        "single-quotes",
        "questions.jsonl",
        b"{'question': 'a'}",
        Refused(
            1, None, "is not JSON: Expecting property name enclosed in double quotes (character 2)"
        ),
    ),
    Hostile(
        "two-objects-in-a-line",
        "questions.jsonl",
        GOOD.rstrip() + GOOD,
        Refused(1, None, "is not JSON: Extra data after the value (character 44)"),
    ),
    Hostile(
        "list-of-objects",
        "questions.jsonl",
        b"[" + GOOD.rstrip() + b"]",
        Refused(1, None, "must be a JSON object"),
    ),
    Hostile(
        "cut-in-a-line",
        "questions.jsonl",
        GOOD + GOOD[:16],
        Refused(2, None, "is not JSON: Unterminated string starting at (character 14)"),
    ),
    Hostile(
        "cut-in-a-document",
        "questions.json",
        squad(paragraph(QUESTION))[:60],
        Refused(1, None, "is not JSON: the file ends inside this value"),
    ),
    Hostile(
        "cut-between-values",
        "predictions.json",
        b'{"1": "a"\n',
        Refused(2, None, "is not JSON: ',' or '}' was expected"),
    ),
    Hostile(
        "text-after-the-document",
        "predictions.json",
        b'{"1": "a"}\n{"2": "b"}',
        Refused(2, None, "has more text after the end of the JSON document"),
    ),
    Hostile(
        "raw-tab-in-a-string",
        "predictions.jsonl",
        b'{"id": "1", "candidate": "a\tb"}',
        Refused(1, None, "is not JSON: Invalid control character at (character 28)"),
    ),
    Hostile(
        "lone-carriage-returns",
        "questions.jsonl",
        GOOD.replace(b"\n", b"\r") * 2,
        Refused(1, None, "is not JSON: Extra data after the value (character 44)"),
    ),
    Hostile("carriage-returns", "questions.jsonl", GOOD.replace(b"\n", b"\r\n"), [GOOD_RECORD]),
)
