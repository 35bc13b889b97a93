"""manage.py figures, and agreement of a part of the ratings"""

from datetime import UTC, date, datetime

import pytest

from tasks.agreement.figures.agreement_figures import agreement_of
from tasks.agreement.figures.figures import FIGURES
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Narrowing
from tasks.votes.ratings import narrow
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


def test_figures_and_agreement_are_of_the_part_that_is_asked_for(
    manage: Manage, make_campaign: MakeCampaign
) -> None:
    campaign = make_campaign(items=3)
    days = {"ann": datetime(2024, 5, 1, tzinfo=UTC), "ben": None}
    rows = [
        rating_row(n, rater, "equivalent", rated_at=day)
        for n in (1, 2)
        for rater, day in days.items()
    ]
    import_ratings(campaign=campaign, rows=rows)
    day = date(2024, 5, 1)
    part = narrow(campaign, Narrowing("juniper", day, day, 0, "imported"))
    asked = "--system juniper --since 2024-05-01 --until 2024-05-01 --guideline 0 --source imported"
    printed = manage.json("figures", campaign.slug, "raters", *asked.split())
    assert printed == FIGURES["raters"](part)
    printed = manage.json("agreement", campaign.slug, *asked.split())
    assert printed == agreement_of(part).as_json()
    assert printed["ratings_per_item"] == {"1": 2}


@pytest.mark.parametrize("command", ["figures {slug} time", "agreement {slug}"])
def test_a_part_that_there_is_not_is_refused_by_name(
    manage: Manage, make_campaign: MakeCampaign, command: str
) -> None:
    words = command.format(slug=make_campaign(items=1).slug).split()
    assert "system: there is no 'rowan'; known: juniper" in manage.error(
        *words, "--system", "rowan"
    )
    assert "since: 'May' is not a day" in manage.error(*words, "--since", "May")


def test_figures_of_all_ratings_are_refused_of_a_part(
    manage: Manage, make_campaign: MakeCampaign
) -> None:
    words = ("figures", make_campaign(items=1).slug, "labels", "--source", "rated")
    assert "the figures 'labels' cover all ratings only" in manage.error(*words)
