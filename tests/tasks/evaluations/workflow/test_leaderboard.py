"""Submissions to a release, and what a worker makes of them. On both databases."""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from tasks.evaluations.queries.leaderboard import leaderboard_json, shown_leaderboard
from tasks.evaluations.workflow import leaderboard as stage
from tasks.evaluations.workflow import submissions
from tasks.evaluations.workflow.submissions import (
    SubmissionError,
    ask_for_leaderboard,
    withdraw_submission,
)
from tasks.jobs import work as jobs
from tasks.jobs.workflow.jobs import LeaseLost, begin
from tasks.models import (
    Job,
    JobKind,
    JobState,
    Leaderboard,
    Release,
    Submission,
    SubmissionScore,
    SubmissionWithdrawal,
)
from tasks.releases.workflow.listing import withdraw_release
from tests.factories import make_member
from tests.tasks.evaluations.leaderboards import (
    QUESTIONS,
    answers,
    as_file,
    content,
    make_release,
    submit,
    work,
)
from tomahto.interchange.reading.records import InputError
from tomahto.lab.leaderboard import OWN_METRICS
from tomahto.matching.interface import Pair

pytestmark = pytest.mark.slow


class ShortIsRight:
    """A matcher that calls short answers right, in versions; it cannot read some."""

    name, threshold = "short", 0.5

    def __init__(self, version: str = "short|v1", unreadable: str = "") -> None:
        self.version, self.unreadable = version, unreadable

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        if self.unreadable and any(pair.candidate == self.unreadable for pair in pairs):
            raise ValueError("cannot read it")
        return [float(len(pair.candidate) < 13) for pair in pairs]


@pytest.fixture
def matchers(monkeypatch: pytest.MonkeyPatch) -> dict[str, ShortIsRight]:
    """The only matcher of the site."""
    found = {"short": ShortIsRight()}
    monkeypatch.setattr("tasks.evaluations.work.suggesting_matchers", lambda: ("em", "f1", *found))
    monkeypatch.setattr("tasks.evaluations.work.load_matcher", found.__getitem__)
    return found


@pytest.fixture
def release(db: None, tmp_path: Path, matchers: dict[str, ShortIsRight]) -> Release:
    return make_release(tmp_path)


def means(found: dict[str, Any], key: str) -> dict[str, float]:
    names = dict(Submission.objects.values_list("pk", "name"))
    metric = next(metric for metric in found["metrics"] if metric["key"] == key)
    return {names[place["submission"]]: place["mean"]["value"] for place in metric["places"]}


def ranks(found: dict[str, Any], key: str = "em") -> dict[str, list[int]]:
    names = dict(Submission.objects.values_list("pk", "name"))
    metric = next(metric for metric in found["metrics"] if metric["key"] == key)
    return {names[place["submission"]]: place["ranks"] for place in metric["places"]}


def test_submissions_are_scored_and_compared(release: Release) -> None:
    submit(release, "cedar", answers(12))
    submit(release, "birch", answers(3, of=6, wrong="candidate 5"))
    assert [job.kind for job in work()] == [JobKind.SUBMISSION] * 2
    found = content(release)
    assert (found["questions"], found["digest"], found["split"]) == (12, release.digest, "test")
    # birch: 3 exact; its "candidate 5" is accepted for question 5 and unknown for 4 and 6.
    assert means(found, "em") == {"cedar": 1.0, "birch": 3 / 12}
    assert means(found, "em_accepted") == {"cedar": 1.0, "birch": pytest.approx(4 / 12)}
    assert means(found, "at_most") == {"cedar": 1.0, "birch": pytest.approx(6 / 12)}
    # "reference 10" is 12 characters long, and so are all shorter numbers
    assert means(found, "short") == {"cedar": 1.0, "birch": pytest.approx(6 / 12)}
    assert ranks(found) == {"cedar": [1, 1], "birch": [2, 2]}
    settled = {
        Submission.objects.get(pk=number).name: result["settled"]
        for number, result in found["submissions"].items()
    }
    assert settled["birch"] == {
        "missing": 6,
        "blank": 0,
        "exact": 3,
        "judged_right": 1,
        "judged_wrong": 0,
        "open": 2,
    }
    assert found["systems"][0]["system"] == "juniper"
    assert found["systems"][0]["accuracy"]["with_exact_matches"]["value"] == 0.5


