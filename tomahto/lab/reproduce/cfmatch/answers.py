"""Answers of QA systems to CFMatch's data sets, which of them metrics take for right, and what
people labelled by the rules (§3.2 and 5)."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.judged import DecidedBy, JudgedData, JudgedItem
from tomahto.lab.release_data import drawn_items, judged_data_of
from tomahto.lab.reproduce.comparison import Cells, counted, judged_share
from tomahto.matching.interface import Matcher, Pair
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.reading import StoredRelease
from tomahto.text.normalisation import exact_match
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


_RULE_4 = "more-details"
_SPECIFICITY = ("fewer-details", "more-details")
_BETTER = {
    "Specificity": _SPECIFICITY,
    "Semantic similarity": ("semantic",),
    "Aliases": ("aliasing",),
}
_WORSE = {
    "Irrelevant": ("irrelevant",),
    "Specificity": _SPECIFICITY,
    "Token overlap": ("semantic",),
}
_NEEDED = "needs a release of a rules campaign"
_OF_DRAFTS = "a release has none of the drafts that nobody approved"


@dataclass(frozen=True, slots=True)
class RuledItem:
    """An item, by which rules people decided it, and which metrics take its candidate for right."""

    item: JudgedItem
    rules: Collection[str]
    accepted: dict[str, bool]

    def is_as_people(self, metric: str) -> bool:
        return self.accepted[metric] == self.item.is_right

    def has_one(self, rules: Collection[str]) -> bool:
        return any(rule in self.rules for rule in rules)


@dataclass(frozen=True, slots=True)
class RuledItems:
    """The items of releases that have a label, and of those that are tied, which have none, whether
    each is generated."""

    decided: Sequence[RuledItem] = ()
    tied: Sequence[bool] = ()

    @classmethod
    def joined(cls, parts: Iterable["RuledItems"]) -> "RuledItems":
        all_ = list(parts)
        return cls(
            [one for part in all_ for one in part.decided], [t for part in all_ for t in part.tied]
        )

    def __len__(self) -> int:
        return len(self.decided) + len(self.tied)


def ruled_items(release: StoredRelease, matchers: Mapping[str, Matcher]) -> RuledItems:
    """Of a release, or of a split of one.

    Raises ReleaseError for a release of no answers to questions, and where raters were not asked
    for rules.
    """
    data = judged_data_of(release)
    if data.decided_by is None:
        raise ReleaseError(f"is of the protocol {data.protocol}, whose raters name no rules")
    tied = [bool(item.record.intended) for item in drawn_items(release.dataset)]
    return RuledItems(_ruled(data, data.decided_by, matchers), tied)


def _ruled(
    data: JudgedData, decided_by: DecidedBy, matchers: Mapping[str, Matcher]
) -> list[RuledItem]:
    answers = Answers.of([_answer(item) for item in data.items], matchers)
    return [
        RuledItem(
            item,
            decided_by.by_item.get(item.id, ()),
            {name: flags[place] for name, flags in answers.accepted.items()},
        )
        for place, item in enumerate(data.items)
    ]


def _answer(item: JudgedItem) -> Answer:
    pair = Pair(item.question, item.context, item.references, item.candidate)
    return Answer(pair, item.is_right, system="")


def augmented_sizes(items: RuledItems) -> Iterator[tuple[str, Estimate]]:
    """§3.2 by row: of the generated pairs, those that people left in, and, but for ties, what they
    said of the verdict that the model gave last. People label all that is released."""
    generated = [one.item for one in items.decided if one.item.intended]
    n = len(generated) + sum(items.tied)
    same = sum(item.intended.endswith(f"/{item.label}") for item in generated)
    counts = {
        "Checked by people": n,
        "Consistent after self-evaluation": same,
        "Revised": len(generated) - same,
        "Generated, kept": n,
    }
    for row, number in counts.items():
        yield row, counted(number, n) if n else undefined(f"{_NEEDED} with generated pairs", n=0)
    for row in ("Generated", "Removed"):
        yield row, undefined(_OF_DRAFTS, n=0)
    yield "Checked again by people", undefined("a release does not tell second checks apart", n=0)


def annotated(items: RuledItems, bootstrap: Bootstrap) -> Cells:
    """§5.2: how many answers people labelled by the rules, and what they call right of those that
    are not tied."""
    missed = [
        (one, one.item.is_right and not exact_match(one.item.candidate, one.item.references))
        for one in items.decided
    ]
    by_rule_4 = [(one, one.item.is_right and _RULE_4 in one.rules) for one in items.decided]
    found = {
        "Examples": counted(len(items), len(items)),
        "Right to people, wrong to EM": _ruled_share(missed, bootstrap),
        "Right by rule 4": _ruled_share(by_rule_4, bootstrap),
    }
    for column, estimate in found.items():
        yield ("sec52", "Annotated", column), estimate if items else undefined(_NEEDED, n=0)


def differences(items: Sequence[RuledItem], bootstrap: Bootstrap) -> Cells:
    """§5.3 and 5.4: of the items that CFM and CFM-Aug judge differently, which of both is as
    people. The categories of §5.3, which overlap, are shares of those that CFM-Aug gets right;
    those of §5.4 of all, as their sum in the paper says."""
    first, second = METRICS["CFM"], METRICS["CFM-Aug"]
    if reason := _why_not(items, first, second):
        differ: list[RuledItem] = []
    else:
        differ = [one for one in items if one.accepted[first] != one.accepted[second]]
        reason = "" if differ else "CFM and CFM-Aug judge all items alike"
    better = [one for one in differ if one.is_as_people(second)]
    worse = [(one, one.is_as_people(first)) for one in differ]
    tables = {
        "sec53": {
            "All": [(one, one.is_as_people(second)) for one in differ],
            **{
                row: [(one, one.has_one(names)) for one in better] for row, names in _BETTER.items()
            },
        },
        "sec54": {
            "All": worse,
            **{
                row: [(one, flag and one.has_one(names)) for one, flag in worse]
                for row, names in _WORSE.items()
            },
        },
    }
    for table, rows in tables.items():
        for row, flags in rows.items():
            found = undefined(reason, n=0) if reason else _ruled_share(flags, bootstrap)
            yield (table, row, "Share"), found


def _why_not(items: Sequence[RuledItem], *metrics: str) -> str:
    if not items:
        return _NEEDED
    missing = [name for name in metrics if name not in items[0].accepted]
    return f"needs --matcher {missing[0]}=MATCHER" if missing else ""


def _ruled_share(flags: Sequence[tuple[RuledItem, bool]], bootstrap: Bootstrap) -> Estimate:
    return judged_share([(one.item.question_id, flag) for one, flag in flags], bootstrap)
