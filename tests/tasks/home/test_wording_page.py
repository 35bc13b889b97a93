"""The page and the call by which admins word a form in another language."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tasks.campaigns.workflow.wording import publish_wording
from tasks.models import Campaign, Membership, Rating, Wording
from tasks.protocols.wording import form_texts, shipped_texts
from tests.tasks.api_client import ApiClient
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.slow

AsMember = Callable[[Membership | None], ApiClient]
PAGE = "/c/rivers/settings/wording/de/"
CALL = "rivers/wordings/de"


def german(campaign: Campaign) -> dict[str, str]:
    return shipped_texts(campaign.annotation_protocol, "de")


def typed(campaign: Campaign, **changes: str) -> dict[str, str]:
    """What the form of the page sends with the shipped translation in its fields."""
    texts = german(campaign)
    originals = form_texts(campaign.annotation_protocol)
    fields = {f"text-{place}": texts[text] for place, text in enumerate(originals, start=1)}
    return {**fields, **changes}


def test_admin_starts_from_the_shipped_translation_and_publishes_it(admin: Membership) -> None:
    client = signed_in(admin)
    assert "Ist die zweite Antwort" not in client.get(PAGE).content.decode()
    started = client.get(f"{PAGE}?start=shipped").content.decode()
    assert "Ist die zweite Antwort eine völlig andere Antwort?" in started
    assert "Is the second answer a completely different answer?" in started
    assert not Wording.objects.exists()
    assert client.post(PAGE, typed(admin.campaign)).status_code == 302
    stored = Wording.objects.get()
    assert (stored.language, stored.version, stored.texts) == ("de", 1, german(admin.campaign))
    assert "Version 1 of" in client.get(PAGE).content.decode()
    assert client.post(f"{PAGE}withdraw/").status_code == 302
    assert "everybody sees the original wording" in client.get(PAGE).content.decode()


def test_missing_text_is_named_and_nothing_is_published(admin: Membership) -> None:
    response = signed_in(admin).post(PAGE, typed(admin.campaign, **{"text-3": " "}))
    assert response.status_code == 422
    assert "This text of the form has no translation yet." in response.content.decode()
    assert not Wording.objects.exists()


def test_language_that_the_pages_do_not_have_is_not_there(admin: Membership) -> None:
    client = signed_in(admin)
    for language in ("fr", "en", "x"):
        assert client.get(f"/c/rivers/settings/wording/{language}/").status_code == 404


def test_rater_is_asked_in_their_language_and_the_rating_says_so(rater: Membership) -> None:
    campaign = rater.campaign
    wording = publish_wording(campaign=campaign, language="de", texts=german(campaign))
    client = signed_in(rater)
    english = client.get("/c/rivers/rate/").content.decode()
    assert 'name="wording" value=""' in english
    assert "Ist die zweite" not in english
    html = client.get("/c/rivers/rate/", headers={"Accept-Language": "de"}).content.decode()
    assert '<span class="wording" lang="de">Ist die zweite Antwort' in html
    assert '<dt lang="de">Erste Antwort</dt>' in html
    fields = dict(re.findall(r'type="hidden"\s+name="(\w+)"\s+value="([^"]*)"', html))
    assert fields["wording"] == str(wording.pk)
    [action] = set(re.findall(r'action="(/c/rivers/rate/\d+/)"', html))
    answers = {"q1": "no", "q2": "yes", "action": "submit"}
    response = client.post(action, {**fields, **answers}, headers={"Accept-Language": "de"})
    assert response.status_code == 303
    rating = Rating.objects.get()
    assert (rating.wording, rating.outcome.label) == (wording, "equivalent")
    stored = client.get(response["Location"], headers={"Accept-Language": "de"}).content.decode()
    assert '<b lang="de">Gleichwertig</b>' in stored


def test_words_of_another_campaign_are_refused_with_the_rating(
    rater: Membership, as_member: AsMember
) -> None:
    client = as_member(rater)
    claimed = client.claim("rivers").json()
    assert claimed["form"]["wordings"] == {}
    body = {"q1": False, "q2": True, "wording": 4711}
    response = client.rate(claimed["assignment"], body)
    assert (response.status_code, response.json()) == (
        400,
        {"detail": "the campaign has no such wording of its form"},
    )
    assert not Rating.objects.exists()


def test_program_publishes_reads_and_withdraws(
    admin: Membership, rater: Membership, as_member: AsMember
) -> None:
    texts = german(admin.campaign)
    client: Any = as_member(admin)
    assert client.get(CALL).status_code == 404
    published = client.send("PUT", CALL, {"texts": texts})
    assert published.status_code == 200
    body = published.json()
    assert (body["language"], body["version"], body["texts"]) == ("de", 1, texts)
    assert as_member(rater).get(CALL).json() == body
    assert as_member(rater).get("rivers/wordings").json() == [body]
    claimed = as_member(rater).claim("rivers").json()
    assert claimed["form"]["wordings"] == {"de": body["id"]}
    rated = as_member(rater).rate(claimed["assignment"], {"q1": True, "wording": body["id"]})
    assert rated.status_code == 201
    assert Rating.objects.get().wording_id == body["id"]
    refused = client.send("PUT", CALL, {"texts": {**texts, "Yes": ""}})
    assert (refused.status_code, refused.json()) == (
        400,
        {"detail": "there is no wording of 'Yes'", "field": "texts"},
    )
    assert client.send("DELETE", CALL).status_code == 204
    assert client.get("rivers/wordings").json() == []
