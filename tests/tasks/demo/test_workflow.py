"""The demo campaigns come with consent and calibration, and let a newcomer rate at once."""

from django.conf import settings

from tasks.demo.workflow import load_demo
from tasks.models import Campaign, ExpectedAnswer, Slot


def test_demo_campaigns_are_ready_for_consent_and_calibration(db: None) -> None:
    load_demo(settings.BASE_DIR / "demo")
    campaigns = Campaign.objects.order_by("slug").select_related("consent_text")
    assert [
        (
            campaign.slug,
            campaign.consent_text is not None,
            campaign.requires_calibration,
            ExpectedAnswer.objects.filter(
                item__campaign=campaign, item__purpose="calibration"
            ).count(),
        )
        for campaign in campaigns
    ] == [("demo-ae", True, False, 6), ("demo-cap", True, False, 8)]
    assert not Slot.objects.exclude(item__purpose="live").exists()
