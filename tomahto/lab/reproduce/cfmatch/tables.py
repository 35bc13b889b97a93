"""How metrics judge systems' answers: beside people (CFMatch Tab. 5), and in order (Tab. 4)."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tomahto.estimates.bootstrap import (
    ONE_QUESTION,
    Bootstrap,
    drawn_weights,
    percentile_estimate,
    ratio,
)
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.figures.rows import Shown, count, percent, table_of, text
from tomahto.figures.table import PaperTable
from tomahto.lab.reproduce.cfmatch.answers import Answers
from tomahto.lab.reproduce.cfmatch.figures import CfmatchInput
from tomahto.lab.reproduce.comparison import judged_share
from tomahto.types import Floats

_HUMAN = "human"
_RESERVED = "Questions that are reserved for evaluation may be missing from a file"


def cfmatch_tables(given: CfmatchInput, source: str) -> Iterator[PaperTable]:
    if given.files:
        yield _quality_table(given, source)
    if any(len(answers.systems) > 1 for answers in _by_name(given).values()):
        yield _rank_table(given, source)


def _by_name(given: CfmatchInput) -> dict[str, Answers]:
    """Judged files and models' answers."""
    models: dict[str, list[Answers]] = {}
    for (dataset, kind, _), answers in given.models.items():
        models.setdefault(f"{dataset}, {kind}", []).append(answers)
    return {**given.files, **{name: Answers.joined(parts) for name, parts in models.items()}}


class _Row(NamedTuple):
    """What a metric says of the answers of a file, or of one of its systems."""

    file: str
    metric: str
    system: str
    n: int
    share: Estimate
    other: Estimate


_COLUMNS: tuple[Shown[_Row], ...] = (
    text("file", "File", lambda row: row.file),
    text("metric", "Metric", lambda row: row.metric),
    text("system", "System", lambda row: row.system),
    count("n", "n", lambda row: row.n),
)


def _quality_table(given: CfmatchInput, source: str) -> PaperTable:
    return table_of(
        "quality",
        "Metrics beside people, by system",
        _quality_rows(given),
        *_COLUMNS,
        percent("accuracy", "Accuracy", lambda row: row.share),
        percent("f1", "F1 of right answers", lambda row: row.other),
        notes=("n are answers; intervals resample questions", _RESERVED),
        source=source,
    )


def _quality_rows(given: CfmatchInput) -> Iterator[_Row]:
    for name, answers in given.files.items():
        by_name = [(system, system) for system in answers.systems if system]
        for metric in answers.accepted:
            for title, system in [("all", None), *by_name]:
                places = answers.places(system)
                rights = _rights(answers, _HUMAN)[places]
                accepted = _rights(answers, metric)[places]
                questions = [answers.questions[place] for place in places]
                same = list(zip(questions, (rights == accepted).tolist(), strict=True))
                share = judged_share(same, given.bootstrap)
                f1 = _f1(rights, accepted, questions, given.bootstrap)
                yield _Row(name, metric, title, len(places), share, f1)


def _rank_table(given: CfmatchInput, source: str) -> PaperTable:
    return table_of(
        "ranks",
        "Systems under each metric, and their rank",
        _rank_rows(given),
        *_COLUMNS,
        percent("right", "Right", lambda row: row.share),
        count("rank", "Rank", lambda row: row.other),
        notes=(
            "Right: the share of the system's answers that the metric, or people, take for right",
            "Rank 1 has the highest share; its interval is over resampled questions",
            _RESERVED,
        ),
        source=source,
    )


def _rank_rows(given: CfmatchInput) -> Iterator[_Row]:
    for name, answers in _by_name(given).items():
        if len(answers.systems) < 2:
            continue
        people = (_HUMAN,) if answers.is_judged else ()
        for metric in (*people, *answers.accepted):
            rights = _rights(answers, metric)
            ranks = _ranks(answers, rights, given.bootstrap)
            for system, rank in zip(answers.systems, ranks, strict=True):
                places = answers.places(system)
                rows = [(answers.questions[place], rights[place]) for place in places]
                share = judged_share(rows, given.bootstrap)
                yield _Row(name, metric, system or "(none)", len(places), share, rank)


def _rights(answers: Answers, metric: str) -> Floats:
    """1 where the metric, or a person, takes the answer for right (N,)."""
    if metric == _HUMAN:
        return np.array([answer.is_right is True for answer in answers.answers], dtype=np.float64)
    return np.array(answers.accepted[metric], dtype=np.float64)


def _ranks(answers: Answers, rights: Floats, bootstrap: Bootstrap) -> list[Estimate]:
    """The rank of each system; equal shares have the same, better rank."""
    questions, places = np.unique(answers.questions, return_inverse=True)
    systems = np.searchsorted(answers.systems, [answer.system for answer in answers.answers])
    shape = (len(questions), len(answers.systems))
    right, given = np.zeros(shape), np.zeros(shape)
    np.add.at(right, (places, systems), rights)
    np.add.at(given, (places, systems), 1)
    ranks = _ranked(right.sum(axis=0, keepdims=True) / given.sum(axis=0, keepdims=True))[0]
    if len(questions) == 1:
        return [Estimate(value=float(rank), n=1, reason=ONE_QUESTION) for rank in ranks]
    drawn = np.concatenate(
        [
            _ranked(ratio(weights @ right, weights @ given))
            for weights in drawn_weights(len(questions), len(answers.systems), bootstrap)
        ]
    )
    n, plain = len(questions), bootstrap._replace(is_widened=False)  # ranks are whole numbers
    return [
        percentile_estimate(float(rank), drawn[:, place], n=n, clusters=n, bootstrap=plain)
        for place, rank in enumerate(ranks)
    ]


def _ranked(shares: Floats) -> Floats:
    """The place of each share within its row, from 1; NaN where a row has a system without answers
    in it."""
    better = (shares[:, np.newaxis, :] > shares[:, :, np.newaxis]).sum(axis=2)
    return np.where(np.isnan(shares).any(axis=1, keepdims=True), np.nan, better + 1.0)


def _f1(rights: Floats, accepted: Floats, questions: list[str], bootstrap: Bootstrap) -> Estimate:
    """Of the answers taken for right: 2 TP / (2 TP + FP + FN)."""
    names, places = np.unique(questions, return_inverse=True)
    twice = np.bincount(places, weights=2 * rights * accepted)
    sums = np.bincount(places, weights=rights + accepted)
    n = len(questions)
    if not sums.sum():
        return undefined("nobody takes any answer for right", n=n, seed=bootstrap.seed)
    value = float(twice.sum() / sums.sum())
    if len(names) == 1:
        return Estimate(value=value, n=n, reason=ONE_QUESTION)
    drawn = np.concatenate(
        [
            ratio(weights @ twice, weights @ sums)
            for weights in drawn_weights(len(names), 1, bootstrap)
        ]
    )
    return percentile_estimate(value, drawn, n=n, clusters=len(names), bootstrap=bootstrap)
