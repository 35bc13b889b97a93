"""The audit log on its page, in the API and in the operators' admin."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from tasks.agreement.workflow.alerts import raise_trial
from tasks.campaigns.workflow.campaign import change_settings, publish_guideline
from tasks.models import Alert, AuditEntry, Campaign, Membership
from tests.factories import PASSWORD, make_campaign, make_user
from tests.tasks.api_client import ApiClient
from tests.tasks.browsers import signed_in

PAGE = "/c/rivers/settings/audit/"
CALL = "rivers/audit"


def titles(client: Client, query: str = "") -> list[str]:
    """The acts, as the page has them."""
    page = client.get(PAGE + query).content.decode()
    return [
        html.unescape(re.sub(r"<[^>]*>", "", title)).strip()
        for title in re.findall(r'<h2 id="entry[^>]*>(.*?)</h2>', page)
    ]


def test_page_tells_who_did_what_in_sentences(admin: Membership) -> None:
    client = signed_in(admin)
    client.post("/c/rivers/settings/completion/", {"completion_code": "CODE-4711"})
    client.post("/c/rivers/settings/guidelines/", {"text": "New."})
    shown = html.unescape(client.get(PAGE).content.decode())
    assert titles(client)[:2] == ["Published guidelines: guidelines version 2", "Changed settings"]
    assert "Completion code was none and is “…”." in shown
    assert "CODE-4711" not in shown  # nor by chance in a token of the page
    entry = AuditEntry.objects.filter(action="settings.changed").latest("sequence")
    assert (entry.actor, entry.role, entry.via) == ("oak", "admin", "page")


def test_page_is_filtered_by_act_and_person(campaign: Campaign, admin: Membership) -> None:
    change_settings(campaign=campaign, changes={"overlap": 3})
    client = signed_in(admin)
    client.post("/c/rivers/settings/guidelines/", {"text": "New."})
    assert titles(client)[:2] == ["Published guidelines: guidelines version 2", "Changed settings"]
    assert titles(client, "?actor=oak") == ["Published guidelines: guidelines version 2"]
    assert titles(client, "?action=settings.changed") == ["Changed settings"]
    assert titles(client, "?actor=oak&action=settings.changed") == []


def test_page_goes_back_by_a_place_that_stays(
    campaign: Campaign, admin: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.audit.pages.PAGE_SIZE", 2)
    client = signed_in(admin)
    every = AuditEntry.objects.filter(campaign=campaign).count()
    seen, query = 0, ""
    while True:
        seen += len(titles(client, query))
        older = re.search(r'rel="next" href="([^"]*)"', client.get(PAGE + query).content.decode())
        if older is None:
            break
        query = html.unescape(older[1])
    assert seen == every
    assert titles(client, "?before=nonsense") == titles(client)


def test_acts_of_other_campaigns_are_not_there(campaign: Campaign, admin: Membership) -> None:
    publish_guideline(campaign=make_campaign("lakes", title="Lakes"), text="SENTINEL")
    own = AuditEntry.objects.filter(campaign=campaign).count()
    assert len(titles(signed_in(admin))) == own
    assert len(ApiClient(admin).get(CALL).json()["results"]) == own


def test_api_pages_and_filters(campaign: Campaign, admin: Membership) -> None:
    api = ApiClient(admin)
    change_settings(campaign=campaign, changes={"overlap": 3})
    first = api.get(f"{CALL}?limit=1").json()
    entry = AuditEntry.objects.latest("sequence")
    (row,) = first["results"]
    assert row == {
        "sequence": entry.sequence,
        "at": entry.at.isoformat(timespec="microseconds"),
        "actor_kind": "command",
        "actor": entry.actor,
        "role": "",
        "via": "python",
        "action": "settings.changed",
        "subject_kind": "",
        "subject": "",
        "details": {"changes": {"overlap": [2, 3]}},
        "hash": entry.hash,
    }
    following = api.client.get(first["next"]).json()["results"]
    assert [each["sequence"] for each in following] == [entry.sequence - 1]
    at = row["at"].replace("+00:00", "Z")

    def found(query: str) -> list[Any]:
        rows: list[Any] = api.get(f"{CALL}?{query}").json()["results"]
        return rows

    assert found("action=settings.changed") == [row]
    assert row in found(f"since={at}")
    assert row not in found(f"until={at}")
    assert found("actor=nobody") == []
    assert api.get(f"{CALL}?action=no.such").status_code == 400
    assert api.get(f"{CALL}?user__password=x").status_code == 400


def test_an_act_by_the_api_says_so(campaign: Campaign, admin: Membership) -> None:
    api = ApiClient(admin)
    alert = raise_trial(campaign=campaign, by=admin)
    Alert.objects.filter(pk=alert.pk).update(acknowledged_at=None, acknowledged_by=None)
    path = f"/api/v1/campaigns/rivers/alerts/{alert.pk}/acknowledge"
    assert api.client.post(path, {}, content_type="application/json").status_code == 200
    entry = AuditEntry.objects.latest("sequence")
    assert (entry.action, entry.actor, entry.via) == ("alert.acknowledged", "oak", "API")


def test_operators_changes_are_recorded_and_entries_only_shown(db: None) -> None:
    operator = make_user("operator", is_staff=True, is_superuser=True)
    client = signed_in(operator)
    changed = make_user("fern")
    client.post(
        f"/admin/tasks/user/{changed.pk}/password/",
        {
            "password1": "a new long one",
            "password2": "a new long one",
            "usable_password": "true",
            "password": PASSWORD,
        },
    )
    entry = AuditEntry.objects.latest("sequence")
    assert (entry.action, entry.actor, entry.subject) == (
        "record.changed",
        "operator",
        f"{changed.pk} fern",
    )
    yes = {"post": "yes", "password": PASSWORD}
    client.post(f"/admin/tasks/user/{changed.pk}/delete/", yes)
    assert AuditEntry.objects.latest("sequence").action == "record.deleted"
    number = AuditEntry.objects.latest("sequence").pk
    shown = client.get(f"/admin/tasks/auditentry/{number}/change/")
    assert shown.status_code == 200
    refused = client.post(f"/admin/tasks/auditentry/{number}/delete/", yes)
    assert refused.status_code == 403
