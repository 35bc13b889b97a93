"""The datasheet of a campaign: what people answered, and what the platform knows by itself."""

from collections import Counter, defaultdict

from django.db.models import Exists, OuterRef

from tasks.models import (
    Adjudication,
    CalibrationAttempt,
    Campaign,
    Consent,
    DatasheetAnswer,
    ItemPurpose,
    Membership,
    Rating,
)
from tomahto.releases.records.records import CollectionRecord, Documentation, Entry, RaterRecord


def answers_in_force(campaign: Campaign) -> dict[str, DatasheetAnswer]:
    """The last answer to each question by its key, those that were taken back included."""
    answers = DatasheetAnswer.objects.filter(campaign=campaign).select_related("written_by")
    return {answer.question: answer for answer in answers}


def datasheet_answers(campaign: Campaign) -> dict[str, str]:
    """The texts in force, by the key of their question."""
    return {key: answer.text for key, answer in answers_in_force(campaign).items() if answer.text}


def documentation(campaign: Campaign) -> Documentation:
    texts = campaign.consent_texts.order_by("version").values_list("version", flat=True)
    collection = CollectionRecord(
        raters=_raters(campaign),
        consent_versions=tuple(texts),
        requires_calibration=campaign.requires_calibration,
        calibration_items=campaign.items.filter(purpose=ItemPurpose.CALIBRATION).count(),
        pass_percent=campaign.calibration_pass_percent,
        attempts_allowed=campaign.calibration_attempts,
    )
    return Documentation(answers=datasheet_answers(campaign), collection=collection)


def _raters(campaign: Campaign) -> list[RaterRecord]:
    """Everybody who has rated or adjudicated, whatever has become of that."""
    consents = defaultdict(set)
    agreed = Consent.objects.filter(membership__campaign=campaign)
    for membership_id, version in agreed.values_list("membership", "text__version"):
        consents[membership_id].add(version)
    attempts = Counter(
        CalibrationAttempt.objects.filter(membership__campaign=campaign).values_list(
            "membership", flat=True
        )
    )
    members = (
        Membership.objects.filter(campaign=campaign)
        .filter(
            Exists(Rating.objects.filter(rater=OuterRef("pk")))
            | Exists(Adjudication.objects.filter(adjudicator=OuterRef("pk")))
        )
        .select_related("crowd_visit")
        .order_by("pk")
    )
    return [
        RaterRecord(
            pseudonym=member.pseudonym,
            role=member.role,
            entry=_entry(member),
            is_active=member.is_active,
            consents=tuple(sorted(consents[member.pk])),
            calibration_attempts=attempts[member.pk],
            has_passed_calibration=member.passed_calibration_id is not None,
        )
        for member in members
    ]


def _entry(member: Membership) -> Entry:
    if hasattr(member, "crowd_visit"):
        return "crowd"
    if member.is_imported:
        return "import"
    return "account" if member.invitation_id is None else "invitation"
