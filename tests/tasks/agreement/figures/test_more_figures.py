"""The known facts of each quantity, the cost of one more rating, and the gain of predictions."""

from collections.abc import Mapping
from typing import Any

import pytest

from tasks.agreement.figures.agreement_figures import agreement_of
from tasks.agreement.figures.more_figures import more_figures
from tasks.agreement.figures.systems_figures import systems_figures
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import (
    Campaign,
    Candidate,
    ItemOrder,
    Rating,
    Slot,
    Suggestion,
    SuggestionArm,
    System,
)
from tests.tasks.conftest import MakeCampaign, item_row, rating_row
from tomahto.estimates.estimate import estimate_as_json
from tomahto.interchange.reading.records import ItemRow

pytestmark = pytest.mark.slow


LABELS = {"e": "equivalent", "n": "not-equivalent"}


def rate(campaign: Campaign, votes: Mapping[int, str]) -> None:
    """The votes of each item: `e` for equivalent, `n` for not."""
    rows = [
        rating_row(number, f"rater-{place}", LABELS[vote])
        for number, letters in votes.items()
        for place, vote in enumerate(letters)
    ]
    import_ratings(campaign=campaign, rows=rows)


def suggest(campaign: Campaign, scores: Mapping[int, float]) -> None:
    items = {item.key: item for item in campaign.items.all()}
    Suggestion.objects.bulk_create(
        Suggestion(
            item=items[f"item-{number}"],
            matcher=campaign.suggestion_matcher,
            version="1",
            score=score,
            is_correct=score >= 0.5,
        )
        for number, score in scores.items()
    )


def quantity(campaign: Campaign, key: str) -> dict[str, Any]:
    found = more_figures(campaign)["quantities"]
    chosen: dict[str, Any] = next(one for one in found if one["key"] == key)
    return chosen


def add(campaign: Campaign, *rows: ItemRow) -> None:
    import_items(campaign=campaign, rows=rows)


def test_alpha_is_that_of_the_agreement_page_with_the_places_left(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=6, overlap=3)
    rate(campaign, {1: "een", 2: "nn", 3: "e"})
    # two ratings: items 1 and 2; room for two: item 3 with 2 places, items 4 to 6 with 3
    assert quantity(campaign, "alpha") == {
        "key": "alpha",
        "kind": "alpha",
        "systems": [],
        "estimate": estimate_as_json(agreement_of(campaign).estimates["alpha"]),
        "available": 6,
        "ratings_each": 3,  # 11 / 4, rounded up
    }


def test_items_that_get_one_rating_are_none_for_alpha(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=4, overlap=1)
    rate(campaign, {1: "e"})
    alpha = quantity(campaign, "alpha")
    assert (alpha["available"], alpha["ratings_each"]) == (0, 2)


def test_an_accuracy_counts_answers_judged_and_those_with_places(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=5, overlap=2)
    rate(campaign, {1: "ee", 2: "n", 3: "en"})
    found = quantity(campaign, "accuracy/juniper")
    # item 1 right, item 2 wrong, 3 a tie without a place, 4 and 5 with two places each
    assert (found["estimate"]["value"], found["estimate"]["n"]) == (0.5, 2)
    assert (found["available"], found["ratings_each"]) == (4, 2)


def test_an_answer_with_several_references_is_right_if_one_says_so(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=0, overlap=1)
    same = {"question_key": "q", "question": "Q?", "context": "C.", "candidate": "x"}
    same["document"] = "D"
    add(
        campaign,
        item_row(1, **same, references=("a",)),
        item_row(2, **same, references=("b",)),
        item_row(3),
        item_row(4),
    )
    rate(campaign, {1: "e", 3: "n"})
    found = quantity(campaign, "accuracy/juniper")
    assert (found["estimate"]["value"], found["estimate"]["n"]) == (0, 1)  # one half is not judged
    rate(campaign, {2: "n"})
    found = quantity(campaign, "accuracy/juniper")
    assert (found["estimate"]["value"], found["estimate"]["n"]) == (0.5, 2)
    assert (found["available"], found["ratings_each"]) == (3, 1)


def test_a_difference_is_of_questions_judged_for_both(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0, overlap=1)
    for number in range(1, 5):
        question = {
            "question_key": f"q{number}",
            "question": f"Q{number}?",
            "context": "C.",
            "document": "d",
            "references": ("r",),
        }
        add(
            campaign,
            item_row(number, **question, candidate="one", systems=("alder",)),
            item_row(10 + number, **question, candidate="other", systems=("birch",)),
        )
    exact = campaign.questions.get(key="q4")
    for system in campaign.systems.all():
        Candidate.objects.create(
            system=system, question=exact, text="one", is_exact_match=system.name == "birch"
        )
    rate(campaign, {1: "e", 11: "n", 2: "e", 12: "e", 4: "n"})
    found = quantity(campaign, "difference/alder/birch")
    # q1: 1 - 0; q2: 1 - 1; q3 open on both sides and like those two; q4: 0 - 1, an exact match
    assert (found["estimate"]["value"], found["estimate"]["n"]) == ((3 * 0.5 - 1) / 4, 3)
    assert (found["available"], found["ratings_each"]) == (4, 2)


