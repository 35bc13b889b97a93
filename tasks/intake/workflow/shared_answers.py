"""Who answered which of several questions that share an item, kept in candidates.

An item belongs to one question. As soon as another question brings its texts, that a system gave it
no longer says to which of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tasks.models import Candidate, Item, ItemPurpose, ItemSystem, Question, System
from tasks.storing.plan import Plan


class BroughtItem(NamedTuple):
    """An item with the question that a file brings it with, and the systems that gave it there."""

    item: Item
    question: Question
    systems: Sequence[System]


def keep_answers(
    plan: Plan, brought: Sequence[BroughtItem], before: Mapping[int, Question]
) -> None:
    """Plan a candidate for every answer that is brought, and for those that stood for themselves.

    `before` are the questions of the items that were there, by the ids of the items. The systems
    that are brought must not have been added to the items yet. A system has one candidate for a
    question: of several texts the first is kept.
    """
    live = [each for each in brought if each.item.purpose == ItemPurpose.LIVE]
    asked = {each.item.question.fingerprint for each in live}
    stored = Question.objects.filter(campaign=plan.campaign)
    twins = plan.find(stored, fingerprint=asked)
    given = {
        (each.system_id, each.question_id): each
        for each in plan.find(Candidate.objects.all(), question_id=twins).values()
    }
    answers = [
        *((system.pk, each.question, each.item) for each in live for system in each.systems),
        *_standing(plan, {each.item.pk: each.item for each in live}, before, twins, given),
    ]
    new = {
        (system, question.pk): Candidate(
            system_id=system, question=question, text=item.candidate, is_exact_match=False
        )
        for system, question, item in reversed(answers)
        if (system, question.pk) not in given
    }
    plan.add(new[place] for place in sorted(new))


def _standing(
    plan: Plan,
    items: Mapping[int, Item],
    before: Mapping[int, Question],
    twins: Mapping[int, Question],
    given: Mapping[tuple[int, int], Candidate],
) -> Iterable[tuple[int, Question, Item]]:
    """The systems of the items that no candidate tells of: they answered the item's question."""
    links = plan.find(ItemSystem.objects.all(), item_id=before.keys() & items.keys())
    for link in links.values():
        item = items[link.item_id]
        if not any(
            _tells(given.get((link.system_id, twin.pk)), item, twin) for twin in twins.values()
        ):
            yield link.system_id, before[item.pk], item


def _tells(candidate: Candidate | None, item: Item, question: Question) -> bool:
    return (
        candidate is not None
        and not candidate.is_exact_match
        and candidate.text == item.candidate
        and question.fingerprint == item.question.fingerprint
        and (question.pk == item.question_id or set(item.references) <= set(question.references))
    )
