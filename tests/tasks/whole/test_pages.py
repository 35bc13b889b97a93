"""Home, history, guidelines, agreement, settings and people."""

import json
from http import HTTPStatus

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.template.loader import render_to_string
from django.test import Client

from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.models import Campaign, Job, JobKind, JobState, Membership, Question, Rating
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tests.factories import make_campaign, make_member, make_user
from tests.tasks.browsers import compact, signed_in, text
from tomahto.votes.remarks import Remarks

DIFFERENT = {"q1": True}
EQUIVALENT = {"q1": False, "q2": True}


def rate(membership: Membership, answers: dict[str, bool], comment: str = "") -> Rating:
    claim = claim_item(membership=membership)
    assert claim is not None
    return submit_rating(
        assignment_id=claim.assignment_id,
        membership=membership,
        answers=answers,
        idempotency_key=f"{membership.pk}-{claim.assignment_id}",
        remarks=Remarks(comment=comment),
    ).rating


def test_home_shows_my_campaigns_only(rater: Membership) -> None:
    make_member(make_campaign(title="Mountains"))
    html = text(signed_in(rater), "/")
    assert "Rivers" in html
    assert "Mountains" not in html
    assert "New campaign" not in html
    assert signed_in(rater).get("/c/rivers/")["Location"] == "/c/rivers/rate/"


def test_staff_start_a_campaign_and_are_its_admin(db: None) -> None:
    client = signed_in(make_user(is_staff=True))
    body = {"title": "Lakes", "slug": "lakes", "protocol": "cap", "overlap": 3}
    response = client.post("/campaigns/new/", {**body, "suggestions": "hidden"})
    assert response["Location"] == "/c/lakes/"
    membership = Membership.objects.get(campaign__slug="lakes")
    assert (membership.role, membership.campaign.protocol) == ("admin", "cap")
    assert "Import questions" in text(client, "/c/lakes/")


def test_guidelines_show_older_versions_on_request(rater: Membership, campaign: Campaign) -> None:
    publish_guideline(campaign=campaign, text="Second *edition*.")
    client = signed_in(rater)
    assert "Second <em>edition</em>." in text(client, "/c/rivers/guidelines/")
    older = text(client, "/c/rivers/guidelines/?version=1")
    assert "no longer in force" in older
    assert "Second" not in older


def test_agreement_says_why_a_number_is_undefined(admin: Membership) -> None:
    html = text(signed_in(admin), "/c/rivers/agreement/")
    assert "No ratings yet, so there is no agreement to measure." in html
    assert html.count("Undefined:") == 3
    assert "None" not in html


def test_agreement_rounds_what_the_report_computes(admin: Membership, campaign: Campaign) -> None:
    # two items, two raters: they agree on the first and differ on the second
    for answers in ([DIFFERENT, DIFFERENT], [DIFFERENT, EQUIVALENT]):
        rater = make_member(campaign)
        for answer in answers:
            rate(rater, answer)
    html = compact(text(signed_in(admin), "/c/rivers/agreement/"))
    # 3 and 1 of 4 votes: observed disagreement 1/2, expected 2·3·1/(4·3) = 1/2, so alpha is 0
    assert '<p class="big">0.000</p>' in html
    # Q1 was answered like the label, only one saw Q2; either agrees with the other half of the time
    assert html.count("50.0 %") == 3 + 2 + 2
    assert '<b>Q1</b><span lang="en">Is the second answer a completely different answer?' in html
    assert '<span lang="en">Yes</span>3</span>' in html
    # Q2 to Q4: alpha, AC1, two shares, alpha behind its picture; alpha without either rater
    assert html.count("no item has two ratings") == 3 * 5 + 2 * 2
    assert "of 2 rated items have no majority label" in html


def test_settings_change_the_campaign_and_its_slots(admin: Membership, campaign: Campaign) -> None:
    client = signed_in(admin)
    sections: dict[str, dict[str, object]] = {
        "general": {"title": "Streams", "description": "", "language": "en", "state": "paused"},
        "ratings": {"overlap": 3, "exact_rule": "squad", "rater_quota": ""},
        "order": {"item_order": "oldest", "control_every": 10},
        "suggestions": {"suggestions": "before", "suggestion_matcher": "f1"},
    }
    for anchor, body in sections.items():
        response = client.post("/c/rivers/settings/", {**body, "section": anchor})
        assert response["Location"] == f"/c/rivers/settings/#{anchor}"
    campaign.refresh_from_db()
    assert (campaign.title, campaign.state, campaign.suggestions) == ("Streams", "paused", "before")
    assert (campaign.suggestion_matcher, campaign.rater_quota) == ("f1", None)
    assert campaign.exact_rule == "squad"
    first, second = campaign.items.order_by("pk")
    slots = campaign.slots.order_by("item", "number").values_list("number", "order_key")
    assert list(slots) == [(n, item.pk) for item in (first, second) for n in (1, 2, 3)]


def test_settings_give_systems_overlaps_of_their_own(admin: Membership, campaign: Campaign) -> None:
    system = campaign.systems.get()
    client = signed_in(admin)
    assert f'name="system-{system.pk}"' in text(client, "/c/rivers/settings/")
    response = client.post("/c/rivers/settings/overlaps/", {f"system-{system.pk}": "4"})
    assert response.status_code == HTTPStatus.FOUND
    assert campaign.slots.count() == 8
    refused = client.post("/c/rivers/settings/overlaps/", {f"system-{system.pk}": "0"})
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert campaign.slots.count() == 8


