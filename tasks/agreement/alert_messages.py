"""Alerts as they leave the site: numbers for programs, sentences for people."""

from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tasks.agreement.findings.alerts import are_alerts_withheld, mailed_admins
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
    """One mail to every admin with an address; to those who may still rate what the alert comes
    of, that there is one. Raises OSError, NobodyToTell."""
    admins = mailed_admins(alert.campaign)
    if not admins:
        raise NobodyToTell("no admin of the campaign has an e-mail address")
    readers: dict[bool, list[str]] = {}
    for admin in admins:
        is_told = alert.look is None or not are_alerts_withheld(admin)
        readers.setdefault(is_told, []).append(admin.user.email if admin.user else "")
    for is_told, addresses in readers.items():
        _mail(alert, addresses, is_told=is_told)


def _mail(alert: Alert, addresses: list[str], *, is_told: bool) -> None:
    context = {
        "alert": alert,
        "is_told": is_told,
        "address": address_of(alert.campaign, "alerts"),
        "audit_head": str(audit_head() or ""),
    }
    with translation.override(settings.LANGUAGE_CODE):
        what = alert.get_kind_display() if is_told else _("Alert")
        subject = f"{alert.campaign.title}: {what}"
        body = render_to_string("agreement/alert_mail.txt", context)
    EmailMessage(" ".join(subject.split()), body, bcc=addresses).send()


def send_by_webhook(alert: Alert) -> None:
    """Raises OutgoingError, WebhookRefused, NobodyToTell."""
    channels = getattr(alert.campaign, "alert_channels", None)
    if channels is None or not channels.webhook_url:
        raise NobodyToTell("the campaign no longer has a webhook")
    send_to_webhook(
        url=channels.webhook_url, secret=channels.webhook_secret, message=as_message(alert)
    )


def address_of(campaign: Campaign, page: str) -> str:
    """The address of a page as the world sees it; its path alone if the site's is not set."""
    return public_address(reverse(page, args=[campaign.slug]))
