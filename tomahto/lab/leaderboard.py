"""A leaderboard: predictions scored question by question, and what every metric says of all
submissions over the same questions.

A question without a prediction counts as wrong under every metric. So does a blank prediction.
"""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Any

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.lab.benchmark import Benchmark, BenchmarkQuestion
from tomahto.matching.em import ExactMatch
from tomahto.matching.f1 import TokenF1
from tomahto.matching.interface import Matcher, Pair
from tomahto.matching.scores import Unscored, score_apart
from tomahto.ranking.ranks import UNIT, RankSet, standing
from tomahto.scoring.squad import earned
from tomahto.text.normalisation import ExactRule, exact_match, is_empty, is_exact
from tomahto.types import Floats

SAME_AS_METRICS = frozenset({ExactMatch.name, TokenF1.name})  # matchers that need no column more
_REFERENCES = "refs:question"  # all of the question; before, those of rated items alone
_WITH_ACCEPTED = f"{_REFERENCES}+accepted"
_F1 = f"{TokenF1.version}|squad-1.1"  # nothing for an answer without tokens
_BATCH = 500  # answers that a matcher is given at once


@dataclass(frozen=True, slots=True)
class LeaderboardMetric:
    """A column. `version` changes whenever a score could; a matcher's decision is right from
    `threshold` on. What is not `is_ranked` is a bound, and in no order."""

    key: str
    title: str
    version: str
    threshold: float | None = None
    is_ranked: bool = True


EM = LeaderboardMetric("em", "EM", f"{ExactMatch.version}|{_REFERENCES}")
F1 = LeaderboardMetric("f1", "F1", f"{_F1}|{_REFERENCES}")
EM_ACCEPTED = LeaderboardMetric(
    "em_accepted", "EM, accepted answers too", f"{ExactMatch.version}|{_WITH_ACCEPTED}"
)
F1_ACCEPTED = LeaderboardMetric(
    "f1_accepted", "F1, accepted answers too", f"{_F1}|{_WITH_ACCEPTED}"
)
AT_MOST = LeaderboardMetric(
    "at_most",
    "At most right",
    f"people|upper-bound|{ExactMatch.version}|{_WITH_ACCEPTED}",
    is_ranked=False,
)
OWN_METRICS = (EM_ACCEPTED, AT_MOST, EM, F1_ACCEPTED, F1)


@dataclass(frozen=True, slots=True)
class Settled:
    """The numbers of settled questions by their ways: no prediction or a blank one (wrong by rule),
    the same as a reference by the benchmark's rule, or as a candidate that people held right or
    wrong. The others are `open`: nobody has judged what the system said, a tie left it open, or it
    was judged beside some references only and is right by none."""

    missing: int
    blank: int
    exact: int
    judged_right: int
    judged_wrong: int
    open: int

    @property
    def questions(self) -> int:
        return sum(astuple(self))


@dataclass(frozen=True, eq=False)
class SubmissionScores:
    """Scores (Q,) from 0 to 1 of the benchmark's questions by metric, in the order of `metrics`.

    A metric that could not score every answer is in `failures` alone, with the reason.
    """

    metrics: tuple[LeaderboardMetric, ...]
    scores: Mapping[str, Floats]
    failures: Mapping[str, str]
    settled: Settled


def metrics_with(matchers: Sequence[Matcher]) -> tuple[LeaderboardMetric, ...]:
    """The columns that these matchers give."""
    return (
        *OWN_METRICS,
        *(
            LeaderboardMetric(
                matcher.name, matcher.name, f"{matcher.version}|{_REFERENCES}", matcher.threshold
            )
            for matcher in matchers
        ),
    )


def score_submission(
    benchmark: Benchmark, predictions: Mapping[str, str], matchers: Sequence[Matcher]
) -> SubmissionScores:
    """Score predictions by question id. `EM_ACCEPTED` is also the least share that people hold
    right, `AT_MOST` the greatest: all that is open counts as right in it.

    Raises ValueError for a prediction to a question that the benchmark does not have, and what a
    matcher raises that cannot score anything.
    """
    if unknown := predictions.keys() - benchmark.ids:
        raise ValueError(f"no question {min(unknown)!r:.80}, and {len(unknown)} unknown in all")
    answers = [predictions.get(question.id) for question in benchmark.questions]
    answered = [
        (question, answer)
        for question, answer in zip(benchmark.questions, answers, strict=True)
        if answer is not None and not is_empty(answer)
    ]
    places = np.array([answer is not None and not is_empty(answer) for answer in answers], np.bool_)
    outcomes = [_outcome(question, answer, benchmark.exact_rule) for question, answer in answered]
    columns = dict(_own_columns(answered, outcomes))
    failures: dict[str, str] = {}
    for matcher in matchers:
        decisions = _decisions(matcher, answered)
        if isinstance(decisions, str):
            failures[matcher.name] = decisions
        else:
            columns[matcher.name] = decisions
    return SubmissionScores(
        metrics=metrics_with(matchers),
        scores={key: _spread(values, places) for key, values in columns.items()},
        failures=failures,
        settled=Settled(
            missing=answers.count(None),
            blank=len(answers) - answers.count(None) - len(answered),
            exact=outcomes.count("exact"),
            judged_right=outcomes.count("right"),
            judged_wrong=outcomes.count("wrong"),
            open=outcomes.count("open"),
        ),
    )


