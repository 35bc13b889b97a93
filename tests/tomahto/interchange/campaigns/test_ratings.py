from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.campaigns.ratings import read_ratings
from tomahto.interchange.reading.records import InputError, ItemRow, RatingRow, Source

AE = ("q1", "q2", "q3", "q4")
EQUIVALENT = {"q1": False, "q2": True, "q3": None, "q4": None}


def rating(path: Path, line: int) -> RatingRow:
    return RatingRow(
        source=Source(str(path), line), item=None, item_id="i1", rater="ann", label="equivalent"
    )


def ae_row(candidate: str, *answers: str) -> dict[str, object]:
    questions = {f"question_{number}": answer for number, answer in enumerate(answers, start=1)}
    return {
        "qid": "k",
        "context": "c",
        "question": "q?",
        "reference": "a",
        "candidate": candidate,
        "gold_index": 0,
        "score": 1.0,
        **questions,
    }


def ae_item(path: Path, line: int, candidate: str) -> ItemRow:
    return ItemRow(
        source=Source(str(path), line),
        id=None,
        question_key="k",
        document=None,
        question="q?",
        context="c",
        references=("a",),
        candidate=candidate,
        systems=(),
        reference_index=0,
    )


def test_json_lines_ratings_name_their_item_or_describe_it(write: Write) -> None:
    rows: list[dict[str, object]] = [
        {"id": "i1", "rater": "ann", "label": "equivalent"},
        {"item_id": "i1", "rater": "ann", **EQUIVALENT},
        {
            **ae_row("b"),
            "id": "i9",
            "rater": "ann",
            "label": "equivalent",
            "q1": "no",
            "seconds": 3,
            "comment": "clear",
            "created_at": "2024-02-29T12:00:00+02:00",
            "counted": False,
        },
    ]
    path = write("r.jsonl", rows)
    assert list(read_ratings(path, format="jsonl", question_keys=AE)) == [
        rating(path, 1),
        replace(rating(path, 2), label=None, answers=EQUIVALENT),
        RatingRow(
            source=Source(str(path), 3),
            item=replace(ae_item(path, 3, "b"), id="i9", reference_index=None),
            item_id="i9",
            rater="ann",
            label="equivalent",
            answers={"q1": "no"},
            seconds=3.0,
            comment="clear",
            rated_at=datetime(2024, 2, 29, 10, tzinfo=UTC),
            counted=False,
        ),
    ]


def test_csv_ratings_answer_in_words_and_empty_cells(write: Write) -> None:
    text = (
        "id,question,reference,candidate,rater,label,q1,q2,q3,q4,seconds,counted,created_at\n"
        "i1,,,,ann,equivalent,,,,,,,\n"
        "i1,,,,ann,,No,TRUE,,,1.5,no,2024-02-29\n"
        ",q?,a,b,ann,,1,0,maybe,yes,,1,\n"
    )
    path = write("r.csv", text)
    unasked = dict.fromkeys(AE)
    described = replace(ae_item(path, 4, "b"), question_key=None, context="", reference_index=None)
    assert list(read_ratings(path, format=None, question_keys=AE)) == [
        replace(rating(path, 2), answers=unasked),
        replace(
            rating(path, 3),
            label=None,
            answers=EQUIVALENT,
            seconds=1.5,
            counted=False,
            rated_at=datetime(2024, 2, 29, tzinfo=UTC),
        ),
        replace(
            rating(path, 4),
            item=described,
            item_id=None,
            label=None,
            answers={"q1": True, "q2": False, "q3": "maybe", "q4": True},
            counted=True,
        ),
    ]


def test_csv_label_stays_text_where_it_is_the_question(write: Write) -> None:
    path = write("r.csv", "id,rater,label\ni1,ann,1\n")
    assert list(read_ratings(path, format=None, question_keys=("label",))) == [
        replace(rating(path, 2), label="1", answers={"label": "1"})
    ]


def test_ae_ratings_number_the_raters_of_each_item(write: Write) -> None:
    rows = [
        ae_row("b", "no", "yes", "undefined", "undefined"),
        ae_row("other", "yes", "undefined", "undefined", "undefined"),
        ae_row("b", "no", "no", "yes", "no"),
    ]
    path = write("ae_dev.jsonl", rows)
    assert list(read_ratings(path, format=None, question_keys=AE)) == [
        RatingRow(
            source=Source(str(path), 1),
            item=ae_item(path, 1, "b"),
            item_id=None,
            rater="ae-1",
            label=None,
            answers=EQUIVALENT,
        ),
        RatingRow(
            source=Source(str(path), 2),
            item=ae_item(path, 2, "other"),
            item_id=None,
            rater="ae-1",
            label=None,
            answers={"q1": True, "q2": None, "q3": None, "q4": None},
        ),
        RatingRow(
            source=Source(str(path), 3),
            item=ae_item(path, 3, "b"),
            item_id=None,
            rater="ae-2",
            label=None,
            answers={"q1": False, "q2": False, "q3": True, "q4": False},
        ),
    ]


