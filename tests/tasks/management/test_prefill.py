"""`manage.py prefill`: without a worker it does the work itself where it is told to wait."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tasks.models import Candidate, Item, Job, JobState, Suggestion
from tests.chat_server import KEY, fails, says, says_of
from tests.http_server import LocalServer
from tests.injections import INJECTIONS
from tests.tasks.management.conftest import Manage, rows
from tests.tasks.management.samples import ITEM, QUESTION
from tests.tomahto.interchange.files import Write
from tests.tomahto.matching.cfmatch.small_weights import WEIGHTS
from tests.tomahto.tiny_models import save_tiny_reader
from tomahto.answerers.registry import configure_answerers, load_answerer
from tomahto.matching.cfmatch.matcher import CFMatch, write_weights
from tomahto.matching.f1 import TokenF1
from tomahto.matching.interface import Pair
from tomahto.matching.registry import load_matcher
from tomahto.matching.trainable import configure_weights

pytestmark = pytest.mark.usefixtures("nobody_else_at_work")


def test_prefill_scores_every_item_with_a_matcher(
    manage: Manage, campaign: str, write: Write
) -> None:
    manage("import_items", campaign, write("i.jsonl", [ITEM]))
    printed = manage.json("prefill", campaign, "--matcher", "f1", "--wait")
    job = Job.objects.get()
    version = load_matcher("f1").version
    assert printed == {
        "jobs": [
            {
                "id": job.pk,
                "kind": "suggest",
                "name": "f1",
                "state": "done",
                "done": 1,
                "total": 1,
                "failed": 0,
                "result": {"matcher": "f1", "version": version, "items": 1},
            }
        ]
    }
    assert manage.stderr == "Suggestions of a matcher: f1: 1 of 1\n"
    # "in alps" of "in swiss alps": precision 1, recall 2/3
    assert Suggestion.objects.get().score == pytest.approx(0.8)


def test_prefill_scores_with_weights_of_the_sites_own(
    manage: Manage, campaign: str, write: Write, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(lambda: configure_weights(None))
    configure_weights(tmp_path)
    weights = tmp_path / "cfmatch" / "nq.json"
    weights.parent.mkdir()
    write_weights(WEIGHTS, weights)
    manage("import_items", campaign, write("i.jsonl", [ITEM]))
    error = manage.error("prefill", campaign, "--matcher", f"cfmatch:{weights}", "--wait")
    assert error.startswith(f"CommandError: no matcher 'cfmatch:{weights}'; known: em, f1, ")
    for other in (WEIGHTS, replace(WEIGHTS, intercept=0.5)):
        write_weights(other, weights)
        os.utime(weights, ns=(0, int(other.intercept * 1000)))
        manage("prefill", campaign, "--matcher", "cfmatch:nq", "--wait")
    found = Suggestion.objects.order_by("pk").values_list("matcher", "version")
    assert [*found] == [
        ("cfmatch:nq", CFMatch(WEIGHTS).version),
        ("cfmatch:nq", CFMatch(replace(WEIGHTS, intercept=0.5)).version),
    ]


@pytest.mark.models
def test_prefill_makes_candidates_with_a_configured_model(
    manage: Manage,
    campaign: str,
    write: Write,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    location = save_tiny_reader(tmp_path / "reader")
    file = tmp_path / "answerers.toml"
    file.write_text(
        f'[fox-reader]\nkind = "extractive"\nmodel = "{location}"\ntop_k = 4\n'
        "max_answer_tokens = 5\nmax_length = 48\nstride = 16\n"
    )
    request.addfinalizer(lambda: configure_answerers(None))
    configure_answerers(file)
    context = "A red fox lives in the Swiss Alps, 😀 far up, and so does Élan the wolf. " * 3
    questions = [{**QUESTION, "id": f"q{n}", "context": context[n:]} for n in (1, 2)]
    too_long = {**QUESTION, "id": "q3", "question": "Who? " * 30}
    manage("import_questions", campaign, write("q.jsonl", [*questions, too_long]))
    printed = manage.json("prefill", campaign, "--answerer", "fox-reader", "--wait", code=1)
    version = load_answerer("fox-reader").version
    job = printed["jobs"][0]
    assert (job["state"], job["failed"], job["result"]["version"]) == ("done", 1, version)
    found = {c.question.key: c for c in Candidate.objects.filter(system__name="fox-reader")}
    assert sorted(found) == ["q1", "q2"]
    for candidate in found.values():
        start = candidate.provenance["start"]
        assert candidate.provenance == {"version": version, "start": start}
        assert candidate.question.context[start:].startswith(candidate.text)
        texts = [candidate.text, *(text for text, _ in candidate.alternatives)]
        scores = [candidate.score, *(score for _, score in candidate.alternatives)]
        assert len(set(texts)) == 4
        assert scores == sorted(scores, reverse=True)
    assert set(Item.objects.values_list("candidate", flat=True)) == {
        candidate.text for candidate in found.values() if not candidate.is_exact_match
    }


def asked(number: int, **changes: str) -> dict[str, object]:
    one = {"id": f"q{number}", "question": f"Question {number}?", **changes}
    return {**QUESTION, "references": ["in the Swiss Alps"], **one}


def test_prefill_asks_a_model_at_an_endpoint(
    manage: Manage, campaign: str, write: Write, finch: LocalServer
) -> None:
    manage("import_questions", campaign, write("q.jsonl", [asked(n) for n in (1, 2, 3)]))
    replies = {"Question 1?": "in the far Alps", "Question 2?": "in the Swiss Alps"}
    finch.otherwise = lambda request: says(
        next((text for key, text in replies.items() if key in request.body.decode()), None)
    )
    [job] = manage.json("prefill", campaign, "--answerer", "finch", "--wait", code=1)["jobs"]
    assert (job["state"], job["done"], job["total"], job["failed"]) == ("done", 3, 3, 1)
    version = load_answerer("finch").version
    assert job["result"] == {"answerer": "finch", "version": version, "questions": 3}
    found = Candidate.objects.order_by("question__key")
    assert [(c.system.name, c.text, c.is_exact_match) for c in found] == [
        ("finch", "in the far Alps", False),
        ("finch", "in the Swiss Alps", True),
    ]
    told = {(c.score, c.provenance["model"], c.provenance["version"]) for c in found}
    assert told == {(None, "finch-7b", version)}
    assert list(Item.objects.values_list("candidate", flat=True)) == ["in the far Alps"]


def test_prefill_turns_whatever_a_model_is_made_to_say_into_candidates_only(
    manage: Manage, campaign: str, write: Write, finch: LocalServer
) -> None:
    """Injections in question and context, and a model that obeys every one of them."""
    texts = [text.strip() for text in INJECTIONS]
    questions = [asked(n, question=text, context=text) for n, text in enumerate(texts)]
    manage("import_questions", campaign, write("q.jsonl", questions))
    before = rows()
    finch.otherwise = says_of(
        lambda system, user: user.partition("Passage: ")[2].partition("\n\nQuestion: ")[0]
    )
    manage("prefill", campaign, "--answerer", "finch", "--wait")
    made = {name: count - before[name] for name, count in rows().items() if count > before[name]}
    assert made == {
        "Candidate": 50,
        "Item": 50,
        "AuditEntry": 1,
        "ItemSystem": 50,
        "Slot": 100,
        "StaleItem": 150,
        "Job": 1,
        "System": 1,
    }
    found = Candidate.objects.select_related("question")
    assert {c.question.key: c.text for c in found} == {f"q{n}": t for n, t in enumerate(texts)}
    assert all(c.provenance["raw_reply"] for c in found)


def test_prefill_says_that_the_endpoint_refuses_the_key(
    manage: Manage, campaign: str, write: Write, finch: LocalServer,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    manage("import_questions", campaign, write("q.jsonl", [QUESTION]))
    finch.script.append(fails(401, f"wrong key {KEY}"))
    with pytest.raises(SystemExit):
        manage("prefill", campaign, "--answerer", "finch", "--wait")
    assert capsys.readouterr().err == (
        "Candidates of an answerer: finch: 0 of 1\n"
        "CommandError: Candidates of an answerer: finch failed: "
        f"{finch.url}/v1 answered 401: wrong key …\n"
    )


def test_prefill_without_wait_leaves_the_work_to_the_workers(manage: Manage, campaign: str) -> None:
    printed = manage.json("prefill", campaign)
    assert [(job["name"], job["state"]) for job in printed["jobs"]] == [
        ("em", "queued"),
        ("f1", "queued"),
        ("cfmatch", "queued"),
        ("feather", "queued"),
    ]
    assert Job.objects.filter(state=JobState.QUEUED).count() == 4


def test_prefill_refuses_a_name_that_is_unknown(manage: Manage, campaign: str) -> None:
    printed = manage.error("prefill", campaign, "--answerer", "oracle", code=2)
    assert "argument --answerer: invalid choice: 'oracle'" in printed
    printed = manage.error("prefill", campaign, "--matcher", "oracle")
    assert printed.startswith("CommandError: no matcher 'oracle'; known: em, f1, cfmatch")


def test_prefill_exits_non_zero_where_items_are_missing(
    manage: Manage,
    campaign: str,
    write: Write,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Picky(TokenF1):
        def score(self, pairs: Sequence[Pair]) -> list[float]:
            if any(pair.candidate == "odd" for pair in pairs):
                raise ValueError("cannot read it")
            return super().score(pairs)

    monkeypatch.setattr("tasks.prefill.work.load_matcher", lambda name: Picky())
    manage(
        "import_items", campaign, write("i.jsonl", [ITEM, {**ITEM, "id": "i2", "candidate": "odd"}])
    )
    printed = manage("prefill", campaign, "--matcher", "f1", "--wait", code=1)
    job = Job.objects.get()
    assert job.state == JobState.DONE
    assert printed == f"job {job.pk}: suggest f1, done, failed at 1\n"
    assert Suggestion.objects.count() == 1
