"""`manage.py generate`: drafts of a model at an endpoint, refused before anything is asked."""

import json

import pytest

from tasks.models import GeneratedText, Item, Job
from tests.chat_server import fails, says_of
from tests.http_server import LocalServer
from tests.tasks.management.conftest import Manage
from tests.tasks.management.samples import QUESTION
from tests.tomahto.interchange.files import Write
from tomahto.generation.candidates import CLASSES

pytestmark = pytest.mark.usefixtures("nobody_else_at_work")


@pytest.fixture
def questions(manage: Manage, cap_campaign: str, write: Write) -> str:
    """The slug of a campaign with eight questions."""
    rows = [{**QUESTION, "id": f"q{n}", "question": f"Question {n}?"} for n in range(8)]
    manage("import_questions", cap_campaign, write("q.jsonl", rows))
    return cap_campaign


def obedient(system: str, user: str) -> str:
    label = system.partition("Class: ")[2].partition("\n")[0]
    return json.dumps(
        [i["reference"] if label == "exact" else f"{label}: that" for i in json.loads(user)]
    )


def test_generate_makes_drafts_of_every_class_and_no_item(
    manage: Manage, questions: str, finch: LocalServer
) -> None:
    finch.otherwise = says_of(obedient)
    options = ("--kind", "candidates", "--endpoint", "finch", "--per-class", "1", "--wait")
    printed = manage.json("generate", questions, *options)
    job = Job.objects.get()
    assert printed == {
        "job": job.pk,
        "kind": "candidates",
        "endpoint": "finch",
        "state": "done",
        "drafts": 8,
        "wanted": 8,
    }
    assert job.result == {"kind": "candidates", "model": "finch-7b", "drafts": 8, "wanted": 8}
    assert manage.stderr == "Generated texts: finch: 8 of 8\n"
    assert (GeneratedText.objects.count(), Item.objects.count()) == (8, 0)


def test_generate_says_why_it_ends_with_fewer(
    manage: Manage, questions: str, finch: LocalServer
) -> None:
    finch.otherwise = says_of(
        lambda system, user: (
            json.dumps([i["reference"] for i in json.loads(user)])
            if "Class: partial\n" in system
            else obedient(system, user)
        )
    )
    ask = ("generate", questions, "--kind", "candidates", "--endpoint", "finch", "--wait")
    printed = manage.json(*ask, "--per-class", "9")
    job = Job.objects.get()
    fewer = {
        "missing": {target: 9 if target == "partial" else 1 for target in CLASSES},
        "reasons": {
            "the answer matches a reference exactly, which is not partial": 24,
            "no question of the campaign is left for this text": 8,
        },
    }
    assert printed == {
        "job": job.pk,
        "kind": "candidates",
        "endpoint": "finch",
        "state": "done",
        "drafts": 56,
        "wanted": 72,
        **fewer,
    }
    assert job.result == {
        "kind": "candidates",
        "model": "finch-7b",
        "drafts": 56,
        "wanted": 72,
        **fewer,
    }
    lines = manage(*ask, "--per-class", "8").splitlines()
    assert lines[4:] == [
        "drafts: 56",
        "wanted: 64",
        "missing: 8 (partial 8)",
        "why, 24 times: the answer matches a reference exactly, which is not partial",
    ]


def test_generate_without_wait_leaves_it_to_the_workers(
    manage: Manage, questions: str, finch: LocalServer
) -> None:
    printed = manage.json("generate", questions, "--kind", "candidates", "--endpoint", "finch")
    assert (printed["state"], printed["drafts"], printed["wanted"]) == ("queued", 0, None)
    assert Job.objects.get().parameters == {"name": "finch", "kind": "candidates", "number": 10}
    assert finch.received == []


def test_rules_are_started_with_rounds_and_seeds(
    manage: Manage, finch: LocalServer, write: Write
) -> None:
    manage("create_campaign", "by-rule", "--protocol", "rules", "--overlap", "1")
    seed = {"rule": "aliasing", "question": "Who?", "reference": "a", "candidate": "b",
            "label": "correct"}  # fmt: skip
    seeds = write("seeds.jsonl", [seed, {**seed, "label": "incorrect"}])
    ask = ("generate", "by-rule", "--kind", "rules", "--endpoint", "finch", "--rounds", "2")
    manage(*ask, "--seeds", seeds)
    assert Job.objects.get().parameters == {
        "name": "finch",
        "kind": "rules",
        "number": 10,
        "rounds": 2,
        "seeds": [seed, {**seed, "label": "incorrect"}],
    }
    wrong = write("wrong.jsonl", [{**seed, "rule": "irrelevant"}])
    assert manage.error(*ask, "--seeds", wrong).startswith(
        f"CommandError: {wrong}, line 1, field rule: 'irrelevant/correct' is not one of aliasing/"
    )


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--kind", "candidates", "--endpoint", "wren"), "no endpoint 'wren'; known: finch"),
        (("--kind", "candidates", "--endpoint", "lexical"), "no endpoint 'lexical'; known"),
        (("--kind", "rules", "--endpoint", "finch"), "rules are for campaigns of the protocol"),
        (("--kind", "candidates", "--endpoint", "finch", "--per-class", "0"), "--per-class must"),
        (("--kind", "candidates", "--endpoint", "finch", "--total", "5"), "counted by --per-class"),
        (("--kind", "statements", "--endpoint", "finch", "--per-class", "5"), "counted by --total"),
        (("--kind", "candidates", "--endpoint", "finch", "--rounds", "2"), "--rounds is for rules"),
    ],
)
def test_generate_refuses_what_cannot_be_done(
    manage: Manage, questions: str, finch: LocalServer, options: tuple[str, ...], reason: str
) -> None:
    assert reason in manage.error("generate", questions, *options)
    assert finch.received == []


def test_generate_says_that_the_endpoint_refuses(
    manage: Manage, questions: str, finch: LocalServer, capsys: pytest.CaptureFixture[str]
) -> None:
    finch.otherwise = lambda _: fails(404, "no such model")
    with pytest.raises(SystemExit) as caught:
        manage("generate", questions, "--kind", "candidates", "--endpoint", "finch", "--wait")
    assert caught.value.code == 1
    assert capsys.readouterr().err.endswith("answered 404: no such model\n")
    assert GeneratedText.objects.count() == 0
