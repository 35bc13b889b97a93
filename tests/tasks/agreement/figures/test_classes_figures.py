"""The figures of classes, by hand on a small campaign."""

import json

import pytest

from tasks.agreement.figures.classes_figures import classes_figures
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Item, Suggestion
from tests.tasks.conftest import MakeCampaign, rating_row

VOTES = {
    1: ("exact", "exact"),
    2: ("exact", "partial"),
    3: ("partial", "partial"),
    4: ("invalid",),
}


def rate(campaign: Campaign) -> None:
    rows = [
        rating_row(number, rater, label)
        for number, labels in VOTES.items()
        for rater, label in zip(("ann", "ben"), labels, strict=False)
    ]
    import_ratings(campaign=campaign, rows=rows)


def suggest(campaign: Campaign, number: int, score: float, version: str = "1") -> None:
    item = Item.objects.get(campaign=campaign, key=f"item-{number}")
    Suggestion.objects.create(
        item=item, matcher="feather", version=version, score=score, is_correct=score >= 0.5
    )


def test_class_figures_by_hand(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=5, protocol="cap")
    rate(campaign)
    suggest(campaign, 1, 0.2, "0")  # an older version's
    for number, score in ((1, 0.9), (2, 0.7), (3, 0.4), (4, 0.1), (5, 0.3)):
        suggest(campaign, number, score)
    figures = classes_figures(campaign)
    assert json.loads(json.dumps(figures)) == figures
    assert (figures["items"], figures["pairable"], figures["ties"]) == (4, 3, 1)
    labels = {each["label"]: each for each in figures["labels"]}
    assert list(labels) == figures["order"] == list(campaign.annotation_protocol.scheme.labels)
    exact, partial, invalid = (labels[name] for name in ("exact", "partial", "invalid"))
    assert [(one["votes"], one["majority"]) for one in (exact, partial, invalid)] == [
        (3, 1),
        (3, 1),
        (1, 1),
    ]
    assert exact["disagreement"]["value"] == pytest.approx(1 / 3)
    assert invalid["disagreement"]["reason"] == "no item with two votes has this label"
    table, order = figures["coincidences"], figures["order"]
    assert table[order.index("exact")][order.index("partial")] == 1
    assert sum(map(sum, table)) == 6
    suggestions = figures["suggestions"]
    by_label = dict(zip(order, suggestions["labels"], strict=True))
    # item 2 is a tie and item 5 has no vote
    assert (suggestions["matcher"], suggestions["items"]) == ("feather", 3)
    assert (by_label["exact"]["correct"], by_label["exact"]["mean_score"]["value"]) == (1, 0.9)
    assert (by_label["invalid"]["incorrect"], by_label["partial"]["incorrect"]) == (1, 1)
    assert by_label["equivalent"]["mean_score"]["reason"] == "there is no value"


def test_class_figures_read_classes_off_the_scores(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=60, protocol="cap")
    scores = {"exact": 0.9, "partial": 0.5, "invalid": 0.1}
    given = [(number, list(scores)[number // 3 % 3]) for number in range(1, 61)]
    import_ratings(campaign=campaign, rows=[rating_row(n, "ann", label) for n, label in given])
    for number, label in given:
        suggest(campaign, number, scores[label])
    figures = classes_figures(campaign)
    classes, order = figures["suggestions"]["classes"], figures["order"]
    for label in scores:
        place = order.index(label)
        row = classes["table"][place]
        assert row[place] == sum(row) == sum(other == label for _, other in given)
    assert classes["kappa"]["quadratic"]["value"] == 1


def test_class_figures_have_no_classes_where_labels_have_no_order(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=1)
    import_ratings(campaign=campaign, rows=[rating_row(1, "ann", "equivalent")])
    suggest(campaign, 1, 0.9)
    assert classes_figures(campaign)["suggestions"]["classes"] is None


def test_class_figures_of_a_campaign_without_ratings(make_campaign: MakeCampaign) -> None:
    figures = classes_figures(make_campaign(protocol="cap"))
    assert (figures["items"], figures["suggestions"]["items"]) == (0, 0)
    assert figures["suggestions"]["classes"]["table"] is None
    assert {each["votes"] for each in figures["labels"]} == {0}
