"""Rating through the pages, as a browser without JavaScript sees them."""

from typing import Any

import pytest
from django.test import Client

from tasks.campaigns.workflow.campaign import change_settings, publish_guideline
from tasks.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Draft,
    Item,
    Membership,
    Rating,
    Suggestion,
)
from tests.factories import make_campaign, make_item, make_member
from tests.tasks.browsers import HTMX, signed_in
from tests.tasks.rating.forms import fields_of, open_item, value_of

pytestmark = pytest.mark.slow


def asked_question(response: Any) -> str:
    return fields_of(response)["asked"]


def answers_stored() -> list[dict[str, str]]:
    return [dict(rating.outcome.answers) for rating in Rating.objects.order_by("id")]


def test_rate_shows_the_first_question_only_and_marks_both_answers(rater: Membership) -> None:
    html = signed_in(rater).get("/c/rivers/rate/").content.decode()
    shown, later = html.split("<template>")
    assert "Is the second answer a completely different answer?" in shown
    assert "convey at least the same" not in shown
    assert later.count("<fieldset") == 3
    assert later.count("hidden disabled") == 3
    assert '<mark class="reference">in the northern hills</mark>' in html
    assert '<mark class="candidate">far from the sea</mark>' in html


def test_steps_without_javascript_store_one_rating(rater: Membership) -> None:
    client = signed_in(rater)
    address, fields = open_item(client)
    given: dict[str, str] = {}
    nothing = client.post(address, {**fields, "action": "next"})
    assert nothing.status_code == 422
    assert "Choose an answer to this question first." in nothing.content.decode()
    for key, answer, following in [("q1", "no", "q2"), ("q2", "no", "q3"), ("q3", "yes", "q4")]:
        given[key] = answer
        response = client.post(address, {**fields, **given, "asked": key, "action": "next"})
        assert (response.status_code, response["Location"]) == (303, address)
        page = client.get(address)
        assert asked_question(page) == following
        assert Draft.objects.get().answers == given
    early = client.post(address, {**fields, **given, "action": "submit"})
    assert (early.status_code, asked_question(early), Rating.objects.count()) == (422, "q4", 0)
    response = client.post(
        address,
        {**fields_of(page), **given, "q4": "no", "action": "submit", "comment": "close call"},
    )
    assert response.status_code == 303
    rating = Rating.objects.get()
    assert dict(rating.outcome.answers) == {"q1": "no", "q2": "no", "q3": "yes", "q4": "no"}
    assert (rating.comment, rating.rater, rating.is_counted) == ("close call", rater, True)
    assert rating.seconds is None  # without scripts nobody counts it
    assert not Draft.objects.exists()
    assert (
        'Stored: <b lang="en">Not equivalent</b>'
        in client.get(response["Location"]).content.decode()
    )


def test_submit_of_closed_answers_takes_them_out_and_asks_for_another_look(
    rater: Membership,
) -> None:
    client = signed_in(rater)
    address, fields = open_item(client)
    given = {"q1": "yes", "q2": "yes", "q4": "no"}
    response = client.post(address, {**fields, "action": "submit", **given})
    assert response.status_code == 422
    assert "rules out questions that you had answered" in response.content.decode()
    assert (Rating.objects.count(), Draft.objects.get().answers) == (0, {"q1": "yes"})
    client.post(address, {**fields_of(response), "action": "submit", "q1": "yes"})
    assert answers_stored() == [{"q1": "yes"}]


def test_submit_again_stores_nothing_and_with_other_answers_keeps_the_form(
    rater: Membership,
) -> None:
    client = signed_in(rater)
    address, fields = open_item(client)
    body = {**fields, "action": "submit", "q1": "yes"}
    assert [client.post(address, body).status_code for _ in range(2)] == [303, 303]
    assert answers_stored() == [{"q1": "yes"}]
    response = client.post(address, {**fields, "action": "submit", "q1": "no", "q2": "yes"})
    html = response.content.decode()
    assert response.status_code == 409
    assert "already submitted this form with other answers" in html
    assert value_of(html, "idempotency_key") != fields["idempotency_key"]
    client.post(address, {**fields_of(response), "action": "submit", "q1": "no", "q2": "yes"})
    assert answers_stored() == [{"q1": "yes"}, {"q1": "no", "q2": "yes"}]


