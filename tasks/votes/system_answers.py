"""The answers of a campaign's systems, and what people judged of them."""

from collections import defaultdict

from django.db.models import QuerySet

from tasks.models import Campaign, Candidate, ItemPurpose, ItemSystem
from tasks.votes.patterns import majority_labels, votes_by_item
from tasks.votes.shared_items import shared_items
from tomahto.ranking.system_answers import SystemAnswers, Texts, answers_of


def system_answers(campaign: Campaign) -> list[SystemAnswers[int]]:
    """The answers of every system of the campaign, by name."""
    labels = majority_labels(campaign, votes_by_item(campaign))
    texts, exact = _given(campaign)
    accepted = frozenset(campaign.annotation_protocol.accepted_labels)
    names = campaign.systems.values_list("name", flat=True)
    return [
        answers_of(name, texts.get(name, {}), frozenset(exact.get(name, ())), labels, accepted)
        for name in sorted(names)
    ]


def candidates_for_answerable(campaign: Campaign) -> QuerySet[Candidate]:
    """The candidates of all systems for questions that have a reference: those to questions
    without a right answer are for SQuAD scores."""
    return Candidate.objects.filter(system__campaign=campaign).exclude(question__references=[])


def _given(campaign: Campaign) -> tuple[dict[str, Texts[int]], dict[str, set[int]]]:
    """By system: the live items that settle every text it gave, and the questions it answered
    exactly.

    A text may have no item: nobody judges it then.
    """
    shared = shared_items(campaign)
    texts: dict[str, Texts[int]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    exact: dict[str, set[int]] = defaultdict(set)
    candidates = candidates_for_answerable(campaign).values_list(
        "system__name", "question", "text", "is_exact_match"
    )
    for name, question, text, is_exact in candidates:
        if is_exact:
            exact[name].add(question)
        else:
            texts[name][question][text] = []
    items = (
        ItemSystem.objects.filter(system__campaign=campaign, item__purpose=ItemPurpose.LIVE)
        .order_by("item")
        .values_list("system__name", "item__question", "item__candidate", "item")
    )
    for name, question, text, item in items:
        if question not in shared.questions:
            texts[name][question][text].append(item)
    for answer, settling in shared.answers.items():
        if settling:
            found = sorted(item.pk for item in settling)
            texts[answer.system][answer.question][answer.text] = found
    return texts, exact
