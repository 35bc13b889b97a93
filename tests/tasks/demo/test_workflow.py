"""The demo campaigns come with consent and calibration, and let a newcomer rate at once."""

from django.conf import settings

from tasks.demo.workflow import load_demo
from tasks.models import Campaign, ExpectedAnswer, Membership, Slot, User
from tests.factories import make_user
from tests.tasks.browsers import signed_in


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


def test_an_operator_of_an_empty_site_loads_the_demo_and_is_its_admin(db: None) -> None:
    operator = make_user(is_superuser=True, is_staff=True)
    browser = signed_in(operator)
    assert 'action="/demo/"' in browser.get("/").content.decode()
    assert browser.post("/demo/")["Location"] == "/"
    assert list(Membership.objects.filter(user=operator).values_list("campaign__slug", "role")) == [
        ("demo-ae", "admin"),
        ("demo-cap", "admin"),
    ]
    assert not User.objects.exclude(pk=operator.pk).exists()
    home = browser.post("/demo/", follow=True).content.decode()
    assert "The demo has already been loaded." in home
    assert 'action="/demo/"' not in home
    assert Campaign.objects.count() == 2


def test_nobody_else_loads_the_demo(db: None) -> None:
    assert signed_in(make_user(is_staff=True)).post("/demo/").status_code == 403
    assert not Campaign.objects.exists()