def test_submit_under_old_guidelines_keeps_the_text_and_shows_the_new(
    rater: Membership, campaign: Campaign
) -> None:
    client = signed_in(rater)
    address, fields = open_item(client)
    publish_guideline(campaign=campaign, text="Mind the *mouth* of the river.")
    body = {**fields, "action": "submit", "q1": "yes", "comment": "kept words"}
    response = client.post(address, body, headers=HTMX)
    html = response.content.decode()
    assert response.status_code == 409
    assert "The guidelines changed while this form was open." in html
    assert "Mind the <em>mouth</em> of the river." in html
    assert "kept words" in html
    assert (value_of(html, "guideline_version"), Rating.objects.count()) == ("2", 0)
    client.post(address, {**body, "guideline_version": "2"})
    assert answers_stored() == [{"q1": "yes"}]


def test_submit_by_htmx_answers_with_the_next_item(rater: Membership) -> None:
    client = signed_in(rater)
    address, fields = open_item(client)
    response = client.post(address, {**fields, "action": "submit", "q1": "yes"}, headers=HTMX)
    html = response.content.decode()
    assert (response.status_code, response["HX-Replace-Url"]) == (200, "/c/rivers/rate/")
    assert "<html" not in html
    assert f'action="{address}"' not in html
    assert 'id="mine" hx-swap-oob="true"' in html


@pytest.mark.parametrize("answered", [{"q1": "no"}, {"q1": "no", "q2": "yes"}])
def test_previous_asks_the_question_before_again(
    rater: Membership, answered: dict[str, str]
) -> None:
    client = signed_in(rater)
    address, fields = open_item(client)
    response = client.post(address, {**fields, "action": "previous", "asked": "q2", **answered})
    assert response["Location"] == address
    assert asked_question(client.get(address)) == "q1"


def test_previous_at_the_first_question_goes_to_the_rating_before_to_revise_it(
    rater: Membership,
) -> None:
    client = signed_in(rater)
    first, fields = open_item(client)
    client.post(first, {**fields, "action": "submit", "q1": "yes"})
    second, fields = open_item(client)
    response = client.post(second, {**fields, "action": "previous"})
    assert response["Location"] == first
    page = client.get(first)
    assert 'You rated this item <b lang="en">Not equivalent</b>' in page.content.decode()
    client.post(first, {**fields_of(page), "action": "submit", "q1": "no", "q2": "yes"})
    before, after = Rating.objects.order_by("id")
    assert (after.supersedes, after.slot) == (before, before.slot)


def test_skip_needs_a_reason_and_gives_the_item_back(rater: Membership) -> None:
    client = signed_in(rater)
    address, fields = open_item(client)
    assert client.post(address, {"action": "skip", "reason": " "}).status_code == 422
    client.post(address, {"action": "skip", "reason": "in a language I cannot read"})
    skipped = Assignment.objects.get(state=AssignmentState.SKIPPED)
    assert skipped.skip_reason == "in a language I cannot read"
    assert open_item(client)[0] != address
    for response in (client.get(address), client.post(f"{address}draft/", fields)):
        assert response.status_code == 409
        assert "You can no longer rate this item" in response.content.decode()


def test_draft_is_restored_and_dropped_when_it_comes_after_the_submission(
    rater: Membership,
) -> None:
    client = signed_in(rater)
    address, fields = open_item(client)
    body = {**fields, "q1": "no", "comment": "half a thought", "seconds": "12.5"}
    assert client.post(f"{address}draft/", body).status_code == 204
    html = client.get("/c/rivers/rate/").content.decode()
    assert "half a thought</textarea>" in html
    assert (value_of(html, "asked"), value_of(html, "seconds")) == ("q2", "12.5")
    client.post(address, {**fields, "action": "submit", "q1": "yes"})
    response = client.post(f"{address}draft/", body)
    assert (response.status_code, Draft.objects.count()) == (204, 0)


def test_draft_without_a_session_is_refused_without_a_login_page(rater: Membership) -> None:
    address, fields = open_item(signed_in(rater))
    response = Client().post(f"{address}draft/", fields, headers={"X-Requested-With": "fetch"})
    assert (response.status_code, response.content) == (401, b"")


def test_done_page_when_nothing_is_left(rater: Membership) -> None:
    client = signed_in(rater)
    for _item in range(2):
        address, fields = open_item(client)
        client.post(address, {**fields, "action": "submit", "q1": "yes"})
    html = client.get("/c/rivers/rate/").content.decode()
    assert "No items are left for you" in html
    assert "You have rated 2 items." in html


