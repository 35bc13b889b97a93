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
from tomahto.types import Flags, Floats

_RESERVED = "Questions that are reserved for evaluation may be missing from a file"


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


def cfmatch_tables(given: CfmatchInput, source: str) -> Iterator[PaperTable]:
    if given.files:
        yield table_of(
            "quality",
            "Metrics beside people, by system",
            _quality_rows(given),
            *_COLUMNS,
            percent("accuracy", "Accuracy", lambda row: row.share),
            percent("f1", "F1 of right answers", lambda row: row.other),
            notes=("n are answers; intervals resample questions", _RESERVED),
            source=source,
        )
    models: dict[str, list[Answers]] = {}
    for (dataset, kind, _), answers in given.models.items():
        models.setdefault(f"{dataset}, {kind}", []).append(answers)
    files = {**given.files, **{name: Answers.joined(parts) for name, parts in models.items()}}
    compared = {name: answers for name, answers in files.items() if len(answers.systems) > 1}
    if compared:
        yield table_of(
            "ranks",
            "Systems under each metric, and their rank",
            (
                row
                for name, answers in compared.items()
                for row in _rank_rows(name, answers, given.bootstrap)
            ),
            *_COLUMNS,
            percent("right", "Right", lambda row: row.share),
            count("rank", "Rank", lambda row: row.other),
            notes=(
                (
                    "Right: the share of the system's answers that the metric, or people, take for"
                    " right"
                ),
                "Rank 1 has the highest share; its interval is over resampled questions",
                _RESERVED,
            ),
            source=source,
        )


def _quality_rows(given: CfmatchInput) -> Iterator[_Row]:
    bootstrap = given.bootstrap
    for name, answers in given.files.items():
        parts = {"all": np.ones(len(answers.answers), np.bool_)}
        parts |= {system: answers.of_system(system) for system in answers.systems if system}
        for metric, accepted in answers.accepted.items():
            for title, part in parts.items():
                share = answers.share(accepted == answers.right, bootstrap, part)
                f1 = _f1(answers, accepted, part, bootstrap)
                yield _Row(name, metric, title, int(part.sum()), share, f1)


def _rank_rows(name: str, answers: Answers, bootstrap: Bootstrap) -> Iterator[_Row]:
    people = {"human": answers.right} if answers.is_judged else {}
    for judge, rights in {**people, **answers.accepted}.items():
        ranks = _ranks(answers, rights, bootstrap)
        for system, rank in zip(answers.systems, ranks, strict=True):
            part = answers.of_system(system)
            share = answers.share(rights, bootstrap, part)
            yield _Row(name, judge, system or "(none)", int(part.sum()), share, rank)


def _ranks(answers: Answers, rights: Flags, bootstrap: Bootstrap) -> list[Estimate]:
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


def _f1(answers: Answers, accepted: Flags, part: Flags, bootstrap: Bootstrap) -> Estimate:
    """Of the answers of a part that are taken for right: 2 TP / (2 TP + FP + FN)."""
    names, places = np.unique(np.array(answers.questions)[part], return_inverse=True)
    rights, said = answers.right[part].astype(np.float64), accepted[part].astype(np.float64)
    twice, sums = (np.bincount(places, weights=each) for each in (2 * rights * said, rights + said))
    n = len(places)
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
