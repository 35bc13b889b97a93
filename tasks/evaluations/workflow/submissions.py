"""Handing a system's predictions in to a leaderboard, and taking them back."""

import hashlib
from collections.abc import Callable, Mapping

from django.db import IntegrityError, transaction

from tasks.evaluations.queries.leaderboard import (
    ShownLeaderboard,
    known_questions,
    latest_job,
    shown_leaderboard,
)
from tasks.jobs.workflow.jobs import start_job
from tasks.models import (
    AuditAction,
    Job,
    JobKind,
    JobState,
    Membership,
    Release,
    Submission,
    SubmissionWithdrawal,
)
from tasks.storing.acts import record, storable
from tasks.storing.refusals import Refusal
from tomahto.interchange.campaigns.predictions import read_submission
from tomahto.lab.benchmark import UnknownSplit
from tomahto.releases.records.fields import ReleaseError
from tomahto.text.normalisation import plain_name

MAX_BYTES = 16 << 20  # of a file; it is kept with the submission
MAX_FILE_NAME = 255
MAX_NAME = 150
MAX_DESCRIPTION = 300
MAX_REASON = 500
MAX_SYSTEMS = 200  # on one leaderboard: every two of them are compared


class SubmissionError(Refusal, ValueError):
    """The submission, or its withdrawal, is refused. `field` says what has to be changed, and is
    empty where nothing can be."""

    def __init__(self, message: str, field: str = "") -> None:
        self.field = field
        self.status = 400 if field else 409
        super().__init__(message)

    def body(self, address_of: Callable[..., str]) -> Mapping[str, str]:
        return {**super().body(address_of), **({"field": self.field} if self.field else {})}


def submit_predictions(
    *,
    release: Release,
    name: str,
    content: bytes,
    file_name: str,
    split: str,
    description: str = "",
    format: str | None = None,  # noqa: A002 -- the word that commands and forms use
    by: Membership | None = None,
) -> Submission:
    """Store the file and queue the job that scores it; `by` is None for operators.

    A name can be used again once the submission that has it is withdrawn. Raises InputError with
    file, line and field for a wrong file; SubmissionError for anything else that is wrong, such as
    a withdrawn release; and StoreError.
    """
    require_open(release)
    name, description = _line("name", plain_name(name), MAX_NAME), _line("description", description)
    if not name:
        raise SubmissionError("the system needs a name", "name")
    if len(content) > MAX_BYTES:
        raise SubmissionError(f"has {len(content):,} bytes; the limit is {MAX_BYTES:,}", "file")
    try:
        known = known_questions(release, split)
    except UnknownSplit as error:
        raise SubmissionError(str(error), "split") from None
    except ReleaseError as error:
        raise SubmissionError(f"the release cannot be read: {error}") from error
    predictions = read_submission(content, name=file_name, format=format, known=known)
    submission = Submission(
        release=release,
        name=name,
        description=description,
        split=split,
        file=content.decode(),
        file_name=storable(file_name)[-MAX_FILE_NAME:],
        format=format or "",
        sha256=hashlib.sha256(content).hexdigest(),
        predictions=len(predictions.asked),
        passed_over=predictions.passed_over,
        submitted_by=by.user if by else None,
        role=by.role if by else "",
    )
    _store(submission, by)
    return submission


def withdraw_submission(
    *, submission: Submission, reason: str, by: Membership | None = None
) -> SubmissionWithdrawal:
    """Take the submission off its leaderboard for good; `by` is None for operators.

    Its name and the reason stay to be read. Raises SubmissionError without a reason, for anybody
    but who submitted it and admins, and if it was withdrawn before.
    """
    if by and not may_withdraw(submission, by):
        raise SubmissionError("only its submitter and admins can withdraw a submission")
    reason = _line("reason", reason, MAX_REASON)
    if not reason:
        raise SubmissionError("give a reason for the withdrawal", "reason")
    withdrawal = SubmissionWithdrawal(
        submission=submission,
        reason=reason,
        withdrawn_by=by.user if by else None,
        role=by.role if by else "",
    )
    try:
        with transaction.atomic():
            withdrawal.save(force_insert=True)
            if submission.release.withdrawn is None:
                queue(submission.release, submission.split, f"withdrawn {submission.pk}")
            _record(AuditAction.SUBMISSION_WITHDRAWN, submission, by, {"reason": reason})
    except IntegrityError:
        raise SubmissionError(f"{submission.name} was withdrawn before") from None
    return withdrawal


def may_withdraw(submission: Submission, membership: Membership) -> bool:
    is_own = submission.submitted_by_id is not None and (
        submission.submitted_by_id == membership.user_id
    )
    return is_own or membership.is_admin


def require_open(release: Release) -> None:
    if release.withdrawn:
        raise SubmissionError(
            f"release {release.version} was withdrawn: {release.withdrawn.reason}"
        )


def queue(release: Release, split: str, cause: str) -> Job:
    """The job that brings a leaderboard up to date. Each `cause` has its own, because a job that
    runs already may have looked before it."""
    name = f"{release.version} {cause}"
    return start_job(
        campaign=release.campaign,
        kind=JobKind.SUBMISSION,
        parameters={"name": name, "release": release.pk, "split": split},
    )


def ask_for_leaderboard(release: Release, split: str) -> ShownLeaderboard:
    """The leaderboard as it is. Queue the job for one that nobody has asked for before, or that was
    worked out by an earlier version of Tomahto."""
    shown = shown_leaderboard(release, split)
    if not release.withdrawn and (shown.content is None or shown.is_outdated):
        job = latest_job(release, split)
        if job is None or (shown.is_outdated and job.state == JobState.DONE):
            queue(release, split, "opened")
    return shown


def _store(submission: Submission, by: Membership | None) -> None:
    """With its job, unless its name is taken or the leaderboard is full."""
    release, name = submission.release, submission.name
    there = Submission.objects.filter(release=release, withdrawal=None)
    if there.filter(split=submission.split).count() >= MAX_SYSTEMS:
        raise SubmissionError(
            f"there are {MAX_SYSTEMS} systems on this leaderboard, the most it can have"
        )
    namesakes = Submission.objects.filter(release=release, name=name)
    submission.attempt = namesakes.exclude(withdrawal=None).count()
    try:
        with transaction.atomic():
            submission.job = queue(
                release, submission.split, f"submitted {name} {submission.attempt}"
            )
            submission.save(force_insert=True)
            details = {"split": submission.split, "sha256": submission.sha256}
            _record(AuditAction.SUBMISSION_MADE, submission, by, details)
    except IntegrityError:
        raise SubmissionError(
            f"release {release.version} already has a submission named {name!r}", "name"
        ) from None


def _record(
    action: AuditAction, submission: Submission, by: Membership | None, details: dict[str, str]
) -> None:
    subject = ("submission", f"{submission.name} to {submission.release.version}")
    campaign = submission.release.campaign
    record(action, campaign=campaign, subject=subject, details=details, by=by)


def _line(field: str, text: str, limit: int = MAX_DESCRIPTION) -> str:
    """One line without blanks at its ends. Raises SubmissionError if it is too long."""
    line = " ".join(str(storable(text)).split())
    if len(line) > limit:
        raise SubmissionError(f"has {len(line)} characters, over {limit}", field)
    return line
