"""Workers' part in the explorer: work out the summaries of items that wait."""

import logging
import time

from celery import shared_task

from tasks.explorer.queries.rows import campaigns_with_stale_items
from tasks.explorer.workflow.refreshing import AT_ONCE, REFRESH, refresh
from tasks.models import Campaign
from tasks.storing.database import analyse_what_counts_as_empty
from tasks.storing.messages import send

logger = logging.getLogger(__name__)

LONGEST = 30  # seconds of one message, so that other work of a single worker comes in between


@shared_task(name="tasks.refresh_due_items", expires=60)
def refresh_due_items() -> None:
    """Send campaigns in which items wait; the planner has to know how many there are."""
    analyse_what_counts_as_empty()
    for campaign_id in campaigns_with_stale_items():
        send(REFRESH, campaign_id, expires=60)


@shared_task(name=REFRESH)
def refresh_items(campaign_id: int) -> None:
    """Work out a campaign's stale items; what is left after a while is sent once more."""
    campaign = Campaign.objects.filter(pk=campaign_id).first()
    if campaign is None:
        return
    until = time.monotonic() + LONGEST
    while refresh(campaign=campaign) == AT_ONCE:
        if time.monotonic() > until:
            send(REFRESH, campaign_id)
            return
