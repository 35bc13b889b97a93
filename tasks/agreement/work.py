"""Workers' part in dashboards and alerts: work out figures, look, send alerts."""

import logging
from collections.abc import Callable, Mapping

from celery import shared_task

from tasks.agreement.alert_messages import send_by_mail, send_by_webhook
from tasks.agreement.workflow.alerts import TELL_ALERTS, raise_stalled
from tasks.agreement.workflow.assessment import ASSESS, assess, due_campaigns, send_assessment
from tasks.events.workflow.sending import send_due
from tasks.models import Alert, Campaign, Channel, Delivery

logger = logging.getLogger(__name__)


@shared_task(name="tasks.assess_due", expires=60)
def assess_due() -> None:
    """Send campaigns whose figures are wanted or old."""
    for campaign_id in due_campaigns():
        send_assessment(campaign_id)


@shared_task(name=ASSESS)
def assess_campaign(campaign_id: int) -> None:
    """Work out a campaign's figures; whoever comes second leaves it to the first."""
    try:
        assess(campaign=Campaign.objects.get(pk=campaign_id))
    except Exception:
        logger.exception("the figures of campaign %s could not be computed", campaign_id)
    tell_alerts()


@shared_task(name="tasks.watch_progress", expires=600)
def watch_progress() -> None:
    raise_stalled()
    tell_alerts()


@shared_task(name=TELL_ALERTS, expires=60)
def tell_alerts() -> None:
    """Send what is to be told of alerts by now, and try again what failed."""
    send_due(_tell, alert__isnull=False)


def _tell(delivery: Delivery) -> None:
    assert delivery.alert is not None  # noqa: S101 - only those of alerts are sent
    _TELL[Channel(delivery.channel)](delivery.alert)


_TELL: Mapping[Channel, Callable[[Alert], None]] = {
    Channel.MAIL: send_by_mail,
    Channel.WEBHOOK: send_by_webhook,
}
