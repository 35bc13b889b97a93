"""Answers of QA systems to CFMatch's data sets, which of them metrics take for right, and what
people labelled by the rules (§3.2 and 5)."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.judged import JudgedItem
from tomahto.lab.release_data import drawn_items, judged_data_of
from tomahto.lab.report import pair_of
from tomahto.lab.reproduce.comparison import Cells, Needed, counted, judged_share, size
from tomahto.matching.interface import Matcher, Pair
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.reading import StoredRelease
from tomahto.text.normalisation import exact_match
from tomahto.text.same_question import first_spellings
from tomahto.types import Flags

METRICS = {
    "EM": "em",
    "F1 (0.5)": "f1",
    "CFM": "cfm",
    "CFM-Aug": "cfmatch",
    "BERT": "bert",
    "BERT-Aug": "bert-aug",
}
"""The names of the paper's metrics on lines, and of matchers where there are some. Our `cfmatch` is
trained on the published augmented set, as CFM-Aug is."""
_MATCHERS = ("em", "f1", "cfmatch")
_F1_THRESHOLD = math.nextafter(0.5, 1)  # more than one half: docs/reproduce.md says why
_GIVEN_THRESHOLD = 0.5  # of scores that lines bring

_RULE_4 = "more-details"
_SPECIFICITY = ("fewer-details", "more-details")
_BETTER: Mapping[str, tuple[str, ...]] = {
    "Specificity": _SPECIFICITY,
    "Semantic similarity": ("semantic",),
    "Aliases": ("aliasing",),
}
_WORSE: Mapping[str, tuple[str, ...]] = {
    "Irrelevant": ("irrelevant",),
    "Specificity": _SPECIFICITY,
    "Token overlap": ("semantic",),
}
_NEEDED = "needs a release of a rules campaign"
_NOT_RELEASED = {
    **dict.fromkeys(
        ("Generated", "Removed"), "a release has none of the drafts that nobody approved"
    ),
    "Checked again by people": "a release does not tell second checks apart",
}


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
    """The answers of a data set (N,), and by metric which of them it takes for right (N,)."""

    answers: Sequence[Answer]
    accepted: Mapping[str, Flags]

    @classmethod
    def of(cls, answers: Sequence[Answer], matchers: Mapping[str, Matcher]) -> "Answers":
        """By the metrics that all lines score, and by the matchers for the others."""
        given = {
            name: np.array([answer.scores[name] >= _GIVEN_THRESHOLD for answer in answers])
            for name in sorted({name for answer in answers for name in answer.scores})
            if all(name in answer.scores for answer in answers)
        }
        asked = {
            name: _matcher_verdicts(matcher, answers)
            for name, matcher in matchers.items()
            if name not in given
        }
        return cls(answers, {**asked, **given})

    @classmethod
    def joined(cls, parts: Sequence["Answers"]) -> "Answers":
        """All answers, by the metrics that all parts have."""
        answers = [answer for one in parts for answer in one.answers]
        return cls(answers, _joined([one.accepted for one in parts]))

    def why_not(self, metric: str, file: str) -> str:
        """The reason why a metric is not among the accepting ones: its lacking input."""
        lacking = sum(metric not in answer.scores for answer in self.answers)
        if lacking < len(self.answers):
            return f"{lacking:,} of {len(self.answers):,} lines of {file} lack a {metric!r}"
        ask = f", or --matcher {metric}" + ("" if metric in _MATCHERS else "=MATCHER")
        return f'needs "scores": {{"{metric}": …}} on the lines of {file}{ask}'

    @cached_property
    def questions(self) -> list[str]:
        """That of each answer, in one spelling."""
        return first_spellings(answer.pair.question for answer in self.answers)

    @cached_property
    def right(self) -> Flags:
        """The answers that people take for right (N,)."""
        return np.array([answer.is_right is True for answer in self.answers], np.bool_)

    @property
    def is_judged(self) -> bool:
        """Whether people judged every answer."""
        return all(answer.is_right is not None for answer in self.answers)

    @property
    def systems(self) -> list[str]:
        """By name; one empty name where the file has none."""
        return sorted({answer.system for answer in self.answers})

    def of_system(self, system: str) -> Flags:
        return np.array([answer.system == system for answer in self.answers], np.bool_)

    def share(self, flags: Flags, bootstrap: Bootstrap, among: Flags | None = None) -> Estimate:
        return judged_share(self.questions, flags, bootstrap, among)


def _matcher_verdicts(matcher: Matcher, answers: Sequence[Answer]) -> Flags:
    """By any name of each answer. F1 has the threshold of the paper."""
    threshold = _F1_THRESHOLD if matcher.name == "f1" else matcher.threshold
    scores = iter(matcher.score([pair for answer in answers for pair in answer.pairs]))
    return np.array(
        [max(next(scores) for _ in answer.pairs) >= threshold for answer in answers], np.bool_
    )


def _joined(parts: Sequence[Mapping[str, Flags]]) -> dict[str, Flags]:
    """The flags that all parts have, those of one part after those of another."""
    common = [name for name in (parts[0] if parts else ()) if all(name in part for part in parts)]
    return {name: np.concatenate([part[name] for part in parts]) for name in common}


@dataclass(frozen=True)
class RuledItems:
    """The items of releases that have a label (N,), by which rules people decided each, and by
    metric which candidates it takes for right (N,); and of tied ones, which have no label, whether
    each is generated."""

    items: Sequence[JudgedItem] = ()
    rules: Sequence[Collection[str]] = ()
    accepted: Mapping[str, Flags] = field(default_factory=dict)
    tied: Sequence[bool] = ()

    @classmethod
    def joined(cls, parts: Iterable["RuledItems"]) -> "RuledItems":
        all_ = list(parts)
        return cls(
            [item for part in all_ for item in part.items],
            [rules for part in all_ for rules in part.rules],
            _joined([part.accepted for part in all_]),
            [is_generated for part in all_ for is_generated in part.tied],
        )

    def __len__(self) -> int:
        return len(self.items) + len(self.tied)

    @cached_property
    def right(self) -> Flags:
        return np.array([item.is_right for item in self.items], np.bool_)

    def has_any(self, rules: Collection[str]) -> Flags:
        return np.array([any(rule in of for rule in rules) for of in self.rules], np.bool_)

    def share(self, flags: Flags, bootstrap: Bootstrap, among: Flags | None = None) -> Estimate:
        return judged_share([item.question_id for item in self.items], flags, bootstrap, among)


def ruled_items(release: StoredRelease, matchers: Mapping[str, Matcher]) -> RuledItems:
    """Of a release, or of a split of one.

    Raises ReleaseError for a release of no answers to questions, and where raters were not asked
    for rules.
    """
    data = judged_data_of(release)
    if data.decided_by is None:
        raise ReleaseError(f"is of the protocol {data.protocol}, whose raters name no rules")
    answers = [Answer(pair_of(item), item.is_right, system="") for item in data.items]
    return RuledItems(
        data.items,
        [data.decided_by.by_item.get(item.id, ()) for item in data.items],
        Answers.of(answers, matchers).accepted,
        [bool(item.record.intended) for item in drawn_items(release.dataset)],
    )


def augmented_sizes(ruled: RuledItems) -> Cells:
    """§3.2: of the generated pairs, those that people left in, and, but for ties, what they said of
    the verdict that the model gave last. People label all that is released."""
    generated = [item for item in ruled.items if item.intended]
    n = len(generated) + sum(ruled.tied)
    same = sum(item.intended.endswith(f"/{item.label}") for item in generated)
    counts = {
        "Checked by people": n,
        "Consistent after self-evaluation": same,
        "Revised": len(generated) - same,
        "Generated, kept": n,
    }

    def generated_pairs(value: int) -> Estimate:
        if not n:
            raise Needed(f"{_NEEDED} with generated pairs")
        return counted(value, n)

    for row, value in counts.items():
        yield ("sec32", row, "Examples"), partial(generated_pairs, value)
    for row, reason in _NOT_RELEASED.items():
        yield ("sec32", row, "Examples"), partial(undefined, reason, n=0)


def annotated(ruled: RuledItems, bootstrap: Bootstrap) -> Cells:
    """§5.2: how many answers people labelled by the rules, and what they call right of those that
    are not tied."""

    def share(flags: Callable[[], Flags]) -> Estimate:
        if not len(ruled):
            raise Needed(_NEEDED)
        return ruled.share(flags(), bootstrap)

    def missed() -> Flags:
        is_exact = [exact_match(item.candidate, item.references) for item in ruled.items]
        return ruled.right & ~np.array(is_exact, np.bool_)

    table, row = "sec52", "Annotated"
    yield (table, row, "Examples"), partial(size, len(ruled), _NEEDED)
    yield (table, row, "Right to people, wrong to EM"), partial(share, missed)
    yield (
        (table, row, "Right by rule 4"),
        partial(share, lambda: ruled.right & ruled.has_any((_RULE_4,))),
    )


def differences(ruled: RuledItems, bootstrap: Bootstrap) -> Cells:
    """§5.3 and 5.4: of the items that CFM and CFM-Aug judge differently, which of both is as
    people. The categories of §5.3, which overlap, are shares of those that CFM-Aug gets right;
    those of §5.4 of all, as their sum in the paper says."""

    def share(first: str, second: str, rules: Collection[str], *, of_better: bool) -> Estimate:
        """The share of items on which the second alone is as people."""
        if not ruled.items:
            raise Needed(_NEEDED)
        for metric in (METRICS["CFM"], METRICS["CFM-Aug"]):
            if metric not in ruled.accepted:
                raise Needed(f"needs --matcher {metric}=MATCHER")
        as_people = [ruled.accepted[METRICS[name]] == ruled.right for name in (first, second)]
        differ, better = as_people[0] != as_people[1], as_people[1] & ~as_people[0]
        if not differ.any():
            raise Needed("CFM and CFM-Aug judge all items alike")
        flags = better & ruled.has_any(rules) if rules else better
        return ruled.share(flags, bootstrap, better if of_better else differ)

    for row, rules in {"All": (), **_BETTER}.items():
        better = partial(share, "CFM", "CFM-Aug", rules, of_better=bool(rules))
        yield ("sec53", row, "Share"), better
    for row, rules in {"All": (), **_WORSE}.items():
        yield ("sec54", row, "Share"), partial(share, "CFM-Aug", "CFM", rules, of_better=False)