def test_the_file_is_kept_as_it_was(release: Release) -> None:
    text = "\N{ZERO WIDTH NO-BREAK SPACE}" + '{"question-1": "a\\u0020b"}\r\n'
    made = submissions.submit_predictions(
        release=release,
        name="  two\n words ",
        content=text.encode(),
        file_name="x.json",
        split="*",
    )
    stored = Submission.objects.get()
    assert (stored, stored.file, stored.name) == (made, text, "two words")
    assert stored.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert (stored.predictions, stored.submitted_by, stored.role) == (1, None, "")
    work()
    assert content(release, "*")["submissions"][str(made.pk)]["settled"]["missing"] == 11


BAD_FILES = [
    (b"{}", "p.json", "p.json: holds no prediction"),
    (b'{"question-1": true}', "p.json", "p.json, line 1, field question-1.candidate: must be"),
    (
        b'{"everywhere": "a",\n"elsewhere": "b"}',
        "p.json",
        "p.json: question 'everywhere' and all others are not among those asked",
    ),
    (b'{"id": "question-1"}\n', "p.jsonl", "p.jsonl, line 1, field candidate: is missing"),
    (b"id,answer\nquestion-1,a,b\n", "p.csv", "p.csv, line 2: has 3 cells, the header has 2"),
    (b'{"question-1": "\xff"}', "p.json", "p.json, line 1: is not UTF-8"),
    (b"[" * 100_000, "p.json", "p.json, line 1"),
    (b"x", "a\nb.txt", "a\N{REPLACEMENT CHARACTER}b.txt: has no known extension"),
]


def test_a_bad_file_is_refused_in_one_line(release: Release) -> None:
    for content_, file_name, refusal in BAD_FILES:
        with pytest.raises(InputError) as refused:
            submissions.submit_predictions(
                release=release, name="cedar", content=content_, file_name=file_name, split="test"
            )
        assert str(refused.value)[: len(refusal)] == refusal
        assert "\n" not in str(refused.value)
    assert not Submission.objects.exists()
    assert not Job.objects.exists()


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"name": " "}, "name", "the system needs a name"),
    ({"name": "x" * 151}, "name", "has 151 characters, over 150"),
    ({"description": "x" * 301}, "description", "has 301 characters, over 300"),
    ({"split": "dev"}, "split", "no split 'dev'; the splits are test, *"),
    (
        {"content": b"x" * (16 << 20) + b"x"},
        "file",
        "has 16,777,217 bytes; the limit is 16,777,216",
    ),
]


def test_what_else_is_wrong_names_its_field(release: Release) -> None:
    for wanted, field, refusal in WRONG:
        given: dict[str, Any] = {
            "name": "cedar",
            "content": as_file(answers(1)),
            "split": "test",
            **wanted,
        }
        with pytest.raises(SubmissionError, match=f"^{re.escape(refusal)}") as refused:
            submissions.submit_predictions(release=release, file_name="p.json", **given)
        assert refused.value.field == field
    assert not Submission.objects.exists()


def test_a_name_is_taken_until_it_is_withdrawn(release: Release) -> None:
    first = submit(release, "cedar", answers(1))
    with pytest.raises(
        SubmissionError, match=r"^release 1.0.0 already has a submission named 'cedar'"
    ):
        submit(release, "cedar", answers(2), split="*")
    assert Job.objects.count() == 1
    withdraw_submission(submission=first, reason="Wrong file.")
    second = submit(release, "cedar", answers(2))
    assert (first.attempt, second.attempt) == (0, 1)
    with pytest.raises(SubmissionError, match="named 'cedar'"):
        submit(release, "cedar", answers(3))


