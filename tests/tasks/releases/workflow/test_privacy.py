"""Pseudonyms alone leave the platform. On both databases."""

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.contrib.sessions.backends.db import SessionStore

from exporters.privacy import PersonalDataError
from tasks.adjudication.workflow import adjudicate
from tasks.campaigns.workflow.campaign import add_member
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import (
    AlertChannels,
    Assignment,
    Campaign,
    CrowdVisit,
    Invitation,
    Item,
    Membership,
    Rating,
    Release,
    User,
)
from tasks.people.workflow.members import give_consent, publish_consent_text
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.rating.workflow.records import raise_flag
from tasks.releases.workflow.datasheet import answer_datasheet
from tests.factories import make_campaign
from tests.stored_at_once import store_items
from tests.tasks.conftest import EQUIVALENT, item_row, rating_row
from tests.tasks.releases.releasing import publish
from tomahto.interchange.campaigns.ratings import read_ratings
from tomahto.releases.stored.manifest import read_manifest
from tomahto.releases.verification.verify import verify_release
from tomahto.votes.remarks import Remarks

pytestmark = pytest.mark.slow


MARK = "Sentinel"  # with a word after it, in every field that tells who somebody is
COMMENT = "The second answer is SentinelComment."


def marked(*names: str) -> dict[str, str]:
    return {name: f"{MARK}{name.title().replace('_', '')}" for name in names}


@pytest.fixture(scope="module")
def _kept(kept_rows: None) -> Campaign:
    campaign = make_campaign("marked")
    campaign.adjudicates_blind = False
    store_items(campaign, [item_row(n) for n in range(1, 7)])
    rows = [rating_row(n, "SentinelImported", "equivalent") for n in range(1, 7)]
    import_ratings(campaign=campaign, rows=rows)
    person = marked_person(campaign)
    while claim := claim_item(membership=person):
        submit_rating(
            assignment_id=claim.assignment_id,
            membership=person,
            answers=EQUIVALENT,
            idempotency_key=f"SentinelKey-{claim.assignment_id}",
            remarks=Remarks(comment=COMMENT),
        )
        assignment = Assignment.objects.get(pk=claim.assignment_id)
        raise_flag(assignment=assignment, reason="SentinelFlag")
    mark_the_rest(campaign, person)
    return campaign


@pytest.fixture
def campaign(_kept: Campaign, db: None) -> Campaign:
    """Every item is rated by an import and by a person all of whose fields are marked."""
    return Campaign.objects.get(pk=_kept.pk)


def marked_person(campaign: Campaign) -> Membership:
    user = User.objects.create_user(
        email="SentinelAddress@example.org",
        password="SentinelPassword",
        **marked("username", "first_name", "last_name"),
    )
    publish_consent_text(campaign=campaign, text="SentinelConsent from 192.0.2.77")
    person = add_member(campaign=campaign, user=user, role="rater")
    give_consent(membership=person, version=1)
    session = SessionStore()
    session.update({"_auth_user_id": user.pk, "address": "SentinelSession 192.0.2.77"})
    session.save()
    return person


def mark_the_rest(campaign: Campaign, person: Membership) -> None:
    Invitation.objects.create(
        campaign=campaign,
        digest="0" * 64,
        expires_at="2100-01-01T00:00Z",
        created_by=person.user,
        **marked("note"),
    )
    CrowdVisit.objects.create(
        campaign=campaign, membership=person, **marked("participant", "study", "session")
    )
    AlertChannels.objects.create(campaign=campaign, **marked("webhook_secret"))
    campaign.completion_code = "SentinelCode"
    campaign.save()
    expert = add_member(
        campaign=campaign, user=User.objects.create_user("SentinelExpert"), role="researcher"
    )
    answer_datasheet(campaign=campaign, answers={"uses": "Tests."}, written_by=expert.user)
    adjudicate(
        item=Item.objects.get(campaign=campaign, key="item-1"),
        adjudicator=expert,
        answers=EQUIVALENT,
        reason="SentinelReason",
        idempotency_key="SentinelDecision",
    )


