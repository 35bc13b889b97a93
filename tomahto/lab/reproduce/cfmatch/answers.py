"""Answers of QA systems to CFMatch's data sets, and which of them metrics take for right."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tomahto.matching.interface import Matcher, Pair
from tomahto.text.same_question import first_spellings

METRICS = {
    "EM": "em",
    "F1 (0.5)": "f1",
    "CFM": "cfm",
    "CFM-Aug": "cfmatch",
    "BERT": "bert",
    "BERT-Aug": "bert-aug",
}
"""What lines, and matchers where there are some, call each of the paper's metrics. Our `cfmatch` is
trained on the published augmented set, as CFM-Aug is."""
_MATCHERS = ("em", "f1", "cfmatch")
_F1_THRESHOLD = math.nextafter(0.5, 1)  # more than one half: docs/reproduce.md says why
_GIVEN_THRESHOLD = 0.5  # of scores that lines bring


@dataclass(frozen=True, slots=True)
class Answer:
    """A system's answer; `system` is empty where the file names none.

    `is_right` is what people judged, None where nobody did. `other_names` are those of the answer
    in an expanded set: whatever name is accepted, the answer is. `scores` are of its line, by
    metric.
    """

    pair: Pair
    is_right: bool | None
    system: str
    other_names: tuple[str, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)

    @property
    def pairs(self) -> list[Pair]:
        """One for each name."""
        return [self.pair, *(replace(self.pair, candidate=name) for name in self.other_names)]


@dataclass(frozen=True)
class Answers:
    """The answers of a data set, and by metric which of them it takes for right."""

    answers: Sequence[Answer]
    accepted: Mapping[str, Sequence[bool]]

    @classmethod
    def of(cls, answers: Sequence[Answer], matchers: Mapping[str, Matcher]) -> "Answers":
        """By the metrics that all lines score, and by the matchers for the others."""
        named = sorted({name for answer in answers for name in answer.scores})
        given = {
            name: [answer.scores[name] >= _GIVEN_THRESHOLD for answer in answers]
            for name in named
            if all(name in answer.scores for answer in answers)
        }
        asked = {
            name: _asked(matcher, answers)
            for name, matcher in matchers.items()
            if name not in given
        }
        return cls(answers, {**asked, **given})

    @classmethod
    def joined(cls, parts: Sequence["Answers"]) -> "Answers":
        """All answers, by the metrics that all parts have."""
        common = [name for name in parts[0].accepted if all(name in one.accepted for one in parts)]
        return cls(
            [answer for one in parts for answer in one.answers],
            {name: [flag for one in parts for flag in one.accepted[name]] for name in common},
        )

    def why_not(self, metric: str, file: str) -> str:
        """What is needed for a metric that is not among the accepting ones."""
        lacking = sum(metric not in answer.scores for answer in self.answers)
        if lacking < len(self.answers):
            return f"{lacking:,} of {len(self.answers):,} lines of {file} lack a {metric!r}"
        ask = f", or --matcher {metric}" + ("" if metric in _MATCHERS else "=MATCHER")
        return f'needs "scores": {{"{metric}": …}} on the lines of {file}{ask}'

    @cached_property
    def questions(self) -> list[str]:
        """That of each answer, in one spelling."""
        return first_spellings(answer.pair.question for answer in self.answers)

    @property
    def is_judged(self) -> bool:
        """Whether people judged every answer."""
        return all(answer.is_right is not None for answer in self.answers)

    @property
    def systems(self) -> list[str]:
        """By name; one empty name where the file has none."""
        return sorted({answer.system for answer in self.answers})

    def places(self, system: str | None) -> list[int]:
        """Where the system's answers stand; all places for None."""
        return [
            place
            for place, answer in enumerate(self.answers)
            if system is None or answer.system == system
        ]


def _asked(matcher: Matcher, answers: Sequence[Answer]) -> list[bool]:
    """By any name of each answer. F1 has the threshold of the paper."""
    threshold = _F1_THRESHOLD if matcher.name == "f1" else matcher.threshold
    scores = iter(matcher.score([pair for answer in answers for pair in answer.pairs]))
    return [max(next(scores) for _ in answer.pairs) >= threshold for answer in answers]
