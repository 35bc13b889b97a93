"""Names and ids are in one spelling, in whatever file, field and format they come."""

import json
from collections.abc import Callable, Iterable
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.campaigns.predictions import read_predictions, read_submission
from tomahto.interchange.campaigns.questions import read_answers, read_questions
from tomahto.interchange.campaigns.ratings import read_adjudications, read_ratings, read_suggestions
from tomahto.interchange.formats.cap import cap_systems
from tomahto.interchange.judgements.evaluation import read_judged_rows
from tomahto.interchange.judgements.labels import read_labelled_scores
from tomahto.interchange.judgements.published import read_item_scores
from tomahto.interchange.judgements.squad import read_no_answer_probabilities, read_squad_gold
from tomahto.interchange.reading.records import InputError, Source
from tomahto.interchange.reading.row import Row

ODD, PLAIN = "\ufeffZoe\u0308\u00a0", "Zoë"
ITEM = {"question": "q?", "references": ["a"], "candidate": "b"}
TASK = {
    "data": {**ITEM, "item_id": ODD, "systems": [ODD], "document": ODD, "question_id": ODD},
    "annotations": [
        {
            "result": [
                {"from_name": "label", "type": "choices", "value": {"choices": ["equivalent"]}},
                {"from_name": "rater", "type": "textarea", "value": {"text": [ODD]}},
            ]
        }
    ],
}
AE = {"qid": ODD, "question": "q?", "reference": "a", "candidate": "b"}
AE_ANSWERS = {f"question_{n}": "yes" if n == 1 else "undefined" for n in range(1, 5)}
SQUAD = {"id": ODD, "question": "q?", "answers": [{"text": "a"}]}


def lines(*rows: object) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def names(*fields: str) -> Callable[[Any], object]:
    return attrgetter(*fields)


def ratings(path: Path) -> Iterable[object]:
    return read_ratings(path, format=None, question_keys=("q1", "q2", "q3", "q4"))


def doccano(path: Path) -> Iterable[object]:
    return read_ratings(path, format="doccano", question_keys=())


def decisions(path: Path) -> Iterable[object]:
    return read_adjudications(path, format=None, question_keys=())


def found(read: Callable[..., Iterable[object]]) -> Callable[[Path], Iterable[object]]:
    return lambda path: read(path, format=None)


