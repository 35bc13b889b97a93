"""Alerts as they leave the site: numbers for programs, sentences for people."""

from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from tasks.agreement.findings.alerts import mail_addresses
from tasks.audit.queries.log import audit_head
from tasks.events.workflow.signed_message import send_to_webhook
from tasks.models import Alert, Campaign
from tasks.web.public_address import public_address


class NobodyToTell(Exception):
    """The channel leads nowhere: no admin has an address, or there is no webhook any more."""


def as_message(alert: Alert) -> dict[str, Any]:
    """The alert as API and webhook tell it. No sentences: every reader has its own language."""
    return {
        "id": alert.pk,
        "campaign": alert.campaign.slug,
        "kind": alert.kind,
        "subject": alert.subject,
        "evidence": alert.evidence,
        "look": alert.look.number if alert.look else None,
        "raised_at": alert.raised_at.isoformat(),
        "acknowledged_at": alert.acknowledged_at.isoformat() if alert.acknowledged_at else None,
        "note": alert.note,
        "url": address_of(alert.campaign, "alerts"),
    }


def send_by_mail(alert: Alert) -> None:
    """One mail to every admin with an address. Raises OSError, NobodyToTell."""
    addresses = mail_addresses(alert.campaign)
    if not addresses:
        raise NobodyToTell("no admin of the campaign has an e-mail address")
    context = {
        "alert": alert,
        "address": address_of(alert.campaign, "alerts"),
        "audit_head": str(audit_head() or ""),
    }
    with translation.override(settings.LANGUAGE_CODE):
        subject = f"{alert.campaign.title}: {alert.get_kind_display()}"
        body = render_to_string("agreement/alert_mail.txt", context)
    EmailMessage(" ".join(subject.split()), body, bcc=addresses).send()


def send_by_webhook(alert: Alert) -> None:
    """Raises OutgoingError, WebhookRefused, NobodyToTell."""
    channels = getattr(alert.campaign, "alert_channels", None)
    if channels is None or not channels.webhook_url:
        raise NobodyToTell("the campaign has no webhook any more")
    send_to_webhook(
        url=channels.webhook_url, secret=channels.webhook_secret, message=as_message(alert)
    )


def address_of(campaign: Campaign, page: str) -> str:
    """The address of a page as the world sees it; its path alone if the site's is not set."""
    return public_address(reverse(page, args=[campaign.slug]))