def test_an_item_of_both_systems_is_judged_once(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0, overlap=2)
    add(campaign, item_row(1, systems=("alder", "birch")))
    found = quantity(campaign, "difference/alder/birch")
    assert (found["estimate"]["reason"], found["ratings_each"]) == (
        "none of those that are to be rated of both is judged",
        2,
    )


def test_predictions_help_where_the_order_is_shuffled(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=200, overlap=1)
    right = {number: number % 3 != 0 for number in range(1, 201)}
    rate(campaign, {number: "e" if right[number] else "n" for number in range(1, 61)})
    suggest(campaign, {number: 0.9 if right[number] else 0.1 for number in range(1, 201)})
    found = more_figures(campaign)["prediction_powered"]
    assert {key: found[key] for key in ("matcher", "order", "imported", "refused")} == {
        "matcher": "feather",
        "order": "complete",
        "imported": 60,
        "refused": None,
    }
    (system,) = found["systems"]
    assert (system["labelled"], system["further"], system["without_score"]) == (60, 140, 0)
    classical, powered = system["classical"], system["powered"]
    assert classical["value"] == pytest.approx(40 / 60)
    assert powered["high"] - powered["low"] < 0.7 * (classical["high"] - classical["low"])
    assert powered["low"] < 2 / 3 < powered["high"]
    assert system["effective_n"] > 120
    assert (system["exact"], system["with_exact"]["powered"]) == (0, powered)


def add_exact_matches(campaign: Campaign, number: int) -> None:
    """Further answers of the system juniper, to questions of their own."""
    question = campaign.questions.get(key="question-1")
    system = System.objects.get(campaign=campaign, name="juniper")
    for place in range(number):
        question.pk, question.key = None, f"exact-{place}"
        question.save()
        Candidate.objects.create(system=system, question=question, text="x", is_exact_match=True)


def predicted(campaign: Campaign) -> dict[str, Any]:
    found: dict[str, Any]
    (found,) = more_figures(campaign)["prediction_powered"]["systems"]
    return found


def test_exact_matches_count_as_right_and_as_a_sample(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=90, overlap=1)
    right = {number: number % 2 for number in range(1, 91)}
    rate(campaign, {number: "ne"[right[number]] for number in range(1, 61)})
    # a right answer scores 1, but for each third; a wrong one 0
    suggest(campaign, {n: float(right[n] and n % 3 > 0) for n in right})
    add_exact_matches(campaign, 30)
    found = predicted(campaign)
    assert (found["exact"], found["classical"]["value"]) == (30, 0.5)
    # 30 of 120 answers are exact: 1/4 + 3/4 of a half
    assert found["with_exact"]["classical"]["value"] == 0.625
    all_but, everything = found["powered"], found["with_exact"]["powered"]
    assert (all_but["n"], everything["n"]) == (60, 90)
    u = all_but["value"]
    assert everything["value"] == pytest.approx(1 / 4 + 3 / 4 * u)
    # Wilson's ends p are t sqrt(p (1 - p) / n) away, n = m (1 - m) / se^2, m the labels' mean, and
    # t of 59 degrees of freedom
    squares = [
        m * (1 - m) * (found_one["value"] - end) ** 2 / (2.000995**2 * end * (1 - end))
        for m, found_one in ((0.5, all_but), (0.625, everything))
        for end in (found_one["low"], found_one["high"])
    ]
    variance = (3 / 4) ** 2 * squares[0] + (1 - u) ** 2 * (1 / 4) * (3 / 4) / 120
    assert squares == pytest.approx([squares[0]] * 2 + [variance] * 2, rel=1e-4)


def test_a_systems_accuracy_is_the_same_before_and_after_prefill(
    make_campaign: MakeCampaign,
) -> None:
    """Before, answers without a score were left out of the denominator and exact ones were not."""
    campaign = make_campaign(items=200, overlap=1)
    right = {number: number % 5 == 0 for number in range(1, 201)}
    rate(campaign, {number: "e" if right[number] else "n" for number in range(1, 101)})
    add_exact_matches(campaign, 100)
    suggest(campaign, {1: 0.1, 5: 0.9})
    before = predicted(campaign)
    suggest(campaign, {n: 0.9 if right[n] else 0.1 for n in right if n not in (1, 5)})
    after = predicted(campaign)
    # exact: 100 of 300; the other 200: 20 of 100 labels are right
    assert before["with_exact"]["classical"]["value"] == pytest.approx(1 / 3 + 2 / 3 / 5)
    for one, other in ((before, after), (before["with_exact"], after["with_exact"])):
        assert one["classical"] == other["classical"]
        refused = one["powered"]
        assert (refused["value"], refused["reason"]) == (
            None,
            "198 of 200 answers have no score of feather: run prefill",
        )
    assert (before["labelled"], before["without_score"], before["weight"]) == (100, 198, None)
    powered = after["with_exact"]["powered"]
    assert powered["value"] == pytest.approx(1 / 3 + 2 / 3 / 5)
    assert powered["low"] < powered["value"] < powered["high"]


