"""The settings page: a section at a time, and the others left alone."""

import re
from collections import Counter
from typing import Any

import pytest
from django.test import Client

from tasks.campaigns.workflow.campaign import SETTINGS
from tasks.home.forms import SECTIONS
from tasks.models import AuditEntry, Campaign
from tests.factories import make_campaign, make_member
from tests.tasks.browsers import signed_in

PAGE = "/c/rivers/settings/"


@pytest.fixture
def campaign(db: None) -> Campaign:
    return make_campaign("rivers", title="Rivers")


@pytest.fixture
def admin(campaign: Campaign) -> Client:
    return signed_in(make_member(campaign, "admin"))


def stored(campaign: Campaign) -> dict[str, Any]:
    values: dict[str, Any] = Campaign.objects.values(*SETTINGS).get(pk=campaign.pk)
    return values


def test_every_setting_is_in_one_section() -> None:
    fields = Counter(field for section in SECTIONS for field in section.fields)
    assert fields == Counter(SETTINGS)


def test_a_section_saves_its_own_fields_alone(admin: Client, campaign: Campaign) -> None:
    before = stored(campaign)
    body = {"section": "adjudication", "title": "Mountains", "shows_differences": ""}
    page = admin.post(PAGE, body, follow=True)
    assert page.redirect_chain == [(f"{PAGE}#adjudication", 302)]
    # the box was not ticked; neither the title nor an unticked box of another section counts
    assert stored(campaign) == {**before, "adjudicates_blind": False}


def test_what_was_saved_is_said_in_its_section(admin: Client) -> None:
    html = admin.post(PAGE, {"section": "adjudication"}, follow=True).content.decode()
    sections = re.split(r'<section class="card"\s+id="', html)[1:]
    assert [each.partition('"')[0] for each in sections if 'role="status"' in each] == [
        "adjudication"
    ]


def test_a_fault_in_a_section_changes_nothing_there_or_elsewhere(
    admin: Client, campaign: Campaign
) -> None:
    before = stored(campaign)
    body = {"section": "general", "title": "Mountains", "language": "not a code", "state": "open"}
    page = admin.post(PAGE, body)
    html = page.content.decode()
    assert (page.status_code, stored(campaign)) == (422, before)
    assert html.count('aria-invalid="true"') == html.count("Nothing was saved.") == 1
    # what was typed is in its field, and not yet the campaign's name
    assert 'value="Mountains"' in html
    assert "Settings · Rivers" in html


def test_a_section_that_there_is_not_saves_nothing(admin: Client, campaign: Campaign) -> None:
    before = stored(campaign)
    assert admin.post(PAGE, {"title": "Mountains"}).status_code == 400
    assert stored(campaign) == before


def test_a_preview_is_laid_out_as_members_read_it(admin: Client) -> None:
    text = "Read *both*. <script>alert(1)</script>"
    events = AuditEntry.objects.count()
    html = admin.post(f"{PAGE}preview/", {"text": text}).content.decode()
    assert "Read <em>both</em>. &lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "Nothing to preview yet." in admin.post(f"{PAGE}preview/").content.decode()
    assert admin.post(f"{PAGE}preview/", {"text": "x" * 200_001}).status_code == 422
    assert AuditEntry.objects.count() == events
