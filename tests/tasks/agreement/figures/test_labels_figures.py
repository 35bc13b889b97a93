"""Labels and token F1 of a campaign."""

from tasks.agreement.figures.classes_figures import labels_figures
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings
from tests.tasks.conftest import MakeCampaign, item_row, rating_row


def test_labels_are_counted_by_rating_by_item_and_by_token_f1(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=0, overlap=2)
    candidates = ["in the hills", "in hills", "at sea", "far away"]
    rows = [
        item_row(n, references=("the hills",), candidate=candidate)
        for n, candidate in enumerate(candidates, start=1)
    ]
    import_items(campaign=campaign, rows=rows)
    votes = {1: "ee", 2: "en", 3: "nn"}  # the fourth is not rated
    ratings = [
        rating_row(n, rater, "equivalent" if vote == "e" else "not-equivalent")
        for n, both in votes.items()
        for rater, vote in zip(("ann", "ben"), both, strict=True)
    ]
    surplus = rating_row(1, "cat", "not-equivalent", counted=False)
    import_ratings(campaign=campaign, rows=[*ratings, surplus])
    # articles do not count: F1 of "in hills" and "hills" is 2 * 1 / (2 + 1) = 0.67, of "at sea" 0
    empty = [0] * 10
    assert labels_figures(campaign) == {
        "items": 3,
        "ratings": 6,
        "votes": {"equivalent": 3, "not-equivalent": 3},
        "majority": {"equivalent": 1, "not-equivalent": 1, "tie": 1},
        "by_question_type": {},
        "f1_histogram": {
            "edges": [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
            "labels": {
                "equivalent": [*empty[:6], 1, *empty[7:]],
                "not-equivalent": [1, *empty[1:]],
                "tie": [*empty[:6], 1, *empty[7:]],
            },
            "without_references": 0,
        },
    }


def test_an_empty_campaign_has_labels_without_votes(make_campaign: MakeCampaign) -> None:
    figures = labels_figures(make_campaign(items=2))
    assert (figures["items"], figures["ratings"]) == (0, 0)
    assert figures["votes"] == {"equivalent": 0, "not-equivalent": 0}
