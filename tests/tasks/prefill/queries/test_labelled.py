"""The examples that a matcher may learn from: majority labels of live items, and nothing else."""

from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Item, ItemPurpose, Suggestion
from tasks.prefill.queries.matchers import LabelledItems, labelled_items
from tests.tasks.conftest import MakeCampaign, rating_row
from tomahto.matching.human_labels import LabelledPair
from tomahto.matching.interface import Pair


def rate(campaign: Campaign, votes: dict[int, str]) -> None:
    """The votes of each item: `e` for equivalent, `n` for not."""
    labels = {"e": "equivalent", "n": "not-equivalent"}
    rows = [
        rating_row(number, f"rater-{place}", labels[vote])
        for number, letters in votes.items()
        for place, vote in enumerate(letters)
    ]
    import_ratings(campaign=campaign, rows=rows)


def learned(number: int, *, correct: bool) -> LabelledPair:
    references = (f"reference {number}",)
    pair = Pair(f"Question {number}?", f"Passage {number}.", references, f"candidate {number}")
    return LabelledPair(pair, correct)


def test_majority_labels_of_live_items_are_learned_from(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=6, overlap=3)
    rate(campaign, {1: "een", 2: "nnn", 3: "en", 4: "e", 5: "e"})
    Item.objects.filter(key="item-4").update(purpose=ItemPurpose.CONTROL)
    for item in campaign.items.all():  # would say the opposite of all of it
        is_correct = item.key != "item-1"
        Suggestion.objects.create(
            item=item, matcher="f1", version="1", score=is_correct, is_correct=is_correct
        )
    assert labelled_items(campaign) == LabelledItems(
        examples=[
            learned(1, correct=True),
            learned(2, correct=False),
            learned(5, correct=True),
        ],
        documents=["document-1", "document-2", "document-2"],
        ties=1,
    )


def test_surplus_and_superseded_ratings_do_not_count(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=1, overlap=1)
    surplus = rating_row(1, "ben", "not-equivalent", counted=False)
    import_ratings(campaign=campaign, rows=[rating_row(1, "ann", "equivalent"), surplus])
    found = labelled_items(campaign)
    assert (found.examples, found.ties) == ([learned(1, correct=True)], 0)


def test_every_label_that_the_protocol_calls_correct_is(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=3, overlap=1, protocol="cap")
    labels = {1: "overinclusive-valid", 2: "partial", 3: "exact"}
    rows = [rating_row(number, "ann", label) for number, label in labels.items()]
    import_ratings(campaign=campaign, rows=rows)
    assert [each.correct for each in labelled_items(campaign).examples] == [True, False, True]


def test_missing_says_all_there_is_too_little_of(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=3, overlap=2)
    assert labelled_items(campaign).missing() == [
        "0 of at least 20 items have a majority label",
        "they come from 0 of at least 5 documents",
        "none of them is correct",
        "none of them is incorrect",
    ]
    rate(campaign, {1: "n", 2: "n"})
    assert labelled_items(campaign).missing() == [
        "2 of at least 20 items have a majority label",
        "they come from 2 of at least 5 documents",
        "none of them is correct",
    ]


def test_nothing_is_missing_from_the_least_number() -> None:
    examples = [learned(number, correct=number > 0) for number in range(20)]
    documents = [f"document-{number % 5}" for number in range(20)]
    assert LabelledItems(examples, documents, ties=0).missing() == []
    assert LabelledItems(examples, ["a", *documents[:3] * 6, "b"], ties=0).missing() == []
    assert LabelledItems(examples[1:], documents[1:], ties=9).missing() == [
        "19 of at least 20 items have a majority label",
        "none of them is incorrect",
    ]
