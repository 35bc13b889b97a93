"""A campaign's webhooks and what became of what was to be sent there."""

from django.db.models import Count, Q, QuerySet

from tasks.models import Campaign, Delivery, Webhook


def webhooks_of(campaign: Campaign) -> QuerySet[Webhook]:
    """Those that were not deleted, the oldest first."""
    return Webhook.objects.filter(campaign=campaign, deleted_at=None).order_by("id")


def with_waiting(webhooks: QuerySet[Webhook]) -> QuerySet[Webhook]:
    """Each with how many deliveries are `waiting` to be sent."""
    return webhooks.annotate(waiting=Count("deliveries", filter=Q(deliveries__sent_at=None)))


def deliveries_to(webhook: Webhook) -> QuerySet[Delivery]:
    """The newest first, each with its event."""
    return Delivery.objects.filter(webhook=webhook).select_related("event").order_by("-id")
