"""`manage.py prefill`: without a worker it does the work itself where it is told to wait."""

from pathlib import Path

import pytest

from inference.answerers.registry import configure_answerers, load_answerer
from inference.matchers.registry import UnknownMatcherError, load_matcher
from tasks.models import Candidate, Item, Job, JobState, Suggestion
from tests.importers.conftest import Write
from tests.inference.tiny_models import save_tiny_reader
from tests.tasks.management.conftest import Manage
from tests.tasks.management.test_imports import ITEM, QUESTION


@pytest.fixture(autouse=True)
def _nobody_else_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """No broker: nothing is sent, and nobody is waited for."""
    monkeypatch.setattr("tasks.jobs.send_waiting_jobs", lambda: None)
    monkeypatch.setattr("tasks.management.commands.prefill._WORKER_GRACE_SECONDS", 0.0)
    monkeypatch.setattr("tasks.management.commands.prefill._POLL_SECONDS", 0.0)


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
                "result": {"matcher": "f1", "version": version, "items": 1},
            }
        ]
    }
    assert manage.stderr == "Suggestions of a matcher: f1: 1 of 1\n"
    # "in alps" of "in swiss alps": precision 1, recall 2/3
    assert Suggestion.objects.get().score == pytest.approx(0.8)


def test_prefill_again_scores_nothing_twice(manage: Manage, campaign: str, write: Write) -> None:
    manage("import_items", campaign, write("i.jsonl", [ITEM]))
    for _ in range(2):
        manage("prefill", campaign, "--matcher", "em", "--matcher", "f1", "--wait")
    assert Suggestion.objects.count() == 2


def test_prefill_makes_candidates_with_an_answerer_but_no_items_of_empty_ones(
    manage: Manage, campaign: str, write: Write
) -> None:
    empty = {**QUESTION, "id": "q2", "context": ""}
    manage("import_questions", campaign, write("q.jsonl", [QUESTION, empty]))
    printed = manage.json("prefill", campaign, "--answerer", "lexical", "--wait")
    job = printed["jobs"][0]
    assert (job["kind"], job["state"], job["result"]["questions"]) == ("answer", "done", 2)
    found = dict(Candidate.objects.values_list("question__key", "text"))
    assert found["q2"] == ""
    assert set(Item.objects.values_list("question__key", flat=True)) <= {"q1"}


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
    printed = manage.json("prefill", campaign, "--answerer", "fox-reader", "--wait")
    version = load_answerer("fox-reader").version
    job = printed["jobs"][0]
    assert (job["state"], job["result"]["version"]) == ("done", version)
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


def test_prefill_without_wait_leaves_the_work_to_the_workers(manage: Manage, campaign: str) -> None:
    printed = manage.json("prefill", campaign)
    assert [(job["name"], job["state"]) for job in printed["jobs"]] == [
        ("em", "queued"),
        ("f1", "queued"),
        ("cfmatch", "queued"),
    ]
    assert Job.objects.filter(state=JobState.QUEUED).count() == 3


def test_prefill_says_why_a_job_failed(
    manage: Manage, campaign: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    def refuse(name: str) -> None:
        raise UnknownMatcherError(f"{name} has no weights")

    monkeypatch.setattr("tasks.jobs.load_matcher", refuse)
    with pytest.raises(SystemExit) as caught:
        manage("prefill", campaign, "--matcher", "cfmatch", "--wait")
    printed = capsys.readouterr()
    assert (caught.value.code, printed.out) == (1, "")
    assert printed.err == (
        "CommandError: Suggestions of a matcher: cfmatch failed: cfmatch has no weights\n"
    )


@pytest.mark.parametrize("option", ["--matcher", "--answerer"])
def test_prefill_refuses_a_name_that_is_unknown(manage: Manage, campaign: str, option: str) -> None:
    printed = manage.error("prefill", campaign, option, "oracle", code=2)
    assert f"argument {option}: invalid choice: 'oracle'" in printed
