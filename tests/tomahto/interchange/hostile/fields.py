"""Records that are sound JSON with values nobody may store."""

from tests.tomahto.interchange.hostile.case import (
    ANSWER,
    QUESTION,
    RATING,
    Hostile,
    Refused,
    line,
    paragraph,
    squad,
)

CASES = (
    Hostile(
        "long-question",
        "questions.jsonl",
        line(question="a" * 20_001, references=["x"]),
        Refused(1, "question", "has 20,001 characters; at most 20,000 are read"),
    ),
    Hostile(
        "long-context",
        "questions.jsonl",
        line(question="a", references=["x"], context="c" * 1_000_001),
        Refused(1, "context", "has 1,000,001 characters; at most 1,000,000 are read"),
    ),
    Hostile(
        "long-id",
        "questions.jsonl",
        line(id="i" * 256, question="a", references=["x"]),
        Refused(1, "id", "has 256 characters; at most 255 are read"),
    ),
    Hostile(
        "long-key",
        "predictions.json",
        line(**{"k" * 256: "a"}),
        Refused(1, None, "has a key of more than 255 characters"),
    ),
    Hostile(
        "many-references",
        "questions.jsonl",
        line(question="a", references=["x"] * 10_001),
        Refused(1, "references", "has 10,001 entries; at most 10,000 are read"),
    ),
    Hostile(
        "crowded-line",
        "questions.jsonl",
        b'{"question": [' + b"0," * 500_000 + b"0]}",
        Refused(1, None, "holds more than 500,000 values in one record (character 1000012)"),
    ),
    Hostile(
        "object-as-question",
        "questions.jsonl",
        line(question={"$ne": None}, references=["x"]),
        Refused(1, "question", "must be text, not an object"),
    ),
    Hostile(
        "object-as-id",
        "items.jsonl",
        line(id=["1"], question="a", reference="x", candidate="c"),
        Refused(1, "id", "must be text, not an array"),
    ),
    Hostile(
        "flag-as-id",
        "predictions.jsonl",
        line(id=True, candidate="c"),
        Refused(1, "id", "must be text, not true or false"),
    ),
    Hostile(
        "id-longer-in-its-plain-form",
        "predictions.jsonl",
        line(id="\u0958" * 200, candidate="c"),
        Refused(1, "id", "has 400 characters; at most 255 are read"),
    ),
    Hostile(
        "invisible-id",
        "predictions.jsonl",
        line(id="\u200b", candidate="c"),
        Refused(1, "id", "is empty"),
    ),
    Hostile(
        "null-question",
        "questions.jsonl",
        line(question=None, references=["x"]),
        Refused(1, "question", "is missing"),
    ),
    Hostile(
        "blank-question",
        "questions.jsonl",
        line(question="\u3000\t", references=["x"]),
        Refused(1, "question", "is empty"),
    ),
    Hostile(
        "flag-as-reference",
        "questions.jsonl",
        line(question="a", references=["x", True]),
        Refused(1, "references[1]", "must be text, not true or false"),
    ),
    Hostile(
        "empty-reference",
        "items.jsonl",
        line(question="a", references=["x", ""], candidate="c"),
        Refused(1, "references[1]", "is empty"),
    ),
    Hostile(
        "starts-of-another-question",
        "questions.jsonl",
        line(question="a", references=["x"], answer_starts=[1, 2]),
        Refused(1, "answer_starts", "has 2 entries for 1 references"),
    ),
    Hostile(
        "text-as-start",
        "questions.json",
        squad(paragraph({**QUESTION, "answers": [{**ANSWER, "answer_start": "0"}]})),
        Refused(
            1,
            "data[0].paragraphs[0].qas[0].answers[0].answer_start",
            "must be a whole number, without quotes or point",
        ),
    ),
    Hostile(
        "answers-as-text",
        "questions.json",
        squad(paragraph(), paragraph(QUESTION, {**QUESTION, "answers": "Paris"})),
        Refused(1, "data[0].paragraphs[1].qas[1].answers", "must be an array, not text"),
    ),
    Hostile(
        "null-candidate",
        "predictions.json",
        b'{"1": null}',
        Refused(1, "1.candidate", "is missing"),
    ),
    Hostile(
        "negative-seconds",
        "ratings.jsonl",
        line(**RATING, seconds=-0.5),
        Refused(1, "seconds", "must be between 0 and 31,622,400"),
    ),
    Hostile(
        "date-out-of-range",
        "ratings.jsonl",
        line(**RATING, created_at="0001-01-01T00:00:00+23:59"),
        Refused(1, "created_at", "is not an ISO 8601 date and time"),
    ),
    Hostile(
        "negative-index",
        "items.jsonl",
        line(qid="1", question="a", reference="x", candidate="c", gold_index=-1, question_1="no"),
        Refused(1, "gold_index", "must be between 0 and 32,767"),
    ),
)
