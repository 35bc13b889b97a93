"""Drafts of models, for the admins who review them."""

from collections import Counter

from django.db.models import Count, QuerySet

from tasks.models import Campaign, GeneratedText


def generated_texts(campaign: Campaign, state: str) -> QuerySet[GeneratedText]:
    """The texts in one state, in the order in which they were made."""
    found = GeneratedText.objects.filter(campaign=campaign, state=state)
    return found.select_related("source", "reviewed_by").order_by("id")


def counts_by_state(campaign: Campaign) -> Counter[str]:
    """How many texts are in each state; 0 where there are none."""
    found = GeneratedText.objects.filter(campaign=campaign).order_by()
    return Counter(dict(found.values_list("state").annotate(Count("id"))))
