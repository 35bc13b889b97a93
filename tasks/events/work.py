"""Workers' part in webhooks: deliver and tidy."""

from celery import shared_task

from tasks.events.workflow.sending import DELIVER, deliver_due, forget_delivered, refresh_campaigns


@shared_task(name=DELIVER, expires=10)
def deliver() -> None:
    deliver_due()


@shared_task(name="tasks.tidy_webhooks", expires=3600)
def tidy_webhooks() -> None:
    """Delete what was delivered long ago, and mend what campaigns say of their webhooks."""
    forget_delivered()
    refresh_campaigns()