def test_paused_campaign_says_so(rater: Membership, campaign: Campaign) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(state="paused")
    html = signed_in(rater).get("/c/rivers/rate/").content.decode()
    assert "This campaign is paused" in html
    assert not Assignment.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {"action": "unheard-of"},
        {"action": "submit", "q1": "perhaps"},
        {"action": "submit", "q1": "yes", "seconds": "-1"},
        {"action": "submit", "q1": "yes", "idempotency_key": ""},
    ],
)
def test_nonsense_is_refused_and_stores_nothing(rater: Membership, body: dict[str, str]) -> None:
    client = signed_in(rater)
    address, fields = open_item(client)
    assert client.post(address, {**fields, **body}).status_code == 400
    assert not Rating.objects.exists()


def _suggest(campaign: Campaign, policy: str) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(suggestions=policy)
    for item in Item.objects.filter(campaign=campaign):
        Suggestion.objects.create(
            item=item, matcher="feather", version="1", score=0.8125, is_correct=True
        )


def _everything_shown(client: Client) -> list[str]:
    """Each answer of the server on the way through one item, redirects included."""
    pages = [client.get("/c/rivers/rate/")]
    address, fields = open_item(client)
    pages.append(client.post(address, {**fields, "action": "next", "q1": "no"}, follow=True))
    pages.append(
        client.post(address, {**fields, "action": "submit", "q1": "no", "q2": "yes"}, follow=True)
    )
    pages.append(client.get("/c/rivers/history/"))
    return [page.content.decode() for page in pages]


@pytest.mark.parametrize(
    ("policy", "where"),
    [("hidden", []), ("before", [0, 1, 2]), ("after", [2])],
)
def test_suggestion_is_shown_where_the_policy_says_and_nowhere_else(
    rater: Membership, campaign: Campaign, policy: str, where: list[int]
) -> None:
    _suggest(campaign, policy)
    pages = _everything_shown(signed_in(rater))
    assert [n for n, html in enumerate(pages) if "0.81" in html] == where
    assert [n for n, html in enumerate(pages) if "feather" in html] == where


@pytest.mark.parametrize("shows_differences", [True, False])
def test_words_that_differ_are_marked_only_where_the_campaign_wants_it(
    db: None, shows_differences: bool
) -> None:
    campaign = make_campaign("rivers", overlap=1)
    for _item in range(2):
        make_item(campaign, candidate="in the southern hills")
    admin = signed_in(make_member(campaign, "admin"))
    change_settings(campaign=campaign, changes={"shows_differences": shows_differences})
    pages = [admin.get("/c/rivers/rate/")]
    address, fields = open_item(admin)
    pages.append(admin.post(f"{address}following/"))
    pages.append(admin.post(address, {**fields, "action": "submit", "q1": "no"}, headers=HTMX))
    marked = ['<span class="own">southern</span>' in page.content.decode() for page in pages]
    assert marked == [shows_differences] * 3
    assert all(shows_differences or b'"own"' not in page.content for page in pages)


def test_hostile_text_is_shown_as_text(db: None) -> None:
    hostile = make_campaign("hostile", overlap=1)
    make_item(
        hostile,
        question="<script>alert(1)</script>",
        candidate="abc\u202edef",
    )
    rater = make_member(hostile)
    html = signed_in(rater).get("/c/hostile/rate/").content.decode()
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert 'abc<bdi class="control">RLO</bdi>def' in html
    assert "\u202e" not in html


@pytest.mark.parametrize(
    ("protocol", "answers", "label"),
    [
        ("cap", {"label": "partial"}, "partial"),
        ("statement", {"label": "syntactic"}, "syntactic"),
        ("rules", {"label": "correct", "rules": ["semantic", "aliasing"]}, "correct"),
    ],
)
def test_every_protocol_is_rated_with_the_same_form(
    db: None, protocol: str, answers: dict[str, Any], label: str
) -> None:
    campaign = make_campaign("rivers", protocol=protocol)
    make_item(campaign)
    client = signed_in(make_member(campaign))
    address, fields = open_item(client)
    response = client.post(address, {**fields, "action": "submit", **answers})
    assert response.status_code == 303
    rating = Rating.objects.get()
    assert rating.outcome.label == label
    assert rating.outcome.answers.get("rules", "") == (
        "aliasing+semantic" if protocol == "rules" else ""
    )
