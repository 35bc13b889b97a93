"""By which rules people decided whether an answer is right (CFMatch, Tab. 1)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tomahto.votes.questions import QuestionScheme


@dataclass(frozen=True, slots=True)
class DecidedBy:
    """All `rules` in the order of the form, and by item's id those that decided its label: chosen
    in at least half of the counted ratings that gave it. Items without such ratings are not there.
    """

    rules: tuple[str, ...]
    by_item: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(
        cls,
        question: QuestionScheme,
        labels: Mapping[str, str],
        ratings: Iterable[tuple[str, str, Mapping[str, str]]],
    ) -> "DecidedBy":
        """From the labels of items, and the item, label and answers of each counted rating."""
        choices: dict[str, list[str]] = defaultdict(list)
        for item, label, answers in ratings:
            if labels.get(item) == label and question.key in answers:
                choices[item].append(answers[question.key])
        rules = question.values
        return cls(rules, {item: _decisive(rules, given) for item, given in choices.items()})


def rules_question(questions: Iterable[QuestionScheme]) -> QuestionScheme | None:
    """The question for the rules, which is the one with several answers; None in a protocol
    without rules."""
    return next((question for question in questions if question.is_multiple), None)


def _decisive(rules: Sequence[str], choices: Sequence[str]) -> tuple[str, ...]:
    chosen = [choice.split("+") for choice in choices]
    return tuple(rule for rule in rules if 2 * sum(rule in one for one in chosen) >= len(chosen))
