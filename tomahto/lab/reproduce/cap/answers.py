"""Answers laid out as CAP-Correctness, and what metrics make of them and their classes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.reproduce.comparison import Needed
from tomahto.matching.interface import Matcher, Pair
from tomahto.ranking.monotonicity import MonotonicityReport, OrderedPair
from tomahto.ranking.order_counts import OrderedItems
from tomahto.ranking.order_intervals import OrderIntervals, order_intervals
from tomahto.text.same_question import first_spellings
from tomahto.votes.scheme import LabelScheme

METRICS = {
    "BLEU": "bleu-nltk",
    "ROUGE-L": "rouge-l",
    "METEOR": "meteor",
    "BERTScore": "bertscore",
    "COMET": "comet",
    "CAP": "cap",
}
"""The name in files and of the matcher of each of the paper's metrics; COMET has no matcher."""
_ON_LINES = {"bleu-nltk": "bleu"}
"""Other names of metrics on lines: the paper's BLEU is NLTK's (App. C.2)."""

SYSTEMS = ("GPT-4o", "Gemini Flash", "Qwen 3")
"""The language models whose answers people labelled (Tab. 5)."""

_WORD = re.compile(r"[a-z]+|[0-9]+")

Inference = tuple[float, float]
"""The probabilities of entailment and of neutral."""


def model_of(system: str) -> str:
    """The language model whose name is part of a system's, as in `qwen-3-32b`, or ""."""
    words = set(_WORD.findall(system.lower()))
    return next((name for name in SYSTEMS if words.issuperset(_WORD.findall(name.lower()))), "")


def models_of(systems: Iterable[str]) -> list[str]:
    """The language models among them, each once, by name."""
    return sorted({model for system in systems if (model := model_of(system))})


@dataclass(frozen=True, slots=True)
class CapAnswer:
    """A line: the published label, that of a person where one gave it, and scores by metric.

    `system` is the language model whose answer it is; empty in CAP-Correctness itself.
    `inferences` are what CAP's model says, reference → candidate and back, where that is known.
    `id` is the item's in a release; `corpus` is where its question comes from, `labels` what else
    is known of its label, by source.
    """

    pair: Pair
    label: str
    human_label: str | None
    system: str
    scores: Mapping[str, float]
    inferences: tuple[Inference, Inference] | None = None
    id: str = ""
    corpus: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    def with_inferences(
        self, score: float | None, forward: Inference, backward: Inference
    ) -> "CapAnswer":
        """With what CAP says of it; a score that it has stays."""
        scores = {**({} if score is None else {"cap": score}), **self.scores}
        return replace(self, scores=scores, inferences=(forward, backward))


@dataclass(frozen=True)
class CapFiles:
    """`scheme` holds the eight classes. Matchers score what the lines themselves do not, and
    intervals draw questions."""

    answers: Sequence[CapAnswer]
    scheme: LabelScheme
    matchers: Mapping[str, Matcher]
    bootstrap: Bootstrap
    _orders: dict[str, OrderIntervals] = field(default_factory=dict, init=False)

    @cached_property
    def benchmark(self) -> list[CapAnswer]:
        return [answer for answer in self.answers if not answer.system]

    @cached_property
    def validated(self) -> list[CapAnswer]:
        """Those of the benchmark that a person labelled too."""
        return [answer for answer in self.benchmark if answer.human_label is not None]

    def require_benchmark(self) -> None:
        """Raises Needed where no line is of the benchmark."""
        if not self.answers:
            raise Needed("needs lines of CAP-Correctness, or a release of the protocol cap")
        if not self.benchmark:
            raise Needed(f'needs lines without a "system": all {len(self.answers):,} name one')

    def require_validated(self) -> None:
        """Raises Needed where a person labelled no line of the benchmark."""
        self.require_benchmark()
        if not self.validated:
            lines = f"{len(self.benchmark):,} lines"
            raise Needed(f'needs a "human_label" on any of the {lines} without a "system"')

    @property
    def metrics(self) -> list[str]:
        """Those of the matchers and those that the benchmark's lines name, by name."""
        named = {name for answer in self.benchmark for name in answer.scores}
        return sorted(named.union(self.matchers))

    def scores(self, name: str, answers: Sequence[CapAnswer]) -> list[float]:
        """The scores of a metric by its name in files. Raises Needed."""
        there = [answer.scores[name] for answer in answers if name in answer.scores]
        if len(there) == len(answers):
            return there
        if there:
            lacking = f"{len(answers) - len(there):,} of {len(answers):,} lines"
            raise Needed(f"{lacking} have no score {name!r}")
        if name in self.matchers:
            return self.matchers[name].score([answer.pair for answer in answers])
        if name in _ON_LINES and any(_ON_LINES[name] in answer.scores for answer in answers):
            return self.scores(_ON_LINES[name], answers)
        ask = "" if name == "comet" else f", or --matcher {name}"
        raise Needed(f'needs lines with "scores": {{"{name}": …}}, or scores=FILE by item{ask}')

    def order(
        self, name: str, answers: Sequence[CapAnswer], labels: Sequence[str]
    ) -> OrderIntervals:
        """The order of the labels by the metric's scores. Raises Needed."""
        scores = np.array(self.scores(name, answers), dtype=np.float64)
        items = OrderedItems.of(labels, scores, questions_of(answers), self.scheme)
        return order_intervals(items, self.bootstrap)

    def benchmark_order(self, name: str) -> OrderIntervals:
        """Of the benchmark, under the published labels; computed once. Raises Needed."""
        self.require_benchmark()
        if name not in self._orders:
            labels = [answer.label for answer in self.benchmark]
            self._orders[name] = self.order(name, self.benchmark, labels)
        return self._orders[name]


