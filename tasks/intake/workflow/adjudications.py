"""Decisions from files, by members without an account. Like any other, they change no vote."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from tasks.campaigns.workflow.campaign import NamedPeople, why_not_imported
from tasks.intake.workflow.import_of import import_of, outcome_of
from tasks.intake.workflow.items import find_items, live_item
from tasks.models import Adjudication, Campaign, Item, Membership, Rating
from tasks.protocols.definition import AnnotationProtocol, Outcome
from tasks.storing.database import batches, is_last_revision
from tasks.storing.plan import Plan
from tomahto.interchange.reading.records import AdjudicationRow, GivenAnswer

NO_REASON = "Imported without a reason."
"""The stand-in for the reason that a decision has to have, if a file gives none."""

_Labels = tuple[str, str | None]  # of the decision and of the first look


@dataclass(frozen=True, slots=True)
class AdjudicationIntake:
    """The result of a file of decisions; `adjudicators` counts those the file names."""

    adjudications_created: int
    adjudications_existing: int
    adjudicators: int


def import_adjudications(
    *, campaign: Campaign, rows: Iterable[AdjudicationRow]
) -> AdjudicationIntake:
    """Store decisions on items that are there.

    Raises InputError for a row whose item is unknown or not live, whose label the protocol does not
    know, whose adjudicator has decided on the item otherwise, has rated it, or has an account and
    has not decided so, and ImportRefused; nothing is stored then.
    """
    return import_of(
        "adjudications",
        campaign=campaign,
        records=rows,
        plan=_plan_adjudications,
        noted=["adjudications_created"],
    )


def _plan_adjudications(plan: Plan, rows: Iterable[AdjudicationRow]) -> AdjudicationIntake:
    people: dict[str, int] = {}  # not the members: a file may name very many
    named = NamedPeople(plan)
    created = existing = 0
    for batch in batches(rows):
        members = named.members({row.adjudicator for row in batch})
        people |= {name: member.pk for name, member in members.items()}
        new = _new_decisions(plan, batch, members)
        plan.add(new)
        created += len(new)
        existing += len(batch) - len(new)
    return AdjudicationIntake(created, existing, len(people))


def _new_decisions(
    plan: Plan, batch: list[AdjudicationRow], people: dict[str, Membership]
) -> list[Adjudication]:
    found = find_items(plan, {row.item_id for row in batch})
    items = {
        row.item_id: live_item(found.get(row.item_id), row.item_id, row.source) for row in batch
    }
    rated = set(
        Rating.objects.filter(item__in=items.values(), rater__in=people.values()).values_list(
            "item_id", "rater_id"
        )
    )
    decided = _decided(plan, items, people)
    new = []
    for row in batch:
        item, adjudicator = items[row.item_id], people[row.adjudicator]
        place = (item.pk, adjudicator.pk)
        outcome, first = _outcomes(plan.campaign.annotation_protocol, row)
        labels = (outcome.label, first.label if first else None)
        if not adjudicator.is_imported and decided.get(place) != labels:
            raise row.source.error(why_not_imported(row.adjudicator), "adjudicator")
        if place in rated:
            raise row.source.error(f"{row.adjudicator!r} has rated this item", "adjudicator")
        if place not in decided:
            decided[place] = labels
            key = f"import {item.key} {adjudicator.name}"
            new.append(
                Adjudication(
                    item=item,
                    adjudicator=adjudicator,
                    outcome_id=outcome.id,
                    first_outcome_id=first.id if first else None,
                    reason=row.reason.strip() or NO_REASON,
                    idempotency_key=hashlib.sha256(key.encode()).hexdigest(),
                    payload_hash=hashlib.sha256(f"{outcome.id} {row.reason}".encode()).hexdigest(),
                )
            )
        elif decided[place] != labels:
            raise row.source.error(
                f"{row.adjudicator!r} has already decided this item differently", "adjudicator"
            )
    return new


# Labels are compared, not answers: a file need not know the answers behind a label.
def _decided(
    plan: Plan, items: dict[str, Item], people: dict[str, Membership]
) -> dict[tuple[int, int], _Labels]:
    stored = Adjudication.objects.filter(
        is_last_revision(Adjudication), adjudicator__in=people.values()
    )
    outcomes = plan.campaign.annotation_protocol.outcomes
    labels = {outcome.id: outcome.label for outcome in outcomes}
    return {
        (each.item_id, each.adjudicator_id): (
            labels[each.outcome_id],
            labels[each.first_outcome_id] if each.first_outcome_id else None,
        )
        for each in plan.find(stored, item_id={item.pk for item in items.values()}).values()
    }


def _outcomes(protocol: AnnotationProtocol, row: AdjudicationRow) -> tuple[Outcome, Outcome | None]:
    decision = outcome_of(protocol, row.decision, row.source)
    if row.first_label is None:
        return decision, None
    given = GivenAnswer(row.first_label)
    return decision, outcome_of(protocol, given, row.source, label_field="first_label")
