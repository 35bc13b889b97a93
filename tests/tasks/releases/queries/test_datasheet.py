"""The platform's knowledge of those who rated: their ways in, and the questions to them."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks.intake.workflow.ratings import import_ratings
from tasks.models import (
    CalibrationAttempt,
    Campaign,
    Consent,
    ConsentText,
    CrowdVisit,
    Invitation,
    Membership,
)
from tasks.releases.queries.datasheet import documentation
from tests.factories import make_member
from tests.tasks.conftest import MakeCampaign, rate_next, rating_row
from tomahto.releases.records.records import CollectionRecord, RaterRecord


def invited(campaign: Campaign, name: str) -> Membership:
    member = make_member(campaign, "rater", name)
    member.invitation = Invitation.objects.create(
        campaign=campaign, digest=name, expires_at="2030-01-01T00:00:00Z"
    )
    member.save()
    return member


def visitor(campaign: Campaign, name: str) -> Membership:
    member = make_member(campaign, "rater", name)
    CrowdVisit.objects.create(campaign=campaign, membership=member, participant=name)
    return member


def test_documentation_knows_how_raters_came_and_what_they_agreed_to(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=6, overlap=5)
    first = ConsentText.objects.create(campaign=campaign, version=1, text="One")
    second = ConsentText.objects.create(campaign=campaign, version=2, text="Two")
    account = make_member(campaign, "researcher", "account")
    by_link, by_crowd = invited(campaign, "link"), visitor(campaign, "crowd")
    for member in (account, by_link, by_crowd):
        rate_next(member)
    make_member(campaign, "rater", "who-never-rated")
    import_ratings(campaign=campaign, rows=[rating_row(1, "file", "equivalent")])
    Consent.objects.create(membership=by_link, text=first)
    Consent.objects.create(membership=by_link, text=second)
    guideline = campaign.guideline
    assert guideline is not None
    tries = [
        CalibrationAttempt.objects.create(
            membership=by_crowd,
            number=number,
            guideline=guideline,
            finished_at="2026-01-01T00:00:00Z",
            is_passed=number == 2,
        )
        for number in (1, 2)
    ]
    Membership.objects.filter(pk=by_crowd.pk).update(passed_calibration=tries[1], is_active=False)

    file = Membership.objects.get(campaign=campaign, user=None)
    found = documentation(campaign).collection
    assert found == CollectionRecord(
        raters=[
            RaterRecord(pseudonym=account.pseudonym, role="researcher", entry="account"),
            RaterRecord(
                pseudonym=by_link.pseudonym, role="rater", entry="invitation", consents=(1, 2)
            ),
            RaterRecord(
                pseudonym=by_crowd.pseudonym,
                role="rater",
                entry="crowd",
                is_active=False,
                calibration_attempts=2,
                has_passed_calibration=True,
            ),
            RaterRecord(pseudonym=file.pseudonym, role="rater", entry="import"),
        ],
        consent_versions=(1, 2),
        pass_percent=80,
        attempts_allowed=3,
    )


def test_documentation_asks_no_more_of_more_raters(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=6, overlap=5)
    counts = []
    for name in ("ann", "ben", "cem"):
        rate_next(visitor(campaign, name))
        with CaptureQueriesContext(connection) as queries:
            documentation(campaign)
        counts.append(len(queries))
    assert counts == [6] * 3