def test_ae_file_for_another_protocol_is_refused(write: Write) -> None:
    path = write("ae.jsonl", [ae_row("b", "yes", "undefined", "undefined", "undefined")])
    with pytest.raises(InputError) as caught:
        read_ratings(path, format="ae", question_keys=("label",), name="ae.jsonl")
    message = "is in the format ae, but the protocol does not ask q1, q2, q3 and q4"
    assert str(caught.value) == f"ae.jsonl: {message}"


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (("no", "perhaps"), "field question_2: must be yes, no or undefined, not 'perhaps'"),
        (("no", "yes"), "field question_3: is missing"),
    ],
)
def test_ae_answer_of_another_kind_is_refused(
    answers: tuple[str, ...], message: str, write: Write
) -> None:
    path = write("ae.jsonl", [ae_row("b", *answers)])
    with pytest.raises(InputError) as caught:
        list(read_ratings(path, format="ae", question_keys=AE, name="ae.jsonl"))
    assert str(caught.value) == f"ae.jsonl, line 1, {message}"


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024-01-02T03:04:05Z", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2024-01-02T03:04:05.5", datetime(2024, 1, 2, 3, 4, 5, 500_000, tzinfo=UTC)),
        ("2024-01-02 03:04-05:30", datetime(2024, 1, 2, 8, 34, tzinfo=UTC)),
        ("", None),
    ],
)
def test_created_at_is_given_in_utc(text: str, moment: datetime | None, write: Write) -> None:
    row: dict[str, object] = {"id": "i1", "rater": "ann", "label": "x", "created_at": text}
    [read] = read_ratings(write("r.jsonl", [row]), format=None, question_keys=AE)
    assert read.rated_at == moment


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"rater": None}, "field rater: is missing"),
        ({"rater": " "}, "field rater: is empty"),
        (
            {"label": None},
            "field label: is missing: a rating must have a label or answers (q1, q2, q3, q4)",
        ),
        (
            {"label": None, "q1": None},
            "field label: is missing: a rating must have a label or answers (q1, q2, q3, q4)",
        ),
        ({"label": 1}, "field label: must be text, not a number"),
        ({"id": None}, "field id: is missing (or item_id)"),
        ({"question": "q?"}, "field references: is missing (or reference)"),
        ({"q1": {"no": 1}}, "field q1: must be true, false, text, a list or null, not an object"),
        ({"seconds": "3"}, "field seconds: must be a number, not text"),
        ({"seconds": True}, "field seconds: must be a number, not true or false"),
        ({"seconds": 1e10}, "field seconds: must be between 0 and 31,622,400"),
        ({"created_at": "yesterday"}, "field created_at: is not an ISO 8601 date and time"),
        ({"created_at": 1700000000}, "field created_at: must be text, not a number"),
        ({"counted": 1}, "field counted: must be true or false, not a number"),
        (
            {"comment": "a" * 20_001},
            "field comment: has 20,001 characters; at most 20,000 are read",
        ),
    ],
)
def test_wrong_rating_is_refused(fields: dict[str, object], message: str, write: Write) -> None:
    row = {"id": "i1", "rater": "ann", "label": "equivalent", **fields}
    path = write("r.jsonl", [row])
    with pytest.raises(InputError) as caught:
        list(read_ratings(path, format="jsonl", question_keys=AE, name="r.jsonl"))
    assert str(caught.value) == f"r.jsonl, line 1, {message}"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("r.jsonl", '{"id": "i1", "rater": "a", "rules": ["semantic", "aliasing"]}\n'),
        ("r.jsonl", '{"id": "i1", "rater": "a", "rules": "semantic+aliasing"}\n'),
        ("r.csv", 'id,rater,rules\ni1,a,"[""semantic"", ""aliasing""]"\n'),
        ("r.csv", "id,rater,rules\ni1,a,semantic+aliasing\n"),
    ],
)
def test_several_choices_come_as_a_list_or_joined(write: Write, name: str, text: str) -> None:
    (rating,) = read_ratings(write(name, text), format=None, question_keys=("label", "rules"))
    assert rating.answers["rules"] == "semantic+aliasing"


def test_an_empty_list_of_choices_answers_nothing(write: Write) -> None:
    row = {"id": "i1", "rater": "a", "label": "correct", "rules": []}
    (rating,) = read_ratings(write("r.jsonl", [row]), format=None, question_keys=("rules",))
    assert rating.answers == {"rules": None}