def test_a_withdrawn_submission_leaves_the_order_at_once(release: Release) -> None:
    birch = submit(release, "birch", answers(2))
    submit(release, "cedar", answers(12))
    work()
    admin = make_member(release.campaign, "admin")
    withdraw_submission(submission=birch, reason=" Trained\non it. ", by=admin)
    shown = shown_leaderboard(release, "test")
    assert [entry.state for entry in shown.entries] == ["withdrawn", "compared"]
    assert (shown.has_order, shown.is_current) == (False, False)
    row, other = leaderboard_json(shown)["rows"]
    assert (row["withdrawn"]["reason"], row["withdrawn"]["role"]) == ("Trained on it.", "admin")
    assert "scores" not in row
    assert other["scores"]["em"]["ranks"] is None  # until a worker has compared the rest
    work()
    shown = shown_leaderboard(release, "test")
    assert shown.is_current
    assert ranks(content(release)) == {"cedar": [1, 1]}
    with pytest.raises(SubmissionError, match=r"^birch was withdrawn before$"):
        withdraw_submission(submission=birch, reason="Again.")


def test_withdrawing_is_for_who_submitted_it_and_for_admins(release: Release) -> None:
    fern, moss = (make_member(release.campaign, "researcher") for _ in range(2))
    mine = submit(release, "cedar", answers(1), by=fern)
    operators = submit(release, "birch", answers(1))
    for submission, somebody in ((mine, moss), (operators, fern)):
        with pytest.raises(SubmissionError, match=r"^only its submitter and admins"):
            withdraw_submission(submission=submission, reason="No.", by=somebody)
    with pytest.raises(SubmissionError, match="give a reason"):
        withdraw_submission(submission=mine, reason=" \n", by=fern)
    made = withdraw_submission(submission=mine, reason="Mine.", by=fern)
    assert (made.withdrawn_by, made.role) == (fern.user, "researcher")


def test_withdrawn_releases_take_nothing_and_say_why(release: Release) -> None:
    submit(release, "cedar", answers(3))
    withdraw_release(release=release, reason="Names are in it.")
    release = Release.objects.select_related("withdrawal").get()
    with pytest.raises(SubmissionError, match=r"^release 1.0.0 was withdrawn: Names are in it.$"):
        submit(release, "birch", answers(3))
    job = Job.objects.get()
    jobs.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == (
        *(JobState.FAILED, "release 1.0.0 was withdrawn: Names are in it."),
    )


def test_a_new_version_of_a_matcher_scores_everything_again(
    release: Release, matchers: dict[str, ShortIsRight]
) -> None:
    submit(release, "birch", answers(6))
    work()
    matchers["short"].version = "short|v2"
    submit(release, "cedar", answers(12))
    work()
    found = content(release)
    assert [metric["version"] for metric in found["metrics"] if metric["key"] == "short"] == [
        "short|v2|refs:question"
    ]
    assert len(found["submissions"]) == 2
    assert SubmissionScore.objects.count() == 3


