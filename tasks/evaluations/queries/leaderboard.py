"""A leaderboard as it is shown: what a worker has worked out, and what has come since."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal

from tasks.models import (
    UNFINISHED,
    Job,
    JobKind,
    JobState,
    Leaderboard,
    Membership,
    Release,
    Submission,
)
from tasks.release_store.released import compared_folder
from tomahto.lab.benchmark import EVERYTHING, question_ids, usual_split
from tomahto.lab.leaderboard import OWN_METRICS

State = Literal["compared", "waiting", "failed", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A submission and what is known of it. `error` says why it could not be scored."""

    submission: Submission
    state: State
    error: str = ""


@dataclass(frozen=True, slots=True)
class ShownLeaderboard:
    """`content` is what was last worked out (tasks.evaluations.workflow.leaderboard), None before
    the first time. `has_order`: nobody in it was withdrawn since; else its numbers hold, but not
    its ranks.
    """

    release: Release
    split: str
    content: Mapping[str, Any] | None
    made_at: datetime | None
    entries: tuple[Entry, ...]
    has_order: bool

    @property
    def is_current(self) -> bool:
        is_whole = self.content is not None and self.has_order and not self.waiting
        return is_whole and not self.is_outdated

    @property
    def is_outdated(self) -> bool:
        """Whether it was worked out by metrics of an earlier version of Tomahto."""
        versions = {metric.key: metric.version for metric in OWN_METRICS}
        metrics = self.content["metrics"] if self.content else ()
        return any(
            versions.get(each["key"], each["version"]) != each["version"] for each in metrics
        )

    @property
    def waiting(self) -> int:
        return sum(entry.state == "waiting" for entry in self.entries)


def splits_of(release: Release) -> tuple[str, ...]:
    return (*sorted(release.splits), EVERYTHING)


def usual_split_of(release: Release) -> str:
    return usual_split(tuple(release.splits))


def shown_leaderboard(release: Release, split: str) -> ShownLeaderboard:
    """The submissions to a split, in the order in which they came."""
    board = Leaderboard.objects.filter(release=release, split=split).first()
    content = json.loads(board.content) if board and board.content else None
    compared = set(content["submissions"]) if content else set()
    submissions = (
        Submission.objects.filter(release=release, split=split)
        .select_related("withdrawal", "job")
        .defer("file")
    )
    entries = tuple(_entry(submission, compared) for submission in submissions)
    withdrawn = {str(each.submission.pk) for each in entries if each.state == "withdrawn"}
    return ShownLeaderboard(
        release=release,
        split=split,
        content=content,
        made_at=board.made_at if board else None,
        entries=entries,
        has_order=not withdrawn & compared,
    )


def latest_job(release: Release, split: str) -> Job | None:
    """The last that was to bring the leaderboard up to date; an unfinished one if there is any."""
    jobs = Job.objects.filter(
        campaign=release.campaign_id,
        kind=JobKind.SUBMISSION,
        parameters__release=release.pk,
        parameters__split=split,
    )
    return jobs.filter(state__in=UNFINISHED).first() or jobs.first()


def found_submission(membership: Membership, version: str, number: int) -> Submission:
    """Of the member's campaign. Raises Submission.DoesNotExist."""
    submissions = Submission.objects.select_related(
        "release__campaign", "release__withdrawal", "withdrawal"
    )
    return submissions.defer("file").get(
        pk=number, release__campaign=membership.campaign, release__version=version
    )


def leaderboard_json(shown: ShownLeaderboard) -> dict[str, Any]:
    content: Mapping[str, Any] = shown.content or {}
    metrics = content.get("metrics", [])
    return {
        "release": shown.release.version,
        "digest": shown.release.digest,
        "split": shown.split,
        "made_at": shown.made_at.isoformat() if shown.made_at else None,
        "is_current": shown.is_current,
        **{key: content.get(key) for key in ("questions", "without_references", "replicates")},
        "seed": content.get("seed"),
        "metrics": [
            {key: metric[key] for key in ("key", "title", "version", "threshold", "is_ranked")}
            for metric in metrics
        ],
        "rows": [_row_json(shown, entry, metrics) for entry in shown.entries],
        "systems_in_the_benchmark": content.get("systems", []),
    }


def _entry(submission: Submission, compared: set[str]) -> Entry:
    if submission.withdrawn:
        return Entry(submission, "withdrawn")
    if str(submission.pk) in compared:
        return Entry(submission, "compared")
    if submission.job.state in (JobState.FAILED, JobState.CANCELLED):
        return Entry(submission, "failed", submission.job.error or "its job was cancelled")
    return Entry(submission, "waiting")


def _row_json(
    shown: ShownLeaderboard, entry: Entry, metrics: list[dict[str, Any]]
) -> dict[str, Any]:
    submission, withdrawn = entry.submission, entry.submission.withdrawn
    row: dict[str, Any] = {
        "id": submission.pk,
        "system": submission.name,
        "description": submission.description,
        "state": entry.state,
        "submitted_at": submission.created_at.isoformat(),
        "file_sha256": submission.sha256,
        "release_digest": shown.release.digest,
        "predictions": submission.predictions,
        "passed_over": submission.passed_over,
    }
    if withdrawn:
        row["withdrawn"] = {
            "reason": withdrawn.reason,
            "role": withdrawn.role,
            "created_at": withdrawn.created_at.isoformat(),
        }
    if entry.state == "failed":
        row["error"] = entry.error
    if entry.state == "compared" and shown.content is not None:
        row |= shown.content["submissions"][str(submission.pk)]
        row["scores"] = _scores_json(shown, submission, metrics)
    return row


def _scores_json(
    shown: ShownLeaderboard, submission: Submission, metrics: list[dict[str, Any]]
) -> dict[str, Any]:
    scores: dict[str, Any] = {}
    for metric in metrics:
        for place in metric["places"]:
            if place["submission"] == submission.pk:
                order = {key: place[key] for key in ("ranks", "group", "better")}
                scores[metric["key"]] = {
                    **place["mean"],
                    "version": metric["version"],
                    **(order if shown.has_order else dict.fromkeys(order)),
                }
    return scores


_KEPT = 16  # releases and splits in memory, because reading a large one takes seconds


def known_questions(release: Release, split: str) -> frozenset[str]:
    """The ids of the questions of a split (tomahto.lab.benchmark).

    Raises UnknownSplit, ReleaseError or StoreError.
    """
    return _known(release.path, release.digest, split)


@lru_cache(maxsize=_KEPT)
def _known(
    path: str,
    digest: str,  # noqa: ARG001 - with the place it names what is read
    split: str,
) -> frozenset[str]:
    with compared_folder(path) as folder:
        return question_ids(folder, split)