def test_settings_publish_guidelines(admin: Membership, campaign: Campaign) -> None:
    signed_in(admin).post("/c/rivers/settings/guidelines/", {"text": "New words."})
    campaign.refresh_from_db()
    assert campaign.guideline is not None
    assert (campaign.guideline.version, campaign.guideline.text) == (2, "New words.\n")


def test_new_account_is_shown_once_and_works(admin: Membership) -> None:
    client = signed_in(admin)
    response = client.post("/c/rivers/settings/members/new/", {"username": "elm", "role": "rater"})
    html = response.content.decode()
    password = html.split('id="new-password">')[1].split("<")[0]
    assert "no-store" in response["Cache-Control"]
    assert password not in text(client, "/c/rivers/settings/members/")
    assert Client().login(request=response.wsgi_request, username="elm", password=password)


def test_import_tells_what_a_file_brought(admin: Membership, campaign: Campaign) -> None:
    file = SimpleUploadedFile(
        "more.jsonl", b'{"id": "q9", "question": "Where?", "references": ["here"]}\n'
    )
    response = signed_in(admin).post(
        "/c/rivers/import/", {"kind": "questions", "questions-file": file}
    )
    html = " ".join(response.content.decode().split())
    assert "Questions from more.jsonl" in html
    assert "<b>1</b> new questions" in html
    assert Question.objects.filter(campaign=campaign, key="q9").exists()


def test_import_takes_the_newest_annotation_where_that_is_ticked(admin: Membership) -> None:
    item = {"question": "Where?", "references": ["here"], "candidate": "there"}
    chosen = {"from_name": "label", "type": "choices", "value": {"choices": ["equivalent"]}}
    given = {"completed_by": 1, "result": [chosen], "created_at": "2026-03-01"}
    tasks = json.dumps([{"data": item, "annotations": [given, given]}]).encode()
    pages = [
        signed_in(admin).post(
            "/c/rivers/import/",
            {
                "kind": "ratings",
                "ratings-format": "label-studio",
                **ticked,
                "ratings-file": SimpleUploadedFile("tasks.json", tasks),
            },
        )
        for ticked in ({}, {"ratings-newest": "on"})
    ]
    assert [page.status_code for page in pages] == [HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.OK]
    html = " ".join(pages[1].content.decode().split())
    assert "<b>1</b> new ratings" in html
    assert 'skipped: 1, <span lang="en">older annotation by the same rater</span>' in html


def test_import_refuses_a_wrong_file_in_one_line(admin: Membership) -> None:
    before = Question.objects.count()
    file = SimpleUploadedFile("broken.jsonl", b'{"id": "q9", "references": ["here"]}\n')
    response = signed_in(admin).post(
        "/c/rivers/import/",
        {"kind": "questions", "questions-file": file, "questions-format": "jsonl"},
    )
    html = response.content.decode()
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "broken.jsonl, line 1, field question" in html
    assert Question.objects.count() == before


def test_job_shows_its_error_and_is_started_again(admin: Membership, campaign: Campaign) -> None:
    job = Job.objects.create(
        campaign=campaign,
        kind=JobKind.SUGGEST,
        parameters={"name": "f1"},
        input_hash="x",
        state=JobState.FAILED,
        error="the weights are <missing>",
    )
    client, address = signed_in(admin), f"/c/rivers/jobs/{job.pk}/"
    assert "the weights are &lt;missing&gt;" in text(client, address)
    client.post(f"{address}retry/")
    job.refresh_from_db()
    assert job.state == JobState.QUEUED
    assert 'hx-trigger="every 1s"' in text(client, address)


def test_finished_job_shows_its_result(admin: Membership, campaign: Campaign) -> None:
    job = Job.objects.create(
        campaign=campaign,
        kind=JobKind.SUGGEST,
        parameters={"name": "f1"},
        input_hash="x",
        state=JobState.DONE,
        done=2,
        total=2,
        result={"matcher": "f1", "items": 2},
    )
    html = text(signed_in(admin), f"/c/rivers/jobs/{job.pk}/")
    assert "<dt>items</dt><dd>2</dd><dt>matcher</dt><dd>f1</dd>" in html
    assert "hx-trigger" not in html


def test_job_is_started_from_the_page(admin: Membership, campaign: Campaign) -> None:
    response = signed_in(admin).post("/c/rivers/jobs/", {"kind": "suggest", "name": "f1"})
    job = Job.objects.get(campaign=campaign)
    assert (job.kind, job.parameters, job.created_by) == ("suggest", {"name": "f1"}, admin.user)
    assert response["Location"] == f"/c/rivers/jobs/{job.pk}/"


def test_error_pages_look_like_the_site(rater: Membership) -> None:
    response = signed_in(rater).get("/c/nowhere/")
    assert response.status_code == HTTPStatus.NOT_FOUND
    assert "Page not found" in response.content.decode()


@pytest.mark.parametrize("name", ["400", "403", "404", "500", "csrf", "access/locked"])
def test_error_pages_need_no_request_and_no_database(name: str) -> None:
    html = render_to_string(f"{name}.html")
    assert "<h1>" in html
    assert "css/tokens.css" in html
