"""How often what is to be rated in a campaign has changed: by this an import knows, when it
stores what it has planned, whether the campaign is still the one it was planned for."""

from django.db.models import F

from tasks.models import Campaign


class CampaignChanged(Exception):
    """Something else has changed what is to be rated in the campaign since a plan was made."""


def count_change(campaign: Campaign) -> int:
    """Count a change, in its transaction; others that make one in the campaign wait for its end.

    To be called before the change reads what it depends on. Returns the new count.
    """
    Campaign.objects.filter(pk=campaign.pk).update(intakes=F("intakes") + 1)
    return Campaign.objects.values_list("intakes", flat=True).get(pk=campaign.pk)