def texts_of(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file's bytes, its name, and what compressed columns and their metadata say."""
    for path in folder.rglob("*"):
        if path.is_file():
            yield path.name, path.read_bytes().decode("latin-1") + str(path.relative_to(folder))
        if path.suffix == ".parquet":
            table = pq.read_table(path)
            yield path.name, f"{table.to_pylist()} {table.schema.metadata} {pq.read_metadata(path)}"


def found_in(folder: Path, *marks: str) -> set[str]:
    return {
        mark for _name, text in texts_of(folder) for mark in marks if mark.lower() in text.lower()
    }


def test_no_personal_field_is_in_any_byte_of_a_release(campaign: Campaign, tmp_path: Path) -> None:
    publish(campaign, tmp_path / "out")
    assert found_in(tmp_path / "out", MARK, "192.0.2.77", "example.org") == set()
    # the search finds what is there: a pseudonym, also in columns that are compressed
    pseudonyms = set(campaign.memberships.filter(ratings__isnull=False).values_list("pseudonym"))
    parquet = [text for name, text in texts_of(tmp_path / "out") if name == "test.parquet"]
    assert all(any(pseudonym in text for text in parquet) for (pseudonym,) in pseudonyms)


def test_comments_that_were_asked_for_bring_nothing_else(
    campaign: Campaign, tmp_path: Path
) -> None:
    release = publish(campaign, tmp_path / "out", comments=True)
    assert verify_release(release.folder) == []
    everything = "".join(text for _name, text in texts_of(release.folder))
    assert COMMENT in everything
    assert MARK not in everything.replace("SentinelComment", "")


@pytest.mark.parametrize(
    ("comment", "kind"),
    [
        ("ask SentinelUsername", "name"),
        ("by sentinelfirstname sentinellastname", "name"),
        ("as SentinelImported says", "name"),
        ("call 555-0199", "telephone number"),
    ],
)
def test_personal_data_in_comments_stops_the_release(
    campaign: Campaign, tmp_path: Path, comment: str, kind: str
) -> None:
    import_ratings(
        campaign=campaign, rows=[rating_row(1, "cat", "equivalent", comment=comment, counted=False)]
    )
    pseudonym = campaign.memberships.get(name="cat").pseudonym
    with pytest.raises(PersonalDataError) as refused:
        publish(campaign, tmp_path / "out", comments=True)
    assert f"item 'item-1', rater {pseudonym!r}: {kind}" in str(refused.value)
    assert comment not in str(refused.value)
    assert not Release.objects.exists()
    assert list(tmp_path.iterdir()) == []
    release = publish(campaign, tmp_path / "out", comments=True, personal_data_reason="Agreed.")
    confirmed = read_manifest(release.folder).personal_data
    assert confirmed is not None
    assert (confirmed.comments, confirmed.reason) == (1, "Agreed.")


def test_comments_come_back_by_import(campaign: Campaign, tmp_path: Path) -> None:
    publish(campaign, tmp_path / "out", comments=True)
    other = make_campaign("other")
    store_items(other, [item_row(n) for n in range(1, 7)])
    ratings = tmp_path / "ratings.jsonl"
    parts = sorted((tmp_path / "out/jsonl/ratings").glob("*.jsonl"))
    ratings.write_text("".join(part.read_text(encoding="utf-8") for part in parts))
    keys = other.annotation_protocol.question_keys
    rows = list(read_ratings(ratings, format="jsonl", question_keys=keys))
    import_ratings(campaign=other, rows=rows)

    def comments(of: Campaign) -> set[tuple[str, str]]:
        return set(Rating.objects.filter(item__campaign=of).values_list("item__key", "comment"))

    assert comments(other) == comments(campaign)
    assert json.loads(ratings.read_text().split("\n")[0])["comment"] in (COMMENT, None)
