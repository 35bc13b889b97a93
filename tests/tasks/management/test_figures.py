"""manage.py figures"""

from tasks.agreement.figures.figures import FIGURES
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign
from tests.tasks.conftest import MakeCampaign, rating_row
from tests.tasks.management.conftest import Manage


def test_figures_prints_what_the_page_shows(manage: Manage, make_campaign: MakeCampaign) -> None:
    campaign: Campaign = make_campaign(items=3)
    rows = [rating_row(n, rater, "equivalent") for n in (1, 2) for rater in ("ann", "ben")]
    import_ratings(campaign=campaign, rows=rows)
    printed = {name: manage.json("figures", campaign.slug, name) for name in FIGURES}
    assert printed == {name: figures(campaign) for name, figures in FIGURES.items()}
    assert "items: 2\nratings: 4\n" in manage("figures", campaign.slug, "labels")


def test_figures_refuses_what_there_is_not(manage: Manage, make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=1)
    assert "no campaign 'nowhere'" in manage.error("figures", "nowhere", "labels")
    assert "invalid choice: 'weather'" in manage.error("figures", campaign.slug, "weather", code=2)