@pytest.mark.parametrize(
    ("name", "content", "read", "of", "expected"),
    [
        (
            "r.jsonl",
            lines({"item_id": ODD, "rater": ODD, "label": "equivalent"}),
            ratings,
            names("item_id", "rater"),
            (PLAIN, PLAIN),
        ),
        (
            "r.csv",
            f"item_id,rater,label\n{ODD},{ODD},equivalent\n",
            ratings,
            names("item_id", "rater"),
            (PLAIN, PLAIN),
        ),
        (
            "tasks.json",
            json.dumps([TASK]),
            ratings,
            names(
                "rater", "item_id", "item.systems", "item.document", "item.question_key", "item.id"
            ),
            (PLAIN, PLAIN, (PLAIN,), PLAIN, PLAIN, PLAIN),
        ),
        (
            "d.jsonl",
            lines({**ITEM, "label": ["equivalent"], "username": ODD}),
            doccano,
            names("rater"),
            PLAIN,
        ),
        ("ae.jsonl", lines({**AE, **AE_ANSWERS}), ratings, names("item.question_key"), PLAIN),
        (
            "i.csv",
            f"id,qid,document,question,reference,candidate,system\n{ODD},{ODD},{ODD},q?,a,b,{ODD}\n",
            found(read_items),
            names("id", "question_key", "document", "systems"),
            (PLAIN, PLAIN, PLAIN, (PLAIN,)),
        ),
        (
            "c.jsonl",
            lines(
                {
                    "id": ODD,
                    "question": "q?",
                    "gold_answer": "a",
                    "candidate_answer": "b",
                    "other_gold_answers": [],
                    "system": f"{ODD}+x",
                    "source": ODD,
                }
            ),
            found(read_items),
            names("id", "document", "systems"),
            (PLAIN, PLAIN, (PLAIN, "x")),
        ),
        (
            "q.json",
            json.dumps(
                {"data": [{"title": ODD, "paragraphs": [{"context": "c", "qas": [SQUAD]}]}]}
            ),
            found(read_questions),
            names("key", "document"),
            (PLAIN, PLAIN),
        ),
        ("p.json", json.dumps({ODD: "b"}), found(read_predictions), names("question_key"), PLAIN),
        (
            "n.jsonl",
            lines({"id": ODD, "answers": [{"text": "b", "score": 1}]}),
            found(read_predictions),
            names("question_key"),
            PLAIN,
        ),
        (
            "a.jsonl",
            lines({"id": ODD, "adjudicator": ODD, "label": "equivalent"}),
            decisions,
            names("item_id", "adjudicator"),
            (PLAIN, PLAIN),
        ),
        (
            "s.jsonl",
            lines({"id": ODD, "score": 1}),
            found(read_suggestions),
            names("item_id"),
            PLAIN,
        ),
        (
            "answers.jsonl",
            lines(
                {
                    **ITEM,
                    "question_id": ODD,
                    "system": ODD,
                    "document": ODD,
                    "settled": "exact",
                }
            ),
            found(read_answers),
            names("question.key", "question.document", "system"),
            (PLAIN, PLAIN, PLAIN),
        ),
        (
            "j.jsonl",
            lines({"question": ODD, "system": ODD, "score": 1, "label": True}),
            lambda path: read_judged_rows(path)[""],
            names("question", "systems"),
            (PLAIN.casefold(), (PLAIN,)),
        ),
        (
            "g.json",
            json.dumps({"data": [{"paragraphs": [{"qas": [SQUAD]}]}]}),
            read_squad_gold,
            names("id"),
            PLAIN,
        ),
        (
            "l.jsonl",
            lines({"class": "right", "scores": {ODD: 1}, "question": ODD}),
            lambda path: read_labelled_scores(path, ["right"]),
            names("scores", "question"),
            ({PLAIN: 1.0}, PLAIN),
        ),
    ],
)
def test_every_reader_gives_plain_names(
    write: Write,
    name: str,
    content: str,
    read: Callable[[Path], Iterable[object]],
    of: Callable[[Any], object],
    expected: object,
) -> None:
    [record] = read(write(name, content))
    assert of(record) == expected


def test_what_is_read_by_name_has_plain_names(write: Write) -> None:
    scores = write("s.jsonl", lines({"id": ODD, "matcher": ODD, "score": 1}))
    assert {key: of.scores for key, of in read_item_scores(scores).items()} == {PLAIN: {PLAIN: 1.0}}
    assert read_no_answer_probabilities(write("na.json", json.dumps({ODD: 1}))) == {PLAIN: 1}
    assert cap_systems(Row(Source("c.jsonl", 1), {"system": ODD})) == [PLAIN]


@pytest.mark.parametrize("known", [ODD, PLAIN])
def test_a_submission_answers_the_questions_of_a_release_as_it_spells_them(known: str) -> None:
    content = json.dumps({ODD: "b"}).encode()
    found = read_submission(content, name="p.json", format=None, known={known})
    assert (found.asked, found.passed_over) == ({known: "b"}, 0)


@pytest.mark.parametrize(
    ("read", "rows", "message"),
    [
        (
            lambda path: read_judged_rows(path),
            [{"scores": {"bem": 1, "bem ": 0}, "label": True}],
            "line 1, field scores.bem: occurs in two spellings",
        ),
        (
            lambda path: list(read_labelled_scores(path, ["right"])),
            [{"classes": {ODD: "right", PLAIN: "right"}, "score": 1}],
            "line 1, field classes.Zoë: occurs in two spellings",
        ),
        (
            lambda path: read_no_answer_probabilities(path),
            [{ODD: 1, PLAIN: 0}],
            "line 1: the key 'Zoë' is also on line 1",
        ),
        (
            lambda path: list(read_predictions(path, format=None)),
            [{"id": ODD, "answer": "a"}, {"id": PLAIN, "answer": "b"}],
            "line 2, field id: the question id 'Zoë' is also on line 1",
        ),
    ],
)
def test_two_spellings_of_one_name_are_refused_where_it_may_stand_once(
    write: Write, read: Callable[[Path], object], rows: list[dict[str, object]], message: str
) -> None:
    path = write("rows.jsonl", rows)
    with pytest.raises(InputError) as caught:
        read(path)
    assert str(caught.value) == f"{path}, {message}"
