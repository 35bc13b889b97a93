"""The words of a form in another language: published as a whole, versioned, kept with ratings."""

import pytest
from django.db import DatabaseError, transaction
from django.utils.translation import override

from tasks.campaigns.queries.wordings import shown_form, shown_wording, wording_in_force
from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.campaigns.workflow.wording import (
    UnknownWording,
    WordingError,
    publish_wording,
    require_wording,
    withdraw_wording,
)
from tasks.models import AuditAction, AuditEntry, Campaign, Rating, Wording
from tasks.protocols import protocols
from tasks.protocols.wording import form_texts, shipped_texts, worded
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tests.tasks.conftest import EQUIVALENT, MakeCampaign, MakeMember

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=3)


def german(campaign: Campaign, **changes: str) -> dict[str, str]:
    return {**shipped_texts(campaign.annotation_protocol, "de"), **changes}


@pytest.mark.parametrize("name", protocols())
def test_shipped_german_has_every_text_of_every_protocol(name: str) -> None:
    protocol = protocols()[name]
    texts = shipped_texts(protocol, "de")
    assert tuple(texts) == form_texts(protocol)
    assert all(text.strip() for text in texts.values())
    # two choices of a question never read alike
    for question in worded(protocol, texts).questions:
        titles = [choice.title for choice in question.choices]
        assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("name", protocols())
def test_other_words_change_neither_values_nor_outcomes(name: str) -> None:
    protocol = protocols()[name]
    other = worded(protocol, shipped_texts(protocol, "de"))
    assert other.outcomes == protocol.outcomes
    assert [q.key for q in other.questions] == [q.key for q in protocol.questions]
    assert [c.key for q in other.questions for c in q.choices] == [
        c.key for q in protocol.questions for c in q.choices
    ]


def test_nothing_shipped_is_shown_before_an_admin_publishes_it(campaign: Campaign) -> None:
    with override("de"):
        assert shown_wording(campaign) is None
        assert shown_form(campaign) is campaign.annotation_protocol


def test_published_words_are_shown_in_their_language_alone(campaign: Campaign) -> None:
    published = publish_wording(campaign=campaign, language="de", texts=german(campaign))
    assert (published.version, published.guideline) == (1, campaign.guideline)
    with override("de"):
        assert shown_wording(campaign) == published
        assert shown_form(campaign).questions[0].text.startswith("Ist die zweite Antwort")
    with override("en"):
        assert shown_wording(campaign) is None
    fresh = Campaign.objects.get(pk=campaign.pk)
    assert wording_in_force(fresh, "de") == published
    entry = AuditEntry.objects.get(action=AuditAction.WORDING_PUBLISHED)
    assert entry.subject == "de, version 1"


def test_equal_words_publish_nothing_and_others_the_next_version(campaign: Campaign) -> None:
    first = publish_wording(campaign=campaign, language="de", texts=german(campaign))
    assert publish_wording(campaign=campaign, language="de", texts=german(campaign)) == first
    second = publish_wording(campaign=campaign, language="de", texts=german(campaign, Yes="Jawohl"))
    assert second.version == 2
    assert Wording.objects.count() == 2
    with override("de"):
        assert shown_form(campaign).questions[0].choices[0].title == "Jawohl"


@pytest.mark.parametrize(
    ("language", "changes", "said"),
    [
        ("fr", {}, "language 'fr' is not one of de"),
        ("en", {}, "language 'en' is not one of de"),
        ("de", {"Yes": "  "}, "there is no wording of 'Yes'"),
        ("de", {"Perhaps": "Vielleicht"}, "'Perhaps' is no text of the form"),
        ("de", {"Yes": "J" * 2001}, "the wording of 'Yes' is longer than 2000 characters"),
    ],
)
def test_words_that_cannot_be_are_refused_and_change_nothing(
    campaign: Campaign, language: str, changes: dict[str, str], said: str
) -> None:
    with pytest.raises(WordingError, match=said):
        publish_wording(campaign=campaign, language=language, texts=german(campaign, **changes))
    assert not Wording.objects.exists()
    assert Campaign.objects.get(pk=campaign.pk).wordings_in_force == ""


def test_withdrawn_words_are_kept_for_the_ratings_given_in_them(
    campaign: Campaign, make_member: MakeMember
) -> None:
    published = publish_wording(campaign=campaign, language="de", texts=german(campaign))
    assert withdraw_wording(campaign=campaign, language="de")
    assert not withdraw_wording(campaign=campaign, language="de")
    with override("de"):
        assert shown_wording(campaign) is None
    require_wording(campaign, published.pk)
    again = publish_wording(campaign=campaign, language="de", texts=german(campaign))
    assert again.version == 2


def test_new_guidelines_take_the_words_over_as_a_version_of_their_own(campaign: Campaign) -> None:
    before = publish_wording(campaign=campaign, language="de", texts=german(campaign))
    guideline = publish_guideline(campaign=campaign, text="Mind the mouth.")
    after = wording_in_force(campaign, "de")
    assert after is not None
    assert (after.version, after.guideline, after.texts) == (2, guideline, before.texts)
    assert before.guideline != guideline


def test_words_of_another_campaign_are_unknown(
    campaign: Campaign, make_campaign: MakeCampaign
) -> None:
    other = make_campaign(items=1)
    foreign = publish_wording(campaign=other, language="de", texts=german(other))
    with pytest.raises(UnknownWording):
        require_wording(campaign, foreign.pk)


def test_rating_keeps_the_words_it_was_given_in(
    campaign: Campaign, make_member: MakeMember
) -> None:
    published = publish_wording(campaign=campaign, language="de", texts=german(campaign))
    rater = make_member(campaign)
    for number, wording in enumerate((published.pk, None)):
        claim = claim_item(membership=rater)
        assert claim is not None
        submit_rating(
            assignment_id=claim.assignment_id,
            membership=rater,
            answers=EQUIVALENT,
            idempotency_key=f"key-{number}",
            wording=wording,
        )
    found = Rating.objects.order_by("pk").values_list("wording", "outcome__label")
    assert list(found) == [(published.pk, "equivalent"), (None, "equivalent")]


def test_database_refuses_to_change_words(campaign: Campaign) -> None:
    publish_wording(campaign=campaign, language="de", texts=german(campaign))
    with pytest.raises(DatabaseError), transaction.atomic():
        Wording.objects.update(version=9)
    with pytest.raises(DatabaseError), transaction.atomic():
        Wording.objects.all().delete()
    assert Wording.objects.get().version == 1
