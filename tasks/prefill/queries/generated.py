"""Drafts of models: for the admins who review them, and for the model, which is shown of a rule
the examples it has and what it wrote before (CFMatch §3.2)."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Case, Count, F, QuerySet, Value, When
from django.db.models.functions import Coalesce, NullIf

from tasks.models import Campaign, GeneratedKind, GeneratedState, GeneratedText
from tomahto.generation.rules import WRITTEN_FOR, Seed

_COLUMNS: Final = {
    "target": "target",
    "system": "system",
    "question_type": "asked_type",
    "second_verdict": "second_verdict",
}
"""The names of the fields of `Common` in a query."""

SECOND_VERDICTS: Final = ("same", "differs")


@dataclass(frozen=True, slots=True)
class Common:
    """The common values of texts; those that are empty may differ. The type of question is that of
    the campaign's question where a text was made for one. `second_verdict` says of pairs by rule
    what the model's second verdict is to its first: `same` or `differs`."""

    target: str = ""
    system: str = ""
    question_type: str = ""
    second_verdict: str = ""

    @property
    def filters(self) -> Mapping[str, str]:
        named = {column: getattr(self, name) for name, column in _COLUMNS.items()}
        return {column: value for column, value in named.items() if value}


def generated_texts(
    campaign: Campaign, state: str, common: Common = Common()
) -> QuerySet[GeneratedText]:
    """The texts in one state, in the order in which they were made."""
    found = _with_types(campaign, state).filter(**common.filters)
    return found.select_related("source", "reviewed_by").order_by("id")


def pending_ids(campaign: Campaign, common: Common, *, until: int | None = None) -> list[int]:
    """The drafts to review that have this in common; those made after a text are left out."""
    found = generated_texts(campaign, GeneratedState.PENDING, common)
    if until is not None:
        found = found.filter(pk__lte=until)
    return list(found.values_list("pk", flat=True))


def choices_of(campaign: Campaign, state: str) -> dict[str, list[str]]:
    """By field of `Common`, the values that texts in the state have."""
    found = _with_types(campaign, state).order_by()
    return {
        name: sorted(filter(None, found.values_list(column, flat=True).distinct()))
        for name, column in _COLUMNS.items()
    }


def counts_by_state(campaign: Campaign) -> Counter[str]:
    found = GeneratedText.objects.filter(campaign=campaign).order_by()
    return Counter(dict(found.values_list("state").annotate(Count("id"))))


def _with_types(campaign: Campaign, state: str) -> QuerySet[GeneratedText]:
    asked_type = Coalesce(NullIf(F("source__question_type"), Value("")), F("question_type"))
    second_verdict = Case(
        When(provenance__has_key=WRITTEN_FOR, then=Value(SECOND_VERDICTS[1])),
        When(kind=GeneratedKind.RULES, then=Value(SECOND_VERDICTS[0])),
        default=Value(""),
    )
    return GeneratedText.objects.filter(campaign=campaign, state=state).annotate(
        asked_type=asked_type, second_verdict=second_verdict
    )


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