def test_a_leaderboard_of_an_earlier_version_is_worked_out_anew(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = tuple(replace(metric, version="em|v0") for metric in OWN_METRICS)
    with monkeypatch.context() as before:
        before.setattr("tomahto.lab.leaderboard.OWN_METRICS", earlier)
        submit(release, "birch", answers(6))
        work()
    assert not ask_for_leaderboard(release, "test").is_current
    assert len(work()) == 1
    assert SubmissionScore.objects.count() == 2
    assert ask_for_leaderboard(release, "test").is_current
    assert work() == []


def test_a_matcher_that_fails_at_an_answer_has_no_score_for_it(
    release: Release, matchers: dict[str, ShortIsRight]
) -> None:
    matchers["short"].unreadable = "reference 2"
    birch, cedar = submit(release, "birch", answers(1)), submit(release, "cedar", answers(12))
    work()
    found = content(release)
    assert list(means(found, "short")) == ["birch"]
    assert set(means(found, "em")) == {"birch", "cedar"}
    assert found["submissions"][str(birch.pk)]["failures"] == {}
    assert found["submissions"][str(cedar.pk)]["failures"] == {
        "short": "1 of 12 answers could not be scored: ValueError: cannot read it"
    }


def test_a_release_that_is_another_one_by_now_is_not_scored_on(release: Release) -> None:
    submit(release, "cedar", answers(1))
    Release.objects.update(digest="0" * 64)
    job = Job.objects.get()
    jobs.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == (
        *(JobState.FAILED, "the folder of 1.0.0 contains another release"),
    )
    assert [entry.state for entry in shown_leaderboard(release, "test").entries] == ["failed"]


def test_doing_it_again_changes_nothing(release: Release) -> None:
    submit(release, "cedar", answers(5))
    work()
    before = Leaderboard.objects.get().content
    Job.objects.update(state=JobState.QUEUED)
    work()
    assert Leaderboard.objects.get().content == before
    assert SubmissionScore.objects.count() == 1


def test_a_leaderboard_is_asked_for_once(release: Release) -> None:
    for _ in range(2):
        ask_for_leaderboard(release, "test")
    assert Job.objects.count() == 1
    work()
    assert content(release)["submissions"] == {}
    ask_for_leaderboard(release, "test")
    assert Job.objects.count() == 1


def test_a_score_that_comes_meanwhile_is_compared_too(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another worker scores cedar, and is slower to compare, while this one compares birch."""
    submit(release, "birch", answers(2))
    cedar = submit(release, "cedar", answers(9))
    compared: list[list[int]] = []
    real = stage._content

    def content_while_another_scores(board: Any, numbers: list[int], systems: Any) -> Any:
        found = real(board, numbers, systems)
        if not compared:
            stored = SubmissionScore.objects.exclude(submission=cedar).get()
            SubmissionScore.objects.create(
                submission=cedar,
                signature=stored.signature,
                scores=bytes(stored.scores),
                result=stored.result,
            )
        compared.append(list(numbers))
        return found

    monkeypatch.setattr(stage, "_content", content_while_another_scores)
    monkeypatch.setattr(stage, "_score_missing", _only("birch"))
    jobs.run_job(Job.objects.order_by("pk")[0].pk)
    assert [len(numbers) for numbers in compared] == [1, 2]
    assert len(content(release)["submissions"]) == 2


def _only(name: str) -> Callable[..., int]:
    """Scoring that leaves everybody else's submission to other workers."""

    def scored(_job: Job, board: Any, matchers: Any, _report: Any) -> int:
        stage._score(board.submissions.get(name=name), board, matchers).save()
        return 1

    return scored


def test_who_has_lost_the_job_stores_nothing(release: Release) -> None:
    submit(release, "cedar", answers(2))
    job = begin(job_id=Job.objects.get().pk)
    assert job is not None
    Job.objects.update(fence=7)
    with pytest.raises(LeaseLost):
        stage.bring_up_to_date(job=job, matchers=[], report=lambda _done, _total: None)
    assert not SubmissionScore.objects.exists()


@pytest.mark.parametrize("model", [Submission, SubmissionScore, SubmissionWithdrawal])
def test_the_database_refuses_changes(release: Release, model: Any) -> None:
    made = submit(release, "cedar", answers(2))
    work()
    withdraw_submission(submission=made, reason="No.")
    changed = {"signature": "x"} if model is SubmissionScore else {"role": "admin"}
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        model.objects.update(**changed)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        model.objects.all()._raw_delete("default")


def test_the_leaderboard_of_a_full_house_is_refused(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "MAX_SYSTEMS", 1)
    submit(release, "cedar", answers(2))
    with pytest.raises(SubmissionError, match=r"^there are 1 systems on this leaderboard"):
        submit(release, "birch", answers(2))


def test_programs_read_intervals_ranks_and_signatures_on_every_row(release: Release) -> None:
    submit(release, "birch", answers(2))
    submit(release, "cedar", answers(12, wrong=""))
    work()
    document = json.loads(json.dumps(leaderboard_json(shown_leaderboard(release, "test"))))
    assert document["is_current"] is True
    for row in document["rows"]:
        assert row["release_digest"] == release.digest
        for metric in document["metrics"]:
            score = row["scores"][metric["key"]]
            assert score["version"] == metric["version"]
            assert score["n"] == QUESTIONS
            assert (score["ranks"] is None) == (metric["key"] == "at_most")
            assert score["low"] is not None or score["reason"]
