"""`manage.py prefill`: without a worker it does the work itself where it is told to wait."""

import pytest

from inference.matchers.registry import UnknownMatcherError, load_matcher
from tasks.models import Candidate, Item, Job, JobState, Suggestion
from tests.importers.conftest import Write
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


def test_prefill_without_wait_leaves_the_work_to_the_workers(manage: Manage, campaign: str) -> None:
    printed = manage.json("prefill", campaign)
    assert [(job["name"], job["state"]) for job in printed["jobs"]] == [
        ("em", "queued"),
        ("f1", "queued"),
        ("cfmatch", "queued"),
        ("feather", "queued"),
    ]
    assert Job.objects.filter(state=JobState.QUEUED).count() == 4


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
