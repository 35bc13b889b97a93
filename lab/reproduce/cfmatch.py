"""CFMatch again: metrics against human judgements of QA systems' answers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from inference.matchers.interface import Matcher, Pair
from lab.reproduce.comparison import Found, Place
from lab.reproduce.shares import counted, judged_share
from measures.bootstrap import Bootstrap
from measures.estimate import Estimate, undefined

METRICS = {"EM": "em", "F1 (0.5)": "f1", "CFM-Aug": "cfmatch"}
"""The matcher that is each of the paper's metrics. Ours is trained on the published augmented set,
as CFM-Aug is; CFM and the BERT models were trained on other data or not published."""
OTHERWISE = "the published files do not hold the answers it is computed from"

_F1_THRESHOLD = 0.5  # the paper's, whatever that of our matcher is
_RULES = {
    "entity aliasing": "aliasing",
    "numerical information": "numerical",
    "less details": "fewer-details",
    "more details": "more-details",
    "semantic equivalence": "semantic",
    "irrelevant, inaccurate information": "irrelevant",
    "other possible answers": "other-answers",
}
"""What the protocol calls the paper's rules."""
_JEOPARDY, _NQ = "jeopardy", "nq"
_NEEDS = {
    _JEOPARDY: "needs the Jeopardy! set (jeopardy=FILE)",
    _NQ: "needs systems' answers to NQ-open (nq=FILE)",
}


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer that a person judged; `system` is empty where the file names none."""

    pair: Pair
    is_right: bool
    system: str


@dataclass(frozen=True)
class JudgedAnswers:
    """The answers of a file, and which of them each matcher takes for right."""

    answers: Sequence[JudgedAnswer]
    matchers: Mapping[str, Matcher]

    @cached_property
    def accepted(self) -> Mapping[str, list[bool]]:
        """By matcher. F1 has the threshold of the paper."""
        pairs = [answer.pair for answer in self.answers]
        return {
            name: [
                score >= (_F1_THRESHOLD if name == "f1" else matcher.threshold)
                for score in matcher.score(pairs)
            ]
            for name, matcher in self.matchers.items()
        }

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


@dataclass(frozen=True)
class CfmatchInput:
    """Files by name; `jeopardy` and `nq` are those that the paper has figures of.

    `rules` are the names of the rules of the protocol `rules`, in order.
    """

    files: Mapping[str, JudgedAnswers]
    rules: Sequence[str]
    bootstrap: Bootstrap


def cfmatch_found(given: CfmatchInput) -> Found:
    return {
        **dict(_rules(given)),
        **dict(_challenge(given)),
        **dict(_alignment(given)),
        **dict(_systems(given)),
    }


def agreement(answers: JudgedAnswers, matcher: str, bootstrap: Bootstrap) -> Estimate:
    """Share of the answers judged as people did."""
    return judged_share(
        [
            (answer.pair.question, accepted == answer.is_right)
            for answer, accepted in zip(answers.answers, answers.accepted[matcher], strict=True)
        ],
        bootstrap,
    )


def accepted_share(
    answers: JudgedAnswers, matcher: str, system: str | None, bootstrap: Bootstrap
) -> Estimate:
    """Share of a system's answers that the matcher takes for right."""
    accepted = answers.accepted[matcher]
    return judged_share(
        [
            (answers.answers[place].pair.question, accepted[place])
            for place in answers.places(system)
        ],
        bootstrap,
    )


def _rules(given: CfmatchInput) -> Iterator[tuple[Place, Estimate]]:
    """Tab. 1: the numbers of the protocol's rules."""
    for row, rule in _RULES.items():
        if rule in given.rules:
            number = counted(given.rules.index(rule) + 1, len(given.rules))
        else:
            number = undefined(f"the protocol has no rule {rule}", n=len(given.rules))
        yield ("tab1", row, "Number"), number


def _challenge(given: CfmatchInput) -> Iterator[tuple[Place, Estimate]]:
    """§5: the Jeopardy! set."""
    table, row, answers = "sec51", "Jeopardy!", given.files.get(_JEOPARDY)
    if answers is None:
        for column in ("Examples", "Correct", "Incorrect"):
            yield (table, row, column), undefined(_NEEDS[_JEOPARDY], n=0)
        return
    n = len(answers.answers)
    yield (table, row, "Examples"), counted(n, n)
    for column, wanted in (("Correct", True), ("Incorrect", False)):
        rows = [(one.pair.question, one.is_right is wanted) for one in answers.answers]
        yield (table, row, column), judged_share(rows, given.bootstrap)


def _alignment(given: CfmatchInput) -> Iterator[tuple[Place, Estimate]]:
    """Tab. 5, on the set as it is."""
    answers = given.files.get(_JEOPARDY)
    for metric, matcher in METRICS.items():
        place = ("tab5", metric, "Jeopardy! O")
        if answers is None:
            yield place, undefined(_NEEDS[_JEOPARDY], n=0)
        elif matcher in answers.matchers:
            yield place, agreement(answers, matcher, given.bootstrap)
        else:
            yield place, undefined(f"ask for it with --matcher {matcher}", n=0)


def _systems(given: CfmatchInput) -> Iterator[tuple[Place, Estimate]]:
    """Tab. 4: shares that each metric takes for right, of the sets as they are."""
    rows = {"Jeopardy!": (_JEOPARDY, None), "NQ-OPEN, GPT-3.5-TURBO": (_NQ, "chatgpt")}
    for row, (name, system) in rows.items():
        answers = given.files.get(name)
        for metric, matcher in METRICS.items():
            place = ("tab4", row, f"{metric} O")
            if answers is None:
                yield place, undefined(_NEEDS[name], n=0)
            elif matcher not in answers.matchers:
                yield place, undefined(f"ask for it with --matcher {matcher}", n=0)
            elif not answers.places(system):
                yield place, undefined(f"the file has no answers by {system}", n=0)
            else:
                yield place, accepted_share(answers, matcher, system, given.bootstrap)
