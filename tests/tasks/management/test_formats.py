"""What a release says in the formats of others comes back as it went out. On both databases."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset

from tests.extent import mostly
from tests.tasks.management.conftest import Manage
from tests.tasks.management.test_releases import load_ae, load_cap
from tests.tomahto.interchange.files import Write
from tomahto.interchange.judgements.triples import read_triples

pytestmark = [pytest.mark.slow, pytest.mark.thorough]


SPLITS = ("dev", "test")
ALL = {
    "ae": "squad,label-studio,doccano",
    "cap": "squad,cap-correctness,label-studio,doccano",
}
FILES = {
    "label-studio": ["label_studio/tasks.json"],
    "doccano": ["doccano/test.jsonl", "doccano/dev.jsonl"],
}

Load = Callable[[Manage, str], None]


@pytest.fixture(scope="session", autouse=True)
def _hub_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("hub")))
        yield


def release(manage: Manage, slug: str, out: Path, *options: str) -> dict[str, Any]:
    split = ("--split", "document:dev=30,test=70")
    return manage.json("release", slug, "--version", "1.0.0", *split, "--out", out, *options)


def questions(path: Path) -> list[dict[str, Any]]:
    return [
        question
        for article in json.loads(path.read_text())["data"]
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    ]


@pytest.mark.parametrize("form", mostly(FILES, "label-studio"))
@pytest.mark.parametrize(("protocol", "load"), [("ae", load_ae), ("cap", load_cap)])
def test_release_for_another_tool_makes_the_same_release_again(
    manage: Manage, tmp_path: Path, protocol: str, load: Load, form: str
) -> None:
    """The digest is of items, votes, answers, raters and times: all of them come back."""
    load(manage, "first")
    first = release(manage, "first", tmp_path / "one", "--formats", ALL[protocol])
    assert manage.json("verify_release", tmp_path / "one")["ok"]
    manage("create_campaign", "second", "--protocol", protocol, "--overlap", "1")
    for name in FILES[form]:
        path = tmp_path / "one" / name
        manage("import_items", "second", path, "--format", form)
        taken = manage.json("import_ratings", "second", path, "--format", form)
        assert (taken["ratings_existing"], taken["items_created"]) == (0, 0)
        again = manage.json("import_ratings", "second", path, "--format", form)
        assert again["ratings_created"] == 0
    for path in sorted((tmp_path / "one/jsonl/answers").iterdir()):  # no other tool has a place
        manage("import_answers", "second", path)
    second = release(manage, "second", tmp_path / "two")
    assert second == {**first, "path": str(tmp_path / "two")}


@pytest.mark.parametrize("form", FILES)
@pytest.mark.parametrize(
    ("protocol", "given"),
    [
        (
            "rules",
            [
                {"label": "correct", "rules": "aliasing+semantic"},
                {"label": "incorrect", "rules": "irrelevant"},
                {"label": "correct", "rules": "numerical"},
            ],
        ),
        ("ae", [{"label": "equivalent"}, {"label": "not-equivalent"}, {"q1": True}]),
    ],
)
def test_several_choices_and_bare_labels_come_back(
    manage: Manage, tmp_path: Path, protocol: str, given: list[dict[str, Any]], form: str
) -> None:
    item = {"reference": "a", "candidate": "b"}
    rows = [
        {**item, "document": question, "question": question, "rater": rater, **answer}
        for question in ("Where does it rise?", "How long is it?")
        for rater, answer in zip(("ann", "ben", "cem"), given, strict=True)
    ]
    path = tmp_path / "ratings.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for slug in ("first", "second"):
        manage("create_campaign", slug, "--protocol", protocol, "--overlap", "3")
    manage("import_ratings", "first", path)
    first = release(manage, "first", tmp_path / "one", "--formats", form)
    for name in FILES[form]:
        manage("import_ratings", "second", tmp_path / "one" / name, "--format", form)
    second = release(manage, "second", tmp_path / "two")
    assert second == {**first, "path": str(tmp_path / "two")}


@pytest.mark.parametrize("load", [load_ae, load_cap])
def test_squad_of_a_release_scores_every_accepted_candidate_as_exact(
    manage: Manage, tmp_path: Path, load: Load
) -> None:
    load(manage, "first")
    release(manage, "first", tmp_path / "out")
    accepted = 0
    for split in SPLITS:
        path, predictions = tmp_path / f"out/squad/{split}.json", tmp_path / "predictions.json"
        asked = questions(path)
        for answers in _rounds(asked):
            predictions.write_text(json.dumps(answers))
            scores = manage.json("evaluate", "squad_v2", path, predictions)
            assert (scores["exact"], scores["f1"], scores["total"]) == (100.0, 100.0, len(asked))
        accepted += sum(len(question["accepted_answers"]) for question in asked)
    assert accepted > 10


def _rounds(asked: list[dict[str, Any]]) -> Iterator[dict[str, str]]:
    """Predictions such that each accepted answer is predicted in one of them."""
    for place in range(max(len(question["accepted_answers"]) for question in asked)):
        yield {
            question["id"]: (question["accepted_answers"][place:] or question["answers"])[0]["text"]
            for question in asked
        }


def test_squad_of_a_release_has_unanswerable_and_exactly_answered_questions_too(
    manage: Manage, tmp_path: Path, write: Write
) -> None:
    """One system abstains where there is no answer; nobody answers the last question."""
    rows = [
        {"id": f"q{n}", "document": f"d{n}", "question": f"Where is it, {n}?", "references": gold}
        for n, gold in enumerate([["here"], ["there"], [], [], ["far"], ["near"]])
    ]
    manage("create_campaign", "whole", "--protocol", "ae", "--overlap", "1")
    data = {
        "data": [
            {
                "title": row["document"],
                "paragraphs": [
                    {
                        "context": "",
                        "qas": [
                            {
                                "id": row["id"],
                                "question": row["question"],
                                "answers": [
                                    {"text": text, "answer_start": 0} for text in row["references"]
                                ],
                                "is_impossible": not row["references"],
                            }
                        ],
                    }
                ],
            }
            for row in rows
        ]
    }
    manage("import_questions", "whole", write("q.json", json.dumps(data)))
    one = {"q0": "over here", "q1": "there", "q2": "", "q3": "x", "q4": "afar"}
    two = {"q0": "here", "q1": "there", "q2": "y", "q4": "not near"}
    for name, answers in (("one", one), ("two", two)):
        path = write(f"{name}.json", json.dumps(answers | {"elsewhere": "z"}))
        manage("import_predictions", "whole", path, "--system", name)
    rating = {"references": ["here"], "candidate": "over here", "rater": "ann"}
    ratings: list[dict[str, object]] = [
        {**rows[0], **rating, "id": None, "label": "equivalent"},
        {
            **rows[4],
            **rating,
            "id": None,
            "label": "not-equivalent",
            "references": ["far"],
            "candidate": "not near",
        },
    ]
    manage("import_ratings", "whole", write("r.jsonl", ratings))
    split = ("--split", "document:all_of_it=100", "--out", tmp_path / "out")
    manage("release", "whole", "--version", "1.0.0", *split)
    path = tmp_path / "out/squad/all_of_it.json"
    assert {
        each["id"]: ([answer["text"] for answer in each["answers"]], each["is_impossible"])
        for each in questions(path)
    } == {
        "q0": (["here", "over here"], False),
        "q1": (["there"], False),
        "q2": ([], True),
        "q3": ([], True),
        "q4": (["far"], False),
    }
    # q0, q1 and q2 are right; q3 should have no answer, q4 is wrong; q5 is not there.
    predictions = write("p.json", json.dumps({**one, "q5": "near", "elsewhere": "z"}))
    scores = manage.json("evaluate", "squad_v2", path, predictions)
    assert scores == {
        "exact": 60.0,
        "f1": 60.0,
        "total": 5,
        "HasAns_exact": 200 / 3,
        "HasAns_f1": 200 / 3,
        "HasAns_total": 3,
        "NoAns_exact": 50.0,
        "NoAns_f1": 50.0,
        "NoAns_total": 2,
        "predictions_ignored": 2,
    }


def test_squad_of_a_release_is_taken_in_with_the_larger_answer_sets(
    manage: Manage, tmp_path: Path
) -> None:
    load_ae(manage, "first")
    release(manage, "first", tmp_path / "out")
    manage("create_campaign", "second", "--protocol", "ae", "--overlap", "1")
    path = tmp_path / "out/squad/test.json"
    asked = questions(path)
    taken = manage.json("import_questions", "second", path, "--format", "squad")
    assert taken == {
        "documents": len(json.loads(path.read_text())["data"]),
        "questions": len(asked),
        "references": sum(len(question["answers"]) for question in asked),
        "unanswerable": 0,
        "skipped": [],
        "skipped_by_reason": {},
    }
    # what was accepted is a reference now: nobody is asked about it again
    answers = {
        question["id"]: question["accepted_answers"][0]["text"]
        for question in asked
        if question["accepted_answers"]
    }
    predictions = tmp_path / "predictions.json"
    predictions.write_text(json.dumps(answers))
    made = manage.json("import_predictions", "second", predictions, "--system", "s")
    assert (made["exact_matches"], made["items_created"]) == (len(answers), 0)


def test_formats_of_a_release_load_as_the_documentation_says(
    manage: Manage, tmp_path: Path
) -> None:
    load_cap(manage, "first")
    made = release(manage, "first", tmp_path / "out", "--formats", ALL["cap"])
    out, sizes = tmp_path / "out", made["splits"]

    def load(pattern: str, **options: Any) -> Any:
        files = {split: str(out / pattern.replace("SPLIT", split)) for split in SPLITS}
        return load_dataset("json", data_files=files, **options)

    assert load("cap_correctness/SPLIT.jsonl").num_rows == sizes
    assert sum(load("doccano/SPLIT.jsonl").num_rows.values()) == made["ratings"]
    articles = load("squad/SPLIT.json", field="data")
    assert articles.num_rows == {
        split: len(json.loads((out / f"squad/{split}.json").read_text())["data"])
        for split in SPLITS
    }
    tasks = load_dataset("json", data_files=str(out / "label_studio/tasks.json"), split="train")
    assert tasks.num_rows == made["items"]


def test_statements_of_a_release_are_examples_to_train_on(manage: Manage, tmp_path: Path) -> None:
    manage("create_campaign", "statements", "--protocol", "statement", "--overlap", "1")
    rows = [
        {
            "document": str(number),
            "question": f"{number} + {number}?",
            "reference": str(2 * number),
            "candidate": f"{number} + {number} is {2 * number}.",
            "question_type": "short-question",
            "rater": "ann",
            "label": "correct" if number else "wrong",
        }
        for number in range(4)
    ]
    path = tmp_path / "ratings.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    manage("import_ratings", "statements", path)
    release(manage, "statements", tmp_path / "out")
    assert not (tmp_path / "out/squad").exists()  # a statement is no answer
    found = [
        (triple.pair.question, triple.pair.answer, triple.statement)
        for split in SPLITS
        for triple in read_triples(
            tmp_path / f"out/cap_statements/{split}.jsonl", with_faulty=True
        ).rows
    ]
    assert sorted(found) == [(row["question"], row["reference"], row["candidate"]) for row in rows]


def test_release_writes_the_formats_asked_for(manage: Manage, tmp_path: Path) -> None:
    load_ae(manage, "first")
    first = release(manage, "first", tmp_path / "none", "--formats", "none")
    usual = release(manage, "first", tmp_path / "usual")
    both = release(manage, "first", tmp_path / "both", "--formats", "doccano,squad")
    further = {
        name: {path.name for path in (tmp_path / name).iterdir() if path.is_dir()}
        - {"ae", "answers", "csv", "figures", "guidelines", "items", "jsonl", "ratings", "tables"}
        for name in ("none", "usual", "both")
    }
    assert further == {"none": set(), "usual": {"squad"}, "both": {"squad", "doccano"}}
    assert {made["digest"] for made in (usual, both)} == {first["digest"]}


def test_release_in_other_formats_does_not_pass_for_one_that_is_there(
    manage: Manage, tmp_path: Path
) -> None:
    load_ae(manage, "first")
    out = tmp_path / "out"
    release(manage, "first", out)
    split = ("--split", "document:dev=30,test=70", "--formats", "doccano")
    printed = manage.error("release", "first", "--version", "1.0.0", *split, "--out", out)
    assert "is there already; a release is never overwritten" in printed


@pytest.mark.parametrize(
    ("formats", "error"),
    [
        ("cap-correctness", "format cap-correctness is not for the protocol ae"),
        (
            "squad,",
            "format '' is none of squad, cap-correctness, cap-statements, label-studio, doccano",
        ),
    ],
)
def test_release_refuses_formats_that_do_not_suit(
    manage: Manage, tmp_path: Path, formats: str, error: str
) -> None:
    load_ae(manage, "first")
    split = ("--split", "document:dev=30,test=70", "--formats", formats)
    out = tmp_path / "out"
    printed = manage.error("release", "first", "--version", "1.0.0", *split, "--out", out)
    assert printed == f"CommandError: {error}\n"
    assert list(tmp_path.iterdir()) == []
