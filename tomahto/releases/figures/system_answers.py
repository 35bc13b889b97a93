"""The answers of systems by what a release or a campaign has of them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from tomahto.ranking.system_answers import SystemAnswers, Texts, answers_of
from tomahto.releases.records.records import AnswerRecord

_NOT_HERE = ""  # stands for the items of an answer that are missing


def system_answers(
    answers: Iterable[AnswerRecord],
    labels: Mapping[str, str | None],
    accepted: frozenset[str],
) -> list[SystemAnswers[str]]:
    """The answers of every system, by name; those to questions without a reference are left out.

    `labels` has every rated item's label by its id, None where there is none.
    """
    texts: dict[str, Texts[str]] = defaultdict(lambda: defaultdict(dict))
    exact: dict[str, set[str]] = defaultdict(set)
    for answer in answers:
        if not answer.question.references:
            continue
        question, items = answer.question.id, list(answer.items)
        if answer.settled == "exact":
            exact[answer.system].add(question)
        elif answer.settled == "not-rated":
            items.append(_NOT_HERE)
        texts[answer.system][question][answer.candidate] = items
    return [
        answers_of(system, given, frozenset(exact[system]), labels, accepted)
        for system, given in sorted(texts.items())
    ]
