"""Alerts as they leave the site: numbers for programs, sentences for people."""

from html import unescape
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from tasks.agreement.findings import are_alerts_withheld, mailed_admins
from tasks.audit import queries
from tasks.events.workflow.sending import send_to_webhook
from tasks.models import Alert, Campaign
from tasks.web.outgoing import Mail, Part, compose, public_address


class NobodyToTell(Exception):
    """The channel leads nowhere: no admin has an address, or the webhook was removed."""


def as_message(alert: Alert) -> dict[str, Any]:
    """The alert as API and webhook show it. No sentences: every reader has its own language."""
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
    """A mail to every admin with an address, one for each language; to those who may still rate
    the items behind the alert, without its figures. Raises OSError, NobodyToTell."""
    admins = mailed_admins(alert.campaign)
    if not admins:
        raise NobodyToTell("no admin of the campaign has an e-mail address")
    readers: dict[tuple[str, bool], list[str]] = {}
    for user, admin in ((admin.user, admin) for admin in admins if admin.user):
        is_told = alert.look is None or not are_alerts_withheld(admin)
        alike = (user.language or settings.LANGUAGE_CODE, is_told)
        readers.setdefault(alike, []).append(user.email)
    for (language, is_told), addresses in readers.items():
        with translation.override(language):
            mail = alert_mail(alert, is_told=is_told, audit_head=str(queries.audit_head() or ""))
            compose(mail, bcc=addresses, campaign=alert.campaign).send()


def alert_mail(alert: Alert, *, is_told: bool, audit_head: str = "") -> Mail:
    """The mail to admins about an alert; without its figures unless `is_told`."""
    kind = _("Alert")
    sentence = _(
        "An alert was raised. It is based on votes on items that you may still rate, so the page"
        " asks you before it shows the figures."
    )
    if is_told:
        kind = alert.get_kind_display()
        # the template is one of pages: it escapes
        sentence = unescape(render_to_string("agreement/alert_sentence.html", {"alert": alert}))
    footer = [
        _(
            "You receive this because you are an admin of the campaign. It will not be sent again;"
            " acknowledge the alert on that page."
        )
    ]
    if audit_head:
        text = _("The site's audit log at this moment, for a later check: %(head)s")
        footer.append(text % {"head": audit_head})
    return Mail(
        subject=f"{alert.campaign.title}: {kind}",
        body=[
            Part(f"{alert.campaign.title}: {kind}"),
            Part(" ".join(sentence.split())),
            Part(_("Open the alerts"), address_of(alert.campaign, "alerts")),
        ],
        footer=[Part(text) for text in footer],
    )


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
