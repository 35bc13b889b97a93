"""Large campaigns in few statements: what the product's own workflow would take minutes for."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

from django.db import connection

from tasks.campaigns.workflow.campaign import create_campaign
from tasks.models import (
    Campaign,
    Candidate,
    Document,
    Guideline,
    Item,
    ItemSystem,
    Membership,
    Outcome,
    Question,
    Rating,
    Slot,
    System,
)

BATCH = 2000
PER_QUESTION = 2  # items; the system that gave the others' candidates matches exactly there
SYSTEMS = ("juniper", "larch", "rowan")
DAYS = 60  # over which the ratings came
OVERLAP = 3  # of what is filled without more


def make_large_campaign(
    slug: str, *, items: int, rated: int, overlap: int, raters: int, seed: int = 0
) -> Campaign:
    """An `ae` campaign with `items`, of which the first `rated` have `overlap` ratings each.

    Two systems have an item for each question, a third matches the reference; the raters err in
    one rating of ten, and the guidelines changed halfway.
    """
    campaign = create_campaign(slug=slug, protocol="ae", overlap=overlap)
    made = _items(campaign, items)
    slots = Slot.objects.bulk_create(
        (
            Slot(
                campaign=campaign,
                item=item,
                number=number,
                order_key=place,
                is_filled=place < rated,
            )
            for place, item in enumerate(made)
            for number in range(overlap)
        ),
        batch_size=BATCH,
    )
    people = [
        Membership(campaign=campaign, name=f"rater-{n}", pseudonym=f"R{n:03}")
        for n in range(raters)
    ]
    Membership.objects.bulk_create(people)
    Rating.objects.bulk_create(
        _ratings(campaign, slots[: rated * overlap], people, overlap, Random(seed)),
        batch_size=BATCH,
    )
    _analyse()
    return campaign


def fill(campaign: Campaign, items: int, *, prefix: str = "q") -> list[Item]:
    """So many items of questions of their own, with `OVERLAP` open places each."""
    document, _created = Document.objects.get_or_create(campaign=campaign, key="rivers")
    questions = Question.objects.bulk_create(
        (
            Question(
                campaign=campaign,
                document=document,
                key=f"{prefix}-{n}",
                text=f"River {n}?",
                context="In the hills.",
                references=["in the hills"],
                fingerprint=f"{prefix}-{n}",
            )
            for n in range(items)
        ),
        batch_size=BATCH,
    )
    made = Item.objects.bulk_create(
        (
            Item(
                campaign=campaign,
                question=each,
                key=each.key,
                references=["in the hills"],
                candidate="at sea",
            )
            for each in questions
        ),
        batch_size=BATCH,
    )
    Slot.objects.bulk_create(
        (
            Slot(campaign=campaign, item=item, number=number, order_key=place)
            for place, item in enumerate(made)
            for number in range(OVERLAP)
        ),
        batch_size=BATCH,
    )
    _analyse()
    return made


def _items(campaign: Campaign, number: int) -> list[Item]:
    wanted = range(-(-number // PER_QUESTION))
    documents = Document.objects.bulk_create(
        Document(campaign=campaign, key=f"d-{n}") for n in range(len(wanted) // 10 + 1)
    )
    context = "The river rises in the northern hills."
    questions = Question.objects.bulk_create(
        (
            Question(
                campaign=campaign,
                document=documents[n // 10],
                key=f"q-{n}",
                text=f"Where does river {n} rise?",
                context=context,
                references=["in the northern hills"],
                fingerprint=str(n),
            )
            for n in wanted
        ),
        batch_size=BATCH,
    )
    systems = System.objects.bulk_create(System(campaign=campaign, name=name) for name in SYSTEMS)
    given = ("in the hills", "far from the sea")
    items = Item.objects.bulk_create(
        (
            Item(
                campaign=campaign,
                question=questions[n // PER_QUESTION],
                key=f"i-{n}",
                references=["in the northern hills"],
                candidate=given[n % PER_QUESTION],
            )
            for n in range(number)
        ),
        batch_size=BATCH,
    )
    ItemSystem.objects.bulk_create(
        (
            ItemSystem(item=item, system=systems[place % PER_QUESTION])
            for place, item in enumerate(items)
        ),
        batch_size=BATCH,
    )
    Candidate.objects.bulk_create(
        (
            Candidate(
                system=system,
                question=question,
                text=given[place] if place < len(given) else "in the northern hills",
                is_exact_match=place == len(given),
            )
            for question in questions
            for place, system in enumerate(systems)
        ),
        batch_size=BATCH,
    )
    return items


def _ratings(
    campaign: Campaign, slots: list[Slot], people: list[Membership], overlap: int, draw: Random
) -> Iterator[Rating]:
    labels = ("equivalent", "not-equivalent")
    outcomes = [
        Outcome.objects.filter(protocol="ae", label=label).order_by("id")[0] for label in labels
    ]
    versions = [
        campaign.guideline,
        Guideline.objects.create(campaign=campaign, version=2, text="Look twice."),
    ]
    began = datetime.now(UTC) - timedelta(days=DAYS)
    for place, slot in enumerate(slots):
        truth = (place // overlap) % PER_QUESTION
        progress = place / len(slots)
        yield Rating(
            item_id=slot.item_id,
            slot=slot,
            rater=people[(place + place // overlap) % len(people)],
            outcome=outcomes[truth if draw.random() < 0.9 else 1 - truth],
            guideline=versions[progress >= 0.5],
            rated_at=began + progress * timedelta(days=DAYS),
            seconds=draw.uniform(5, 60),
            idempotency_key=f"bulk-{place}",
            payload_hash="",
        )


def _analyse() -> None:
    """As every import does: without statistics the planner may choose badly."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
