"""Adjudicators who all decide at the same moment, in a process of their own.

Run by `python -c` beside a real database: each function prints how things stand afterwards.
"""

import json
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Barrier, Event
from time import sleep
from typing import Any

from django.db import connection, transaction

from tasks.adjudication import workflow as adjudication
from tasks.adjudication.queries.decisions import own_decision
from tasks.campaigns.workflow import slots
from tasks.campaigns.workflow.campaign import change_settings
from tasks.models import Adjudication, Assignment, Campaign, FirstLook, Item, Membership
from tasks.rating.workflow import assignment
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import SubmissionRefused
from tasks.votes import workflow
from tasks.votes.blindness import held_items_judged_by, withheld_from
from tests.factories import make_campaign, make_item, make_member
from tests.tasks.conftest import rate_next

AT_ONCE = 8
_start = Barrier(AT_ONCE, timeout=60)


def decide_at_once(*, people: int, keys: int, is_guarded: bool = True) -> None:
    """Eight decisions on one item at once, by so many people under so many keys each."""
    campaign = make_campaign("rivers")
    item = make_item(campaign)
    members = [make_member(campaign, "admin") for _number in range(people)]
    for member in members:
        adjudication.store_first_look(item=item, adjudicator=member, answers={"q1": True})
    if not is_guarded:
        _remove_guard()

    def attempt(number: int) -> str:
        return _decide(item, members[number % people], f"key-{number // people % keys}")

    with ThreadPoolExecutor(AT_ONCE) as pool:
        ends = list(pool.map(attempt, range(AT_ONCE)))
    print(
        json.dumps(
            {
                "stored": ends.count("stored"),
                "replayed": ends.count("replayed"),
                "failed": ends.count("failed"),
                "rows": Adjudication.objects.count(),
                "current": Adjudication.objects.filter(superseded_by=None).count(),
                "looks": FirstLook.objects.count(),
            }
        )
    )


def claim_while_votes_are_shown(*, is_guarded: bool = True) -> None:
    """Somebody takes all votes and claims an item at the same moment; whether they hold it then."""
    campaign = make_campaign("rivers", overlap=2)
    make_item(campaign, id="item-1")
    rate_next(make_member(campaign))
    member, has_claimed = make_member(campaign, "admin"), Event()
    if not is_guarded:
        for module in (workflow, assignment):
            setattr(module, "lock_member", lambda _member: None)  # noqa: B010 - not its own name

    def held_before_the_claim(*asked: Any) -> list[Assignment]:
        found = list(held_items_judged_by(*asked))
        has_claimed.wait(2)  # in vain, where the claim waits for us
        return found

    setattr(workflow, "held_items_judged_by", held_before_the_claim)  # noqa: B010 - as above

    def show() -> None:
        workflow.show_all_votes(member=member)
        connection.close()

    def claim() -> None:
        claim_item(membership=Membership.objects.select_related("campaign").get(pk=member.pk))
        has_claimed.set()
        connection.close()

    with ThreadPoolExecutor(2) as pool:
        shown = pool.submit(show)
        sleep(0.5)
        claimed = pool.submit(claim)
        shown.result(), claimed.result()
    print(json.dumps(Assignment.objects.filter(rater=member, state="active").exists()))


def raise_overlap_while_the_last_place_is_filled(*, is_guarded: bool = True) -> None:
    """Whether a researcher, to whom the votes were open for a moment, is given the item to rate."""
    campaign = make_campaign("rivers", overlap=1)
    Campaign.objects.update(adjudicates_blind=False)
    campaign.refresh_from_db()
    item = make_item(campaign, id="item-1")
    rater, reader = make_member(campaign), make_member(campaign, "researcher")
    if not is_guarded:
        setattr(slots, "_note_what_opens_meanwhile", lambda *_given: None)  # noqa: B010 - as above
    seen = []

    def rate_and_read() -> None:
        rate_next(rater)
        seen.append(withheld_from(reader, item) is None)
        connection.close()

    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        change_settings(campaign=campaign, changes={"overlap": 2})
        meanwhile = pool.submit(rate_and_read)
        wait([meanwhile], timeout=2)  # in vain on SQLite, where nobody else writes
    meanwhile.result()
    reader = Membership.objects.select_related("campaign").get(pk=reader.pk)
    print(json.dumps([seen[0], claim_item(membership=reader) is not None]))


def _decide(item: Item, member: Membership, key: str) -> str:
    _start.wait()
    try:
        decided = adjudication.adjudicate(
            item=item,
            adjudicator=member,
            answers={"q1": True},
            reason="So it is.",
            idempotency_key=key,
        )
    except SubmissionRefused:
        return "refused"
    except Exception:
        return "failed"
    finally:
        connection.close()
    return "replayed" if decided.is_replay else "stored"


def _remove_guard() -> None:
    """Everybody looks before anybody acts, and nobody waits for anybody."""
    everybody_looked = Barrier(AT_ONCE, timeout=60)

    def look_around(item: Item, adjudicator: Membership) -> Adjudication | None:
        found = own_decision(item, adjudicator)
        everybody_looked.wait()
        return found

    for name, naive in [
        ("own_decision", look_around),
        ("lock_member", lambda _adjudicator: None),
        ("record", lambda *_act, **_details: None),  # it asks for a transaction
        ("asks_for_first_look", lambda **_item: False),
        ("adjudicate", adjudication.adjudicate.__wrapped__),  # type: ignore[attr-defined]  # atomic wraps it
    ]:
        setattr(adjudication, name, naive)
