"""People who all do the same at the same moment, in a process of their own.

Run by `python -c` beside a real database: `compete` prints how things stand afterwards.
"""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from threading import Barrier
from types import SimpleNamespace

from django.db import connection

from tasks.campaigns.workflow.campaign import add_member, create_campaign
from tasks.models import CrowdVisit, Invitation, Membership, User
from tasks.people.queries import end_of
from tasks.people.workflow import invitations, members
from tasks.people.workflow.invitations import enter

PEOPLE, PLACES = 8, 3
_start = Barrier(PEOPLE, timeout=60)


def compete(what: str, *, is_guarded: bool = True) -> None:
    """Let eight people accept, enter or leave at once, and print what became of it."""
    campaign = create_campaign(slug=what, protocol="ae", overlap=2)
    kind = "crowd" if what == "enter" else "account"
    invitation, _secret = invitations.invite(campaign=campaign, kind=kind, max_uses=PLACES)
    for number in range(PEOPLE if what == "leave" else 0):
        user = User.objects.create(username=f"admin-{number}")
        add_member(campaign=campaign, user=user, role="admin")
    admins = list(Membership.objects.filter(campaign=campaign))
    if not is_guarded:
        _remove_guards()
    attempts: dict[str, Callable[[int], object]] = {
        "accept": lambda number: invitations.accept_with_new_account(
            invitation=invitation, username=f"person-{number}", password="correct horse"
        ),
        "enter": lambda _number: enter(invitation=invitation, participant="one and the same"),
        "leave": lambda number: members.deactivate(member=admins[number]),
    }
    with ThreadPoolExecutor(PEOPLE) as pool:
        refused = sum(pool.map(lambda number: _is_refused(attempts[what], number), range(PEOPLE)))
    active = Membership.objects.filter(campaign=campaign, is_active=True).count()
    visits = CrowdVisit.objects.filter(campaign=campaign).count()
    print(json.dumps({"refused": refused, "active": active, "visits": visits}))


def _is_refused(attempt: Callable[[int], object], number: int) -> bool:
    _start.wait()
    try:
        attempt(number)
    except (invitations.InvitationEnded, members.LastAdmin):
        return True
    finally:
        connection.close()
    return False


def _remove_guards() -> None:
    """Everybody looks before anybody acts, and nobody waits for anybody."""
    everybody_looked = Barrier(PEOPLE, timeout=60)

    def look(invitation: Invitation) -> None:
        if end := end_of(invitation):
            raise invitations.InvitationEnded(end)
        everybody_looked.wait()

    def look_around(_member: Membership) -> None:
        everybody_looked.wait()

    for module, name, naive in [
        (invitations, "locked_invitation", lambda invitation: invitation),
        (invitations, "require_open", look),
        (invitations, "transaction", SimpleNamespace(atomic=nullcontext)),
        (invitations, "record", lambda *_act, **_details: None),  # it asks for a transaction
        (members, "_record", lambda *_act: None),
        (members, "_keep_an_admin", look_around),
        (members, "deactivate", members.deactivate.__wrapped__),  # type: ignore[attr-defined]  # atomic wraps it
    ]:
        setattr(module, name, naive)
