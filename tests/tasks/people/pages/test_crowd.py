"""Visitors of a crowd service enter by the address it sends them to."""

from http import HTTPStatus

import pytest
from django.test import Client

from tasks.models import Campaign, CrowdVisit, Membership, User
from tasks.people.workflow.invitations import invite
from tasks.people.workflow.members import publish_consent_text
from tests.factories import make_campaign
from tests.tasks.browsers import signed_in

PROLIFIC = {"PROLIFIC_PID": "5f1e", "STUDY_ID": "s-1", "SESSION_ID": "x-1"}
MTURK = {
    "workerId": "5f1e",
    "hitId": "s-1",
    "assignmentId": "x-1",
    "turkSubmitTo": "https://workersandbox.mturk.com",
}
IN_FRAME = {"Sec-Fetch-Dest": "iframe"}


@pytest.fixture
def link(campaign: Campaign) -> str:
    return f"/crowd/{invite(campaign=campaign, kind='crowd')[1]}/"


def who(client: Client) -> str:
    name: str = client.get("/c/rivers/rate/").context["user"].username
    return name


@pytest.mark.parametrize(
    "parameters", [PROLIFIC, MTURK, {"participant": "5f1e", "study": "s-1", "session": "x-1"}]
)
def test_visitor_enters_and_rates(link: str, parameters: dict[str, str]) -> None:
    client = Client()
    assert client.get(link, parameters)["Location"] == "/c/rivers/rate/"
    assert client.get("/c/rivers/rate/").status_code == HTTPStatus.OK
    visit = CrowdVisit.objects.get()
    assert (visit.participant, visit.study, visit.session) == ("5f1e", "s-1", "x-1")


def test_visitor_comes_again_in_the_same_and_in_another_browser(link: str) -> None:
    first, second = Client(), Client()
    for client in (first, first, second):
        client.get(link, PROLIFIC)
    assert who(first) == who(second)
    assert CrowdVisit.objects.count() == 1


def test_session_of_somebody_else_ends_first(link: str, admin: Membership) -> None:
    client = signed_in(admin)
    before = client.session.session_key
    client.get(link, PROLIFIC)
    assert client.session.session_key != before
    assert who(client).startswith("visitor-")
    client.get(link, {"participant": "another"})
    assert who(client) == CrowdVisit.objects.get(participant="another").membership.name
    assert not Client(headers={"cookie": f"sessionid={before}"}).get("/").context


INCOMPLETE: list[tuple[dict[str, str], str]] = [
    ({}, "<code>PROLIFIC_PID</code> It is missing."),
    ({"workerId": "   "}, "<code>workerId</code> It is missing."),
    ({"participant": "x" * 201}, "<code>participant</code> Ensure this value has at most 200"),
    ({"participant": "p1", "session": "x" * 201}, "at most 200 characters"),
    ({"participant": "a\u202eb"}, "cannot be printed"),
    ({"participant": "a\x00b"}, "Null characters are not allowed"),
    ({"PROLIFIC_PID": "{{%PROLIFIC_PID%}}"}, "“How do you want to record Prolific IDs?”"),
    ({"participant": "%7B%7B%25PROLIFIC_PID%25%7D%7D"}, "the placeholder {{%PROLIFIC_PID%}}"),
    ({"workerId": "${workerId}"}, "ExternalURL of an ExternalQuestion"),
    ({"participant": "p1", "study": "[STUDY]"}, "<code>study</code> The service left the"),
    (MTURK | {"turkSubmitTo": "https://mturk.com.evil.example"}, "address of mturk.com"),
    (MTURK | {"turkSubmitTo": "http://www.mturk.com"}, "address of mturk.com"),
    (MTURK | {"turkSubmitTo": "https://www.mturk.com@evil.example"}, "address of mturk.com"),
    (MTURK | {"turkSubmitTo": "https://evil.example\\.mturk.com"}, "address of mturk.com"),
    (MTURK | {"turkSubmitTo": "https://evil.example/.mturk.com"}, "address of mturk.com"),
    (MTURK | {"turkSubmitTo": "https://[.mturk.com"}, "address of mturk.com"),
]


def test_visitor_with_an_incomplete_address_is_told(link: str) -> None:
    for parameters, text in INCOMPLETE:
        response = Client().get(link, parameters)
        assert response.status_code == HTTPStatus.BAD_REQUEST
        assert text in response.content.decode()
    assert User.objects.count() == 0