def test_labels_alone_say_what_the_systems_page_says(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=60, overlap=1)
    rate(campaign, {number: "e" if number % 3 else "n" for number in range(1, 41)})
    add_exact_matches(campaign, 20)
    suggest(campaign, dict.fromkeys(range(1, 30), 0.5))  # not all of them
    (row,) = systems_figures(campaign)["systems"]
    found = predicted(campaign)
    assert found["classical"] == row["accuracy"]["candidates"]
    assert found["with_exact"]["classical"] == row["accuracy"]["with_exact_matches"]
    suggest(campaign, dict.fromkeys(range(30, 61), 0.5))
    found = predicted(campaign)
    # scores that are all alike say nothing: the weight is 0
    assert found["weight"] == 0
    assert found["powered"] == row["accuracy"]["candidates"]
    assert found["with_exact"]["powered"] == row["accuracy"]["with_exact_matches"]


def test_answers_that_have_no_item_cannot_be_scored(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=60, overlap=1)
    rate(campaign, {number: "e" if number % 3 else "n" for number in range(1, 41)})
    suggest(campaign, {number: number / 60 for number in range(1, 61)})
    assert predicted(campaign)["powered"]["value"] is not None
    question = campaign.questions.get(key="question-1")
    question.pk, question.key = None, "itemless"
    question.save()
    system = System.objects.get(campaign=campaign, name="juniper")
    Candidate.objects.create(system=system, question=question, text="x", is_exact_match=False)
    assert predicted(campaign)["powered"]["reason"] == (
        "1 of 61 answers have no item that a matcher could score"
    )


@pytest.mark.parametrize(
    ("order", "matcher", "refused"),
    [
        (ItemOrder.OLDEST, "feather", "order"),
        (ItemOrder.UNCERTAIN, "feather", "order"),
        (ItemOrder.RANDOM, "feather@campaign-1", "trained-here"),
        (ItemOrder.RANDOM, "em", "no-suggestions"),
        (ItemOrder.RANDOM, "feather", None),
    ],
)
def test_predictions_are_refused_where_they_would_mislead(
    make_campaign: MakeCampaign, order: str, matcher: str, refused: str | None
) -> None:
    campaign = make_campaign(items=4, overlap=1, item_order=order)
    suggest(campaign, {1: 0.4})
    if matcher != "em":
        Suggestion.objects.update(matcher=matcher)
    campaign.suggestion_matcher = matcher
    found = more_figures(campaign)["prediction_powered"]
    assert (found["refused"], bool(found["systems"])) == (refused, refused is None)


def test_a_matcher_like_the_raters_may_stand_in_for_one(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=120, overlap=3)
    truth = {number: "e" if number % 2 else "n" for number in range(1, 121)}
    # each rater errs on a seventh of the items, each on others
    rate(
        campaign,
        {
            number: "".join(
                flipped(vote) if (number + 2 * rater) % 7 == 0 else vote for rater in range(3)
            )
            for number, vote in truth.items()
        },
    )
    suggest(campaign, {number: float(vote == "e") for number, vote in truth.items()})
    found = more_figures(campaign)["stand_in"]
    assert (found["refused"], found["ratings"], found["left_out"]) == (None, 360, 0)
    assert [test["epsilon"] for test in found["by_epsilon"]] == [0.2, 0.15, 0.1]
    assert [test["may_replace"] for test in found["by_epsilon"]] == [True, True, True]
    Suggestion.objects.update(is_correct=True)  # no better than chance
    found = more_figures(campaign)["stand_in"]
    assert [test["may_replace"] for test in found["by_epsilon"]] == [False, False, False]


def flipped(vote: str) -> str:
    return "n" if vote == "e" else "e"


def test_ratings_with_the_suggestion_in_view_do_not_speak_for_it(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=3, overlap=1)
    suggest(campaign, {1: 0.9})
    rate(campaign, {1: "e", 2: "n"})
    slot = Slot.objects.get(item__key="item-3")
    seen = Rating.objects.order_by("id")[0]
    Rating.objects.create(
        item=slot.item,
        slot=slot,
        rater=seen.rater,
        outcome=seen.outcome,
        suggestion_arm=SuggestionArm.BEFORE,
        idempotency_key="seen",
    )
    found = more_figures(campaign)["stand_in"]
    assert (found["ratings"], found["left_out"]) == (2, 1)
    assert found["by_epsilon"][0]["skipped"] == sorted(
        {rating.rater.pseudonym for rating in Rating.objects.select_related("rater")}
    )


@pytest.mark.parametrize(
    ("matcher", "refused"),
    [("feather@campaign-1", "trained-here"), ("em", "no-suggestions"), ("feather", "no-ratings")],
)
def test_the_stand_in_test_says_why_it_is_not_made(
    make_campaign: MakeCampaign, matcher: str, refused: str
) -> None:
    campaign = make_campaign(items=2)
    suggest(campaign, {1: 0.4})
    campaign.suggestion_matcher = matcher
    found = more_figures(campaign)["stand_in"]
    assert (found["refused"], found["by_epsilon"]) == (refused, [])
