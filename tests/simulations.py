"""Simulated campaigns: raters who know most labels and guess the others, with a fault if wanted.

In memory, for hundreds of repetitions, or stored with all rows of a real campaign.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.models import (
    Campaign,
    Document,
    ExpectedAnswer,
    Guideline,
    Item,
    ItemPurpose,
    Membership,
    Question,
    Rating,
    Slot,
)
from tasks.protocols import get_protocol
from tests.factories import make_campaign
from tomahto.types import Floats
from tomahto.votes.rating_rows import RatingRows

BATCH = 2000
START = datetime(2026, 3, 2, 9, tzinfo=UTC)


@dataclass(frozen=True)
class Faults:
    """The faults of a campaign: none, unless told.

    `drifter` guesses from `since` (a share of the campaign) on, and so does everybody half of the
    time if they are `muddled`; `rusher` takes a tenth of the
    time; `careless` gets half of the control items wrong; `confused` are two labels that nobody
    tells apart half of the time.
    """

    drifter: int | None = None
    since: float = 0.5
    muddled: bool = False
    rusher: int | None = None
    careless: int | None = None
    confused: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class Simulation:
    """Votes in the order they were given, their times, right answers to control items (R, C)."""

    rows: RatingRows
    seconds: Floats
    controls: NDArray[np.bool_]
    protocol: str = "statement"
    faults: Faults = field(default_factory=Faults)

    def until(self, ratings: int) -> "Simulation":
        """The campaign when so many ratings had been given."""
        items, counted = np.unique(self.rows.items[:ratings], return_inverse=True)
        assert len(items) == counted.max() + 1
        rows = RatingRows(
            counted.astype(np.int64),
            self.rows.raters[:ratings],
            self.rows.labels[:ratings],
            self.rows.rater_names,
            self.rows.label_names,
        )
        answers = round(self.controls.shape[1] * ratings / self.rows.n)
        return Simulation(rows, self.seconds[:ratings], self.controls[:, :answers], self.protocol)

    def control_answers(self) -> dict[str, tuple[int, int]]:
        given = self.controls.shape[1]
        right = self.controls.sum(axis=1).tolist()
        return {n: (r, given) for n, r in zip(self.rows.rater_names, right, strict=True) if given}


def simulate(
    seed: int,
    *,
    raters: int = 6,
    items: int = 400,
    overlap: int = 3,
    controls: int = 20,
    protocol: str = "statement",
    faults: Faults | None = None,
) -> Simulation:
    """Items in turn go to `overlap` raters drawn by lot, who know the label with chance 0.85."""
    wrong = faults or Faults()
    generator = np.random.default_rng(seed)
    labels = get_protocol(protocol).scheme.labels
    true = generator.integers(0, len(labels), items)
    item_of = np.repeat(np.arange(items), overlap)
    places = np.tile(np.arange(raters), (items, 1))
    rater_of = generator.permuted(places, axis=1)[:, :overlap].ravel()
    chance = np.full(len(item_of), 0.85)
    chance[(rater_of == wrong.drifter) & (item_of >= wrong.since * items)] = 0.1
    if wrong.muddled:
        chance[item_of >= wrong.since * items] /= 2
    knows = generator.random(len(item_of)) < chance
    given = np.where(knows, true[item_of], generator.integers(0, len(labels), len(item_of)))
    if wrong.confused:
        one, other = wrong.confused
        swapped = np.isin(true[item_of], wrong.confused) & (generator.random(len(item_of)) < 0.5)
        given = np.where(swapped, one + other - true[item_of], given)
    length = generator.lognormal(3, 0.4, items)
    seconds = length[item_of] * generator.lognormal(0, 0.3, len(item_of))
    seconds = seconds * np.where(rater_of == wrong.rusher, 0.1, 1)
    accuracy = np.where(np.arange(raters) == wrong.careless, 0.4, 0.9)
    right = generator.random((raters, controls)) < accuracy[:, np.newaxis]
    names = tuple(f"rater-{number:02}" for number in range(raters))
    rows = RatingRows(item_of, rater_of, given, names, labels)
    return Simulation(rows, seconds, right, protocol, wrong)


def store(simulation: Simulation, slug: str, *, is_guided: bool = False) -> Campaign:
    """The simulated campaign with its people, items, slots and ratings; an hour for 60 ratings.

    If it `is_guided`, its second half was rated under a second version of the guidelines.
    """
    campaign = make_campaign(slug, protocol=simulation.protocol)
    rows = simulation.rows
    people = Membership.objects.bulk_create(
        Membership(campaign=campaign, name=name, pseudonym=name) for name in rows.rater_names
    )
    live = _items(campaign, rows.item_count, ItemPurpose.LIVE)
    numbers = [f"{simulation.protocol}:label={label}" for label in rows.label_names]
    order = zip(rows.items.tolist(), rows.raters.tolist(), rows.labels.tolist(), strict=True)
    votes = [(live[item], people[rater], numbers[label]) for item, rater, label in order]
    guidelines: list[Guideline | None] = [None, None]
    if is_guided:
        guidelines = [campaign.guideline, publish_guideline(campaign=campaign, text="Version 2")]
    _rate(campaign, votes, simulation.seconds.tolist(), guidelines)
    known = _items(campaign, simulation.controls.shape[1], ItemPurpose.CONTROL)
    ExpectedAnswer.objects.bulk_create(
        ExpectedAnswer(item=item, outcome_id=numbers[0]) for item in known
    )
    checked = [
        (item, person, numbers[0] if simulation.controls[rater, place] else numbers[1])
        for place, item in enumerate(known)
        for rater, person in enumerate(people)
    ]
    _rate(campaign, checked, [20.0] * len(checked), [None, None])
    return campaign


def _items(campaign: Campaign, number: int, purpose: ItemPurpose) -> list[Item]:
    documents = Document.objects.bulk_create(
        Document(campaign=campaign, key=f"{purpose}-{place}") for place in range(min(number, 20))
    )
    questions = Question.objects.bulk_create(
        (
            Question(
                campaign=campaign,
                document=documents[place % 20],
                key=f"{purpose}-{place}",
                text=f"Where does river {place} rise?",
                context=f"River {place} rises in the hills.",
                references=["in the hills"],
                fingerprint=f"{purpose}-{place}",
            )
            for place in range(number)
        ),
        batch_size=BATCH,
    )
    return Item.objects.bulk_create(
        (
            Item(
                campaign=campaign,
                question=question,
                key=question.key,
                references=["in the hills"],
                candidate="at sea",
                purpose=purpose,
            )
            for question in questions
        ),
        batch_size=BATCH,
    )


def _rate(
    campaign: Campaign,
    votes: list[tuple[Item, Membership, str]],
    seconds: list[float],
    guidelines: list[Guideline | None],
) -> None:
    slots = Slot.objects.bulk_create(
        (
            Slot(campaign=campaign, item=item, number=person.pk, is_filled=True)
            for item, person, _outcome in votes
        ),
        batch_size=BATCH,
    )
    Rating.objects.bulk_create(
        (
            Rating(
                item=item,
                rater=person,
                outcome_id=outcome,
                slot=slot,
                guideline=guidelines[2 * place // len(votes)],
                seconds=took,
                rated_at=START + timedelta(minutes=place),
                idempotency_key=f"{item.pk}",
                payload_hash="",
            )
            for place, ((item, person, outcome), slot, took) in enumerate(
                zip(votes, slots, seconds, strict=True)
            )
        ),
        batch_size=BATCH,
    )
