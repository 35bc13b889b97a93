"""manage.py submit."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tasks.management import waiting
from tasks.models import Release, Submission
from tasks.releases.workflow.listing import withdraw_release
from tests.tasks.evaluations.leaderboards import answers, as_file, make_release


@pytest.fixture
def release(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Release:
    monkeypatch.setattr("tasks.evaluations.work.suggesting_matchers", lambda: ("em", "f1"))
    monkeypatch.setattr(waiting, "_WORKER_GRACE_SECONDS", 0.0)
    monkeypatch.setattr(waiting, "_POLL_SECONDS", 0.0)
    return make_release(tmp_path)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "answers.json"
    path.write_bytes(as_file(answers(9)))
    return str(path)


def test_submit_waits_and_prints_the_row(
    release: Release, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("submit", "lakes", "1.0.0", file, "--system=cedar", "--wait", "--json")
    printed = json.loads(capsys.readouterr().out)
    assert (printed["system"], printed["state"], printed["split"]) == ("cedar", "compared", "test")
    assert (printed["scores"]["em"]["value"], printed["scores"]["em"]["ranks"]) == (0.75, [1, 1])
    assert printed["release_digest"] == release.digest
    stored = Submission.objects.get()
    assert (stored.submitted_by, stored.role, stored.file_name) == (None, "", file)


def test_submit_without_waiting_says_what_is_queued(
    release: Release, file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--system=cedar", "--split=*", "--description=A large one."]
    call_command("submit", "lakes", "1.0.0", file, *arguments)
    printed = capsys.readouterr().out
    assert "state: waiting" in printed
    assert "split: *" in printed
    assert "description: A large one." in printed


def test_of_a_file_for_the_whole_data_set_the_questions_asked_are_scored(
    release: Release, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = tmp_path / "whole.json"
    asked = json.loads(Path(file).read_text())
    whole.write_text(json.dumps({"elsewhere": "a", **asked, "everywhere": "b"}))
    printed = []
    for system, path in (("cedar", file), ("larch", str(whole))):
        call_command("submit", "lakes", "1.0.0", path, f"--system={system}", "--wait", "--json")
        printed.append(json.loads(capsys.readouterr().out))
    counts = [(row["predictions"], row["passed_over"]) for row in printed]
    assert counts == [(len(asked), 0), (len(asked), 2)]
    assert printed[0]["scores"]["em"]["value"] == printed[1]["scores"]["em"]["value"] == 0.75


def test_submit_refuses_in_one_line(release: Release, file: str, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": "question-1", "candidate": ""}\n' * 2)
    cases = [
        ([str(bad)], f"{bad}, line 2, field id: the question id 'question-1' is also on line 1"),
        ([file, "--split=dev"], "--split: no split 'dev'; the splits are test, *"),
        ([f"{file}.gone"], f"{file}.gone: cannot be opened: No such file or directory"),
    ]
    for arguments, refusal in cases:
        with pytest.raises(CommandError) as refused:
            call_command("submit", "lakes", "1.0.0", *arguments, "--system=cedar")
        assert str(refused.value) == refusal
    with pytest.raises(CommandError, match=r"no release '2.0.0' of lakes; known: 1.0.0"):
        call_command("submit", "lakes", "2.0.0", file, "--system=cedar")
    withdraw_release(release=release, reason="Names.")
    with pytest.raises(CommandError, match=r"^release 1.0.0 was withdrawn: Names.$"):
        call_command("submit", "lakes", "1.0.0", file, "--system=cedar")
    assert not Submission.objects.exists()
