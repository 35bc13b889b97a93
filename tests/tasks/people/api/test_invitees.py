"""Invitations by e-mail for programs, as the page has them."""

import json
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from tasks.models import AuditEntry, Campaign, Invitation, Membership
from tasks.people.work import send_invitations
from tests.factories import make_campaign, make_member
from tests.tasks.browsers import signed_in

PLACE = "/api/v1/campaigns/rivers/invitees"
ANN = {"email": "ann@example.org", "name": "Ann Lee", "role": "researcher"}


@pytest.fixture
def admin(db: None, settings: Settings) -> Membership:
    settings.SENDS_MAIL, settings.SITE_URL = True, "https://site.example"
    campaign = make_campaign("rivers")
    campaign.language = "de-AT"
    campaign.save()
    return make_member(campaign, "admin", "oak")


def call(admin: Membership, method: str, path: str, body: object = None) -> tuple[int, Any]:
    client: Client = signed_in(admin)
    response = client.generic(method, path, json.dumps(body), content_type="application/json")
    return response.status_code, response.json() if response.content else None


def test_people_are_invited_listed_sent_to_again_and_withdrawn(admin: Membership) -> None:
    people = [ANN, {"email": "bo@example.org"}]
    assert call(admin, "POST", PLACE, {"people": people, "message": "Welcome."}) == (
        201,
        {"queued": 2, "invited": [], "members": []},
    )
    assert call(admin, "POST", PLACE, {"people": [ANN]}) == (
        201,
        {"queued": 0, "invited": ["ann@example.org"], "members": []},
    )
    send_invitations()
    assert len(mail.outbox) == 2
    rows = call(admin, "GET", PLACE)[1]["results"]
    times = {name: rows[1].pop(name) for name in ("created_at", "sent_at", "expires_at")}
    assert all(times.values())
    ann = Invitation.objects.get(address="ann@example.org")
    assert rows[1] == {
        "id": ann.pk,
        "email": "ann@example.org",
        "name": "Ann Lee",
        "role": "researcher",
        "language": "de",
        "state": "sent",
        "reason": "",
    }
    again = f"{PLACE}/{ann.pk}/again"
    assert call(admin, "POST", again, {})[1]["state"] == "waiting"
    assert call(admin, "POST", again, {}) == (
        409,
        {"detail": "it is being sent, was withdrawn or was accepted"},
    )
    assert call(admin, "DELETE", f"/api/v1/campaigns/rivers/invitations/{ann.pk}") == (204, None)
    assert [row["state"] for row in call(admin, "GET", PLACE)[1]["results"]] == [
        "sent",
        "withdrawn",
    ]
    assert call(admin, "GET", "/api/v1/campaigns/rivers/invitations")[1]["results"] == []
    actions = AuditEntry.objects.filter(campaign=admin.campaign).order_by("sequence")
    assert list(actions.values_list("action", flat=True))[-3:] == [
        "invitations.mailed",
        "invitation.resent",
        "invitation.revoked",
    ]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"people": []}, "people"),
        ({"people": [{"email": "ann"}]}, "people"),
        ({"people": [{**ANN, "name": "A\tB"}]}, "people"),
        ({"people": [{**ANN, "role": "boss"}]}, "people"),
        ({"people": [ANN], "language": "tlh"}, "language"),
        ({"people": [{"email": f"p{n}@example.org"} for n in range(201)]}, "people"),
    ],
)
def test_wrong_people_are_refused_by_field(
    admin: Membership, body: dict[str, Any], field: str
) -> None:
    status, answer = call(admin, "POST", PLACE, body)
    assert (status, answer["field"].partition(".")[0]) == (400, field)
    assert not Invitation.objects.exists()


def test_a_site_without_mail_refuses(admin: Membership, settings: Settings) -> None:
    settings.SENDS_MAIL = False
    assert call(admin, "POST", PLACE, {"people": [ANN]})[0] == 409


def test_members_are_named_and_stay_as_they_are(admin: Membership) -> None:
    assert admin.user is not None
    admin.user.email = "ann@example.org"
    admin.user.save()
    assert call(admin, "POST", PLACE, {"people": [ANN]}) == (
        201,
        {"queued": 0, "invited": [], "members": ["ann@example.org"]},
    )
    assert Campaign.objects.get().memberships.get() == admin