def test_preview_of_a_task_shows_the_consent_text_and_stores_nothing(
    link: str, campaign: Campaign
) -> None:
    publish_consent_text(campaign=campaign, text="You may *stop* at any time.")
    page = Client().get(link, {"assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE", "hitId": "s-1"})
    html = page.content.decode()
    assert "You may <em>stop</em> at any time." in html
    assert "Accept the task to take part." in html
    assert (User.objects.count(), page.cookies.keys() & {"sessionid"}) == (0, set())


def test_frame_of_mturk_opens_the_study_in_a_tab_and_takes_the_code_back(link: str) -> None:
    page = Client().get(link, MTURK, headers=IN_FRAME)
    html = page.content.decode()
    assert 'action="https://workersandbox.mturk.com/mturk/externalSubmit"' in html
    assert '<input type="hidden" name="assignmentId" value="x-1">' in html
    assert f'href="{link}?workerId=5f1e&amp;hitId=s-1&amp;assignmentId=x-1' in html
    assert "frame-ancestors https://*.mturk.com" in page["Content-Security-Policy"]
    assert "form-action 'self' https://*.mturk.com" in page["Content-Security-Policy"]
    assert "X-Frame-Options" not in page
    assert User.objects.count() == 0
    plain = Client().get(link, MTURK)
    assert (plain["X-Frame-Options"], User.objects.count()) == ("DENY", 1)


def test_unknown_and_ended_links_let_nobody_in(campaign: Campaign) -> None:
    _invitation, secret = invite(campaign=campaign, kind="crowd", max_uses=1)
    account = invite(campaign=campaign)[1]
    assert Client().get("/crowd/no-such-secret/", PROLIFIC).status_code == HTTPStatus.NOT_FOUND
    assert Client().get(f"/crowd/{account}/", PROLIFIC).status_code == HTTPStatus.NOT_FOUND
    Client().get(f"/crowd/{secret}/", PROLIFIC)
    late = Client().get(f"/crowd/{secret}/", {"participant": "late"})
    assert late.status_code == HTTPStatus.GONE
    assert late["Referrer-Policy"] == "no-referrer"
    assert User.objects.count() == 1


def test_looking_at_the_address_makes_nothing(link: str) -> None:
    assert Client().head(link, PROLIFIC).status_code == HTTPStatus.METHOD_NOT_ALLOWED
    assert User.objects.count() == 0


def test_deactivated_visitor_is_told(link: str) -> None:
    Client().get(link, PROLIFIC)
    Membership.objects.update(is_active=False)
    response = Client().get(link, PROLIFIC)
    assert response.status_code == HTTPStatus.FORBIDDEN
    assert "Your part in this study has ended" in response.content.decode()


def test_visitor_can_do_nothing_outside_the_campaign(link: str) -> None:
    make_campaign("lakes")
    client = Client()
    client.get(link, PROLIFIC)
    forbidden = ["/account/", "/account/two-factor/", "/password/", "/campaigns/new/"]
    assert [client.get(page).status_code for page in forbidden] == [403] * 4
    assert client.get("/c/lakes/rate/").status_code == HTTPStatus.NOT_FOUND
    assert client.get("/admin/", follow=True).status_code == HTTPStatus.FORBIDDEN
    assert client.post("/api/v1/campaigns/lakes/claim").status_code in {403, 404}
    assert client.get("/c/rivers/settings/members/").status_code == HTTPStatus.FORBIDDEN


def test_completion_address_has_to_be_https(admin: Membership, campaign: Campaign) -> None:
    client = signed_in(admin)
    for address in ("http://service.example/", "javascript:alert(1)"):
        body = {"completion_code": "C0DE", "completion_url": address}
        response = client.post("/c/rivers/settings/completion/", body)
        assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert response.content.decode().count("begins with https://.") == 1
    client.post(
        "/c/rivers/settings/completion/",
        {"completion_code": "C0DE", "completion_url": "https://service.example/done?cc=1"},
    )
    campaign.refresh_from_db()
    assert (campaign.completion_code, campaign.completion_url) == (
        "C0DE",
        "https://service.example/done?cc=1",
    )


def test_visitor_who_is_done_gets_the_code(link: str, campaign: Campaign) -> None:
    campaign.completion_code = "C0DE<1>"
    campaign.completion_url = "https://service.example/done"
    campaign.save()
    client = Client()
    client.get(link, PROLIFIC)
    while page := client.get("/c/rivers/rate/").context.get("page"):
        body = {"action": "submit", "q1": "yes", "idempotency_key": f"k{page.assignment.pk}"}
        client.post(f"/c/rivers/rate/{page.assignment.pk}/", body)
        html = client.get("/c/rivers/rate/").content.decode()
    assert '<code id="completion-code">C0DE&lt;1&gt;</code>' in html
    assert 'href="https://service.example/done"' in html
