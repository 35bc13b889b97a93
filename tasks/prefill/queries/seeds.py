"""What a model is shown of a rule: given examples, and what it wrote before (CFMatch §3.2)."""

import random
from collections.abc import Sequence
from typing import Final

from django.db.models import QuerySet

from tasks.models import Campaign, GeneratedKind, GeneratedState, GeneratedText
from tomahto.generation.rules import WRITTEN_FOR
from tomahto.generation.seeds import Seed

SHOWN: Final = 3
"""Seeds in a request."""


def wanted_texts(campaign: Campaign, kind: GeneratedKind) -> QuerySet[GeneratedText]:
    """Those that count for what is wanted: approved ones, and pending ones that no second verdict
    speaks against."""
    found = GeneratedText.objects.filter(
        campaign=campaign, kind=kind, state__in=(GeneratedState.PENDING, GeneratedState.APPROVED)
    )
    return found.exclude(state=GeneratedState.PENDING, provenance__has_key=WRITTEN_FOR)


def last_round(campaign: Campaign) -> int:
    """Of the pairs by rule; 0 before the first."""
    texts = GeneratedText.objects.filter(campaign=campaign, kind=GeneratedKind.RULES)
    rounds = texts.values_list("provenance__round", flat=True)
    return max((number for number in rounds if isinstance(number, int)), default=0)


def seeds_to_show(
    campaign: Campaign, target: str, given: Sequence[Seed], *, draw: int
) -> list[Seed]:
    """Some of the rule's seeds, drawn by the campaign's seed: given ones, and texts that count."""
    rule = target.partition("/")[0]
    texts = wanted_texts(campaign, GeneratedKind.RULES).filter(target__startswith=f"{rule}/")
    pool = [*(seed for seed in given if seed.rule == rule), *map(_as_seed, texts.order_by("id"))]
    chance = random.Random(f"{campaign.seed} {target} {draw}")  # noqa: S311 - no secret
    return chance.sample(pool, min(SHOWN, len(pool)))


def _as_seed(text: GeneratedText) -> Seed:
    rule, _, label = text.target.partition("/")
    name = f"generated text {text.pk}"
    return Seed(name, rule, text.question, text.reference, text.candidate, label)
