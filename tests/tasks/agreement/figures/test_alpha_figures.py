"""Alpha by system, without each rater and without each pair of labels, on planted campaigns."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks.agreement.figures.agreement_figures import agreement_figures, alpha_figures
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, ItemPurpose, Membership
from tasks.protocols import get_protocol
from tests.simulations import Faults, simulate, store
from tests.tasks.conftest import MakeCampaign, item_row, rating_row
from tomahto.estimates.estimate import estimate_as_json
from tomahto.reliability.alpha import alpha, alpha_with_interval
from tomahto.votes.patterns import VotePatterns

LABELS = {"e": "equivalent", "n": "not-equivalent"}
Items = list[tuple[int, tuple[str, ...], str]]

# by question, with the systems whose candidate it is, and the votes of ann, ben and cat
PLANTED: Items = [
    (0, ("juniper", "larch"), "een"),
    (0, ("larch",), "nne"),
    (1, ("juniper",), "ee"),
    (1, ("larch",), "ne"),
    (2, ("juniper", "larch"), "nnn"),
    (3, ("juniper",), "een"),
    (4, (), "nnn"),
    (5, ("rowan",), "e"),
]


@pytest.fixture
def planted(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=0, overlap=3)
    items = [
        item_row(
            number,
            question_key=f"question-{question}",
            question=f"Question {question}?",
            context=f"Passage {question}.",
            candidate=f"answer {number}",
            document=f"document-{question}",
            systems=systems,
        )
        for number, (question, systems, _votes) in enumerate(PLANTED)
    ]
    control = item_row(99, systems=("larch",), candidate="a control item")
    import_items(campaign=campaign, rows=[*items, control])
    import_ratings(
        campaign=campaign,
        rows=[
            rating_row(number, rater, LABELS[vote])
            for number, (_question, _systems, votes) in [*enumerate(PLANTED), (99, (0, (), "enn"))]
            for rater, vote in zip(("ann", "ben", "cat"), votes, strict=False)
        ],
    )
    campaign.items.filter(question__text=control.question).update(purpose=ItemPurpose.CONTROL)
    return campaign


def patterns(items: Items, left_out: str = "") -> VotePatterns:
    scheme = get_protocol("ae").scheme
    votes = [
        (
            question,
            [LABELS[vote] for rater, vote in zip("abc", given, strict=False) if rater != left_out],
        )
        for question, _systems, given in items
    ]
    return VotePatterns.from_votes_of_questions(scheme, votes)


def test_alpha_by_system_is_that_of_its_items(planted: Campaign) -> None:
    figures = alpha_figures(planted)
    expected = []
    for system in ("juniper", "larch", "rowan"):
        own = patterns([item for item in PLANTED if system in item[1]])
        estimate = alpha_with_interval(own, seed=planted.seed)
        expected.append(
            {
                "system": system,
                "items": own.items,
                "ratings": own.ratings,
                "alpha": estimate_as_json(estimate),
            }
        )
    assert figures["systems"] == expected
    assert [row["items"] for row in expected] == [4, 4, 1]


def test_raters_stand_by_what_they_take_from_alpha(planted: Campaign) -> None:
    figures = alpha_figures(planted)
    pseudonyms = dict(Membership.objects.values_list("pseudonym", "name"))
    rows = {pseudonyms[row["rater"]]: row for row in figures["without_raters"]}
    assert next(iter(rows)) == "cat"
    for name, row in rows.items():
        without = alpha(patterns(PLANTED, left_out=name[0]))
        assert (row["alpha"]["value"], row["alpha"]["n"]) == (
            pytest.approx(without.value),
            without.n,
        )
        gain = row["alpha"]["value"] - agreement_figures(planted)["alpha"]["value"]
        assert row["gain"]["value"] == pytest.approx(gain)
        assert row["gain"]["low"] < gain < row["gain"]["high"]
        assert row["gain"]["confidence"] == pytest.approx(1 - 0.05 / 3)
        assert row["gain"]["clusters"] == 5  # questions with an item of two ratings
    assert {name: row["ratings"] for name, row in rows.items()} == {"ann": 8, "ben": 7, "cat": 5}
    (pair,) = figures["label_pairs"]
    assert (sorted(pair["labels"]), pair["share"]) == (sorted(LABELS.values()), 1.0)
    assert pair["gain"]["reason"] == (
        "without this difference no disagreement can be expected by chance"
    )


@pytest.mark.parametrize(
    ("faults", "first_rater", "first_pair"),
    [
        (Faults(drifter=2, since=0), "rater-02", None),
        (Faults(confused=(0, 2)), None, (0, 2)),
        (Faults(), None, None),
    ],
)
def test_the_fault_of_a_campaign_comes_first(
    db: None, faults: Faults, first_rater: str | None, first_pair: tuple[int, int] | None
) -> None:
    simulation = simulate(5, items=200, protocol="cap", faults=faults)
    figures = alpha_figures(store(simulation, "planted"))
    rater, pair = figures["without_raters"][0], figures["label_pairs"][0]
    assert (rater["rater"] if rater["gain"]["low"] > 0 else None) == first_rater
    labels = simulation.rows.label_names
    expected = first_pair and [labels[place] for place in first_pair]
    assert (pair["labels"] if pair["gain"]["low"] > 0 else None) == expected
    assert sum(row["share"] for row in figures["label_pairs"]) == pytest.approx(1)


def test_the_figures_cost_the_same_statements_in_every_campaign(db: None) -> None:
    costs = []
    for slug, items in (("small", 5), ("larger", 50)):
        campaign = store(simulate(3, items=items), slug)
        with CaptureQueriesContext(connection) as queries:
            alpha_figures(campaign)
        costs.append(len(queries))
    assert costs == [4, 4]


def test_a_campaign_without_ratings_has_nothing_to_compare(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign()
    assert alpha_figures(campaign) == {"systems": [], "without_raters": [], "label_pairs": []}
