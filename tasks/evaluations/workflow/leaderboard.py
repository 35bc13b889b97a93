"""A worker's part in a leaderboard: score what is not scored yet, then compare all of it.

Scores are kept question by question, so that every comparison draws the same questions for all
systems. Whoever repeats it, or does it twice at once, changes nothing: scores are unique for a
submission and a signature, and a comparison is stored only if no other score has come meanwhile.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from tasks.jobs.workflow import jobs
from tasks.models import Job, Leaderboard, Release, Submission, SubmissionScore
from tasks.release_store.released import compared_folder
from tasks.releases.workflow.listing import Report
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.interchange.campaigns.predictions import read_submission
from tomahto.lab.benchmark import Benchmark, benchmark_of, benchmark_systems
from tomahto.lab.leaderboard import (
    LeaderboardMetric,
    Row,
    metrics_with,
    pack_scores,
    score_submission,
    standings,
    unpack_scores,
)
from tomahto.matching.interface import Matcher
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.reading import StoredRelease, read_release

REPLICATES = 2000


def bring_up_to_date(*, job: Job, matchers: Sequence[Matcher], report: Report) -> dict[str, Any]:
    """Score the submissions of the job's release and split that have no score under these
    matchers, and work out the leaderboard anew.

    Raises ReleaseError if the release was withdrawn or cannot be read, StoreError, and LeaseLost.
    """
    release = Release.objects.select_related("withdrawal").get(
        pk=job.parameters["release"], campaign=job.campaign
    )
    if release.withdrawn:
        raise ReleaseError(f"release {release.version} was withdrawn: {release.withdrawn.reason}")
    stored = _stored(release)
    board = _Board(release, benchmark_of(stored, job.parameters["split"]), metrics_with(matchers))
    scored = _score_missing(job, board, matchers, report)
    systems = benchmark_systems(stored, board.benchmark.split)
    compared = _compare(job, board, systems)
    return {"scored": scored, "compared": compared}


class _Board(NamedTuple):
    release: Release
    benchmark: Benchmark
    metrics: tuple[LeaderboardMetric, ...]

    @property
    def signature(self) -> str:
        text = json.dumps([asdict(metric) for metric in self.metrics])
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def bootstrap(self) -> Bootstrap:
        return Bootstrap(REPLICATES, self.release.seed)

    @property
    def submissions(self) -> QuerySet[Submission]:
        """Those that were not withdrawn, by name."""
        return Submission.objects.filter(
            release=self.release, split=self.benchmark.split, withdrawal=None
        ).order_by("name", "pk")

    def scored(self) -> list[int]:
        """The numbers of those that have a score under these metrics."""
        found = self.submissions.filter(scores__signature=self.signature)
        return list(found.values_list("pk", flat=True))


def _stored(release: Release) -> StoredRelease:
    with compared_folder(release.path) as folder:
        stored = read_release(folder)
    if stored.manifest.digest != release.digest:
        raise ReleaseError(f"the folder of {release.version} contains another release")
    return stored


def _score_missing(job: Job, board: _Board, matchers: Sequence[Matcher], report: Report) -> int:
    missing = board.submissions.exclude(scores__signature=board.signature)
    numbers = list(missing.values_list("pk", flat=True))
    report(0, len(numbers) + 1)
    for done, number in enumerate(numbers, start=1):
        submission = Submission.objects.get(pk=number)
        score = _score(submission, board, matchers)
        with transaction.atomic():
            jobs.require_held(job=job)
            # whoever scored it with the same signature first, their row stays
            if not submission.scores.filter(signature=score.signature).exists():
                SubmissionScore.objects.bulk_create([score], ignore_conflicts=True)
        report(done, len(numbers) + 1)
    return len(numbers)


def _score(submission: Submission, board: _Board, matchers: Sequence[Matcher]) -> SubmissionScore:
    predictions = read_submission(
        submission.file.encode(),
        name=submission.file_name,
        format=submission.format or None,
        known=board.benchmark.ids,
    )
    found = score_submission(board.benchmark, predictions.asked, matchers)
    return SubmissionScore(
        submission=submission,
        signature=board.signature,
        scores=pack_scores(found.scores),
        result={"settled": asdict(found.settled), "failures": dict(found.failures)},
    )


def _compare(job: Job, board: _Board, systems: Sequence[Mapping[str, Any]]) -> int:
    """Store the comparison of all scores there are; how many. Raises LeaseLost.

    It is made again if a score or a withdrawal came while it was made. Whoever stores a score
    compares afterwards, so the last comparison to be stored has them all.
    """
    place, _created = Leaderboard.objects.get_or_create(
        release=board.release, split=board.benchmark.split
    )
    while True:
        numbers = board.scored()
        content = json.dumps(_content(board, numbers, systems), allow_nan=False)
        with transaction.atomic():
            jobs.require_held(job=job)
            # until the end of the transaction nobody else stores, and who scores comes later
            Leaderboard.objects.select_for_update().get(pk=place.pk)
            if board.scored() == numbers:
                Leaderboard.objects.filter(pk=place.pk).update(content=content, made_at=Now())
                return len(numbers)


def _content(
    board: _Board, numbers: Sequence[int], systems: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The document that tasks.evaluations.queries.leaderboard reads; texts in it are English."""
    found = SubmissionScore.objects.filter(submission__in=numbers, signature=board.signature)
    scores = {score.submission_id: score for score in found}
    rows = [Row(number, unpack_scores(bytes(scores[number].scores))) for number in numbers]
    benchmark = board.benchmark
    return {
        "digest": benchmark.digest,
        "split": benchmark.split,
        "questions": len(benchmark.questions),
        "without_references": benchmark.without_references,
        "has_verdicts": benchmark.has_verdicts,
        "replicates": REPLICATES,
        "seed": board.bootstrap.seed,
        "submissions": {str(number): scores[number].result for number in numbers},
        "metrics": [each.as_json() for each in standings(board.metrics, rows, board.bootstrap)]
        if benchmark.questions
        else [],
        "systems": list(systems),
    }