def questions_of(answers: Iterable[CapAnswer]) -> list[str]:
    """That of each answer, in one spelling."""
    return first_spellings(answer.pair.question for answer in answers)


class ItemScores(NamedTuple):
    """Those of an item of a release by metric, and what CAP's score comes from, if known."""

    scores: Mapping[str, float]
    inferences: tuple[Inference, Inference] | None


def with_scores(answers: Iterable[CapAnswer], by_item: Mapping[str, ItemScores]) -> list[CapAnswer]:
    """The answers with the scores of their items; scores that an answer has stay."""
    return [
        replace(
            answer,
            scores={**found.scores, **answer.scores},
            inferences=answer.inferences or found.inferences,
        )
        if answer.id and (found := by_item.get(answer.id))
        else answer
        for answer in answers
    ]


CLASSES = {
    "Exact": "exact",
    "Equivalent": "equivalent",
    "Partial": "partial",
    "OV": "overinclusive-valid",
    "OI": "overinclusive-invalid",
    "Invalid": "invalid",
    "Contradictory": "contradictory",
    "Alt.": "alternative-correct",
    "Eq": "equivalent",
    "Part": "partial",
    "Alt": "alternative-correct",
    "Inv": "invalid",
}
"""By the paper's short names."""
MEAN_CLASSES = ("Exact", "Equivalent", "Partial", "OV", "OI", "Invalid", "Contradictory", "Alt.")
"""In the order of Tab. 17."""


def pair_of(report: MonotonicityReport, name: str) -> OrderedPair:
    """The pair of classes that the paper writes as "Eq > Part". Raises Needed where one of both has
    no answer."""
    higher, lower = (CLASSES[part] for part in name.split(" > "))
    (pair,) = (
        one for one in report.pairs if (one.higher.label, one.lower.label) == (higher, lower)
    )
    if empty := [one.label for one in (pair.higher, pair.lower) if one.mean.value is None]:
        raise Needed(_needed(*empty))
    return pair


def mean_of(order: OrderIntervals, name: str) -> Estimate:
    """The mean score of a class. Raises Needed."""
    found = order.class_mean(CLASSES[name])
    if found.value is None:
        raise Needed(_needed(CLASSES[name]))
    return found


def violating(report: MonotonicityReport) -> Estimate:
    """The number of violations among the strictly ordered pairs of classes."""
    empty = [one.label for one in report.classes if one.mean.value is None]
    if empty:
        return undefined(_needed(*empty), n=report.n)
    return Estimate(value=sum(pair.is_violation is True for pair in report.pairs), n=report.n)


def _needed(*labels: str) -> str:
    return f"needs answers of the class {', '.join(labels)}: there is none"
