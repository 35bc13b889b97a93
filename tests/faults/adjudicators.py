"""Adjudicators who all decide at the same moment, in a process of their own.

Run by `python -c` beside a real database: `decide_at_once` prints how things stand afterwards.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from django.db import connection

from tasks.adjudication import workflow as adjudication
from tasks.adjudication.queries.decisions import own_decision
from tasks.models import Adjudication, FirstLook, Item, Membership
from tasks.rating.workflow.rating import SubmissionRefused
from tests.factories import make_campaign, make_item, make_member

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
        ("_lock", lambda _adjudicator: None),
        ("record", lambda *_act, **_details: None),  # it asks for a transaction
        ("asks_for_first_look", lambda **_item: False),
        ("adjudicate", adjudication.adjudicate.__wrapped__),  # type: ignore[attr-defined]  # atomic wraps it
    ]:
        setattr(adjudication, name, naive)
