"""The dashboards of raters and of classes."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks.agreement.workflow.alerts import look_if_due
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Membership, SeenVotes
from tasks.votes.ratings import counted_ratings
from tests.factories import make_campaign, make_item, make_member
from tests.simulations import Faults, simulate, store
from tests.tasks.browsers import signed_in, words_of
from tests.tasks.conftest import rate_next, rating_row

pytestmark = pytest.mark.slow


FAULTS = Faults(drifter=2, rusher=4, careless=5, confused=(1, 2))


def show_votes_to_all(campaign: Campaign) -> None:
    """Without blind first looks votes are shown to whoever looks into disagreement."""
    campaign.adjudicates_blind = False
    campaign.save(update_fields=["adjudicates_blind"])


def test_pages_of_raters_and_classes_name_what_a_look_found(db: None) -> None:
    campaign = store(simulate(7, raters=7, items=500, faults=FAULTS), "faulty")
    show_votes_to_all(campaign)
    admin, researcher = (make_member(campaign, role) for role in ("admin", "researcher"))
    look_if_due(campaign=campaign, ratings=counted_ratings(campaign).count())
    Membership.objects.filter(campaign=campaign, pseudonym="rater-02").update(name="Ann Oak")
    told = words_of(admin, "agreement/raters/")
    assert "Tested at 1,500 ratings" in told
    assert "The next test is at 2,250 ratings" in told
    assert re.search(r"From rating \d+ on, Ann Oak agrees less with the others: \d+ perc", told)
    assert re.search(r"rater-04 takes 0\.1\d? times as long", told)
    assert re.search(r"rater-05 is right on \d+ % of 20 control items, all others on", told)
    assert told.count("agreement declines") == 1
    assert told.count("unusually fast") == 1
    assert "rater-02" not in told
    assert "Findings of earlier tests" not in told

    told = words_of(researcher, "agreement/raters/rater-02/")
    assert "rater-02 agrees less with the others" in told
    assert "rater-04 takes" not in told
    assert "1–50" in told
    assert "51–100" in told
    found = re.search(r"(\d+) items that somebody else labelled differently", told)
    assert found is not None
    assert int(found.group(1)) == items_judged_otherwise_by_others(campaign, "rater-02") > 25
    assert "Page 1 of" in told

    told = words_of(researcher, "agreement/classes/")
    assert re.search(
        r"“Syntactic.*?” and “Semantic.*?” are confused: they make up \d+\.\d % of all pairs", told
    )
    assert "No item has both a majority label and a suggestion of feather." in told

    look_if_due(campaign=campaign, ratings=2250)
    told = words_of(researcher, "agreement/raters/")
    assert "Ann Oak" not in told
    assert re.search(
        r"Findings of earlier tests At 1,500 ratings From rating \d+ on, rater-02", told
    )


def items_judged_otherwise_by_others(campaign: Campaign, rater: str) -> int:
    votes = counted_ratings(campaign).values_list("item", "rater__pseudonym", "outcome__label")
    labels: dict[int, dict[str, str]] = {}
    for item, who, label in votes:
        labels.setdefault(item, {})[who] = label
    return sum(rater in given and len(set(given.values())) > 1 for given in labels.values())


def test_raters_page_of_a_clean_campaign_says_that_nothing_stands_out(db: None) -> None:
    campaign = store(simulate(8, items=60), "clean")
    admin = make_member(campaign, "admin")
    assert "The first test is at 100 ratings" in words_of(admin, "agreement/raters/")
    look_if_due(campaign=campaign, ratings=180)
    for address in ("agreement/raters/", "agreement/classes/"):
        assert "No difference goes beyond chance." in words_of(admin, address)


def test_pages_mark_raters_from_files(db: None) -> None:
    campaign = make_campaign()
    item = make_item(campaign)
    admin, elm = make_member(campaign, "admin"), make_member(campaign, username="elm")
    rate_next(elm)
    import_ratings(campaign=campaign, rows=[rating_row(1, "ann", "equivalent", item_id=item.key)])
    told = words_of(admin, "agreement/raters/")
    assert "ann imported" in told
    ann = campaign.memberships.get(name="ann")
    assert "ann imported" in words_of(admin, f"agreement/raters/{ann.pseudonym}/")
    assert "elm imported" not in told
    assert "imported" not in words_of(admin, f"agreement/raters/{elm.pseudonym}/")


COST = {
    "agreement/raters/": 17,
    "agreement/raters/rater-01/": 22,
    "agreement/classes/": 15,
}


@pytest.fixture
def blind(db: None) -> Campaign:
    """Ten items of three raters each, on which first looks are blind."""
    return store(simulate(2, raters=5, items=60), "blind")


def test_lists_leave_out_what_can_be_judged_blind_until_asked(blind: Campaign) -> None:
    researcher = make_member(blind, "researcher")
    address = "agreement/raters/rater-01/"
    told = words_of(researcher, address)
    left_out = re.search(r"(\d+) items are left out: you can still judge them", told)
    assert left_out is not None
    assert "Where does river" not in told
    assert signed_in(researcher).post(f"/c/blind/{address}").status_code == 303
    assert SeenVotes.objects.filter(member=researcher).count() == int(left_out[1])
    told = words_of(researcher, address)
    assert "left out" not in told
    assert told.count("Where does river") == min(25, int(left_out[1]))


@pytest.mark.parametrize("items", [40, pytest.param(1600, marks=pytest.mark.thorough)])
def test_pages_take_the_same_statements_in_every_campaign(db: None, items: int) -> None:
    campaign = store(simulate(2, items=items, controls=3), "sized")
    show_votes_to_all(campaign)
    browser = signed_in(make_member(campaign, "researcher"))
    found = {}
    for address in COST:
        with CaptureQueriesContext(connection) as queries:
            page = browser.get(f"/c/sized/{address}")
        assert page.status_code == 200
        found[address] = len(queries)
    assert found == COST