_Answered = Sequence[tuple[BenchmarkQuestion, str]]


def _outcome(question: BenchmarkQuestion, answer: str, rule: ExactRule) -> str:
    if is_exact(answer, question.references, rule):
        return "exact"
    found = {
        verdict for text, verdict in question.verdicts.items() if is_exact(answer, (text,), rule)
    }
    if True in found:
        return "right"
    return "wrong" if found == {False} else "open"


def _own_columns(
    answered: _Answered, outcomes: Sequence[str]
) -> Iterator[tuple[str, Sequence[float]]]:
    yield EM_ACCEPTED.key, [float(each in ("exact", "right")) for each in outcomes]
    yield EM.key, [float(exact_match(text, asked.references)) for asked, text in answered]
    yield (
        F1_ACCEPTED.key,
        [earned((*asked.references, *asked.accepted), text).f1 for asked, text in answered],
    )
    yield F1.key, [earned(asked.references, text).f1 for asked, text in answered]
    yield AT_MOST.key, [float(each != "wrong") for each in outcomes]


def _decisions(matcher: Matcher, answered: _Answered) -> list[float] | str:
    """1 where the matcher calls the answer right, else 0; or why some could not be scored."""
    pairs = [
        Pair(question.question, question.context, question.references, answer)
        for question, answer in answered
    ]
    scores = [
        score
        for start in range(0, len(pairs), _BATCH)
        for score in score_apart(matcher, pairs[start : start + _BATCH])
    ]
    failed = [score for score in scores if isinstance(score, Unscored)]
    if failed:
        return f"{len(failed)} of {len(pairs)} answers could not be scored: {failed[0].reason}"
    return [float(not isinstance(s, Unscored) and s >= matcher.threshold) for s in scores]


def _spread(values: Sequence[float], places: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Floats:
    """The values at their places, 0 everywhere else."""
    spread = np.zeros(len(places))
    spread[places] = values
    return spread


def pack_scores(scores: Mapping[str, Floats]) -> bytes:
    """Scores from 0 to 1 (Q,) by metric, to six decimals, as compressed JSON."""
    units = {key: np.rint(values * UNIT).astype(int).tolist() for key, values in scores.items()}
    return zlib.compress(json.dumps(units, separators=(",", ":")).encode())


def unpack_scores(packed: bytes) -> dict[str, Floats]:
    units = json.loads(zlib.decompress(packed))
    return {key: np.array(values, np.float64) / UNIT for key, values in units.items()}


_DECIMALS = 4  # of published shares of replicates


@dataclass(frozen=True, eq=False)
class Row:
    """A submission by its number, with its scores (Q,) by metric."""

    number: int
    scores: Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class RankedSubmission:
    """A submission with its ranks, by its number.

    Submissions of one `group` cannot be put in an order as a whole. `better` is the share of
    replicates in which it is ahead of each other submission, by number. Ranks, group and shares are
    missing where the metric puts nobody in an order.
    """

    number: int
    mean: Estimate
    ranks: RankSet | None
    group: int | None
    better: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class MetricStanding:
    """The submissions that have a score under the metric, highest mean first."""

    metric: LeaderboardMetric
    submissions: tuple[RankedSubmission, ...]

    def as_json(self) -> dict[str, Any]:
        """Keys are texts, so that a database's JSON gives back what it was given."""
        return {
            **asdict(self.metric),
            "places": [
                {
                    "submission": ranked.number,
                    "mean": estimate_as_json(ranked.mean),
                    "ranks": [ranked.ranks.first, ranked.ranks.last] if ranked.ranks else None,
                    "group": ranked.group,
                    "better": {str(number): share for number, share in ranked.better.items()},
                }
                for ranked in self.submissions
            ],
        }


def standings(
    metrics: Sequence[LeaderboardMetric], rows: Sequence[Row], bootstrap: Bootstrap
) -> tuple[MetricStanding, ...]:
    """Every metric over the rows that have it. The order of equal means is that of the rows."""
    return tuple(_standing(metric, rows, bootstrap) for metric in metrics)


def _standing(
    metric: LeaderboardMetric, rows: Sequence[Row], bootstrap: Bootstrap
) -> MetricStanding:
    scored = [row for row in rows if metric.key in row.scores]
    if not scored:
        return MetricStanding(metric, ())
    found = standing(np.stack([row.scores[metric.key] for row in scored], axis=1), bootstrap)
    group_of = {
        place: number for number, group in enumerate(found.groups, start=1) for place in group
    }
    order = [place for group in found.groups for place in group]
    shares = np.round(found.better, _DECIMALS)
    return MetricStanding(
        metric,
        tuple(
            RankedSubmission(
                number=scored[place].number,
                mean=found.means[place],
                ranks=found.rank_sets[place] if metric.is_ranked else None,
                group=group_of[place] if metric.is_ranked else None,
                better={
                    scored[other].number: float(shares[place, other])
                    for other in order
                    if other != place and metric.is_ranked
                },
            )
            for place in order
        ),
    )
