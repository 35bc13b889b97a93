"""What raters consent to: its versions, and who agreed to which."""

from django.db import transaction
from django.db.models import F, Max

from tasks.models import AuditAction, Campaign, Consent, ConsentText, Membership
from tasks.storing.acts import record
from tasks.storing.refusals import Refusal


class ConsentTextChanged(Refusal):
    """The version agreed to is not the one in force."""


@transaction.atomic
def publish_consent_text(*, campaign: Campaign, text: str) -> ConsentText | None:
    """The next version of the text, to which everybody is asked to consent anew.

    Equal text changes nothing; empty text withdraws it, so that nobody is asked any more.
    """
    text = text.replace("\r\n", "\n").strip()
    published = _next_version(campaign, f"{text}\n") if text else None
    if published != campaign.consent_text:
        campaign.consent_text = published
        campaign.save(update_fields=["consent_text"])
        version = f"version {published.version}" if published else ""
        record(
            AuditAction.CONSENT_PUBLISHED if published else AuditAction.CONSENT_WITHDRAWN,
            campaign=campaign,
            subject=("consent text", version),
        )
    return published


@transaction.atomic
def give_consent(*, membership: Membership, version: int) -> Consent:
    """Record that the member agrees to this version of the text; again changes nothing.

    Raises ConsentTextChanged if the version is not the one in force.
    """
    text = ConsentText.objects.filter(
        campaign=membership.campaign_id, campaign__consent_text=F("pk"), version=version
    ).first()
    if text is None:
        raise ConsentTextChanged(f"version {version} of the consent text is not in force")
    consent, _created = Consent.objects.get_or_create(membership=membership, text=text)
    membership.consented_to = text
    membership.save(update_fields=["consented_to"])
    return consent


def _next_version(campaign: Campaign, text: str) -> ConsentText:
    if campaign.consent_text is not None and campaign.consent_text.text == text:
        return campaign.consent_text
    last = ConsentText.objects.filter(campaign=campaign).aggregate(last=Max("version"))["last"]
    return ConsentText.objects.create(campaign=campaign, version=(last or 0) + 1, text=text)
