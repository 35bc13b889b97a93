"""My ratings and my time."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tasks.models import Membership, Rating
from tasks.rating.queries.own_work import TimeSpent, time_spent_by
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tests.factories import make_campaign, make_item, make_items, make_member
from tests.tasks.browsers import signed_in
from tomahto.votes.remarks import Remarks

pytestmark = pytest.mark.slow


DIFFERENT = {"q1": "yes"}
EQUIVALENT = {"q1": "no", "q2": "yes"}


def rate(
    rater: Membership,
    answers: dict[str, str],
    seconds: float | None = None,
    assignment: int | None = None,
    comment: str = "",
) -> Rating:
    """Rate the next item, or an assignment again."""
    if assignment is None:
        claim = claim_item(membership=rater)
        assert claim is not None
        assignment = claim.assignment_id
    return submit_rating(
        assignment_id=assignment,
        membership=rater,
        answers=answers,
        idempotency_key=f"key-{Rating.objects.count()}",
        seconds=seconds,
        remarks=Remarks(comment=comment),
    ).rating


def shown(rater: Membership, query: str) -> set[str]:
    """The candidates that a search lists, each with the way to revise its rating."""
    html = signed_in(rater).get(f"/c/rivers/history/?{query}").content.decode()
    return {
        rating.item.candidate
        for rating in Rating.objects.filter(rater=rater)
        if f'href="/c/rivers/rate/{rating.assignment_id}/"' in html
    }


@pytest.fixture
def rater(db: None) -> Membership:
    campaign = make_campaign("rivers", overlap=1)
    make_item(campaign, question="Which river?", candidate="the Ödra", references=("Oder",))
    make_item(campaign, question="Which lake?", candidate="Garda", references=("озеро Байкал",))
    return make_member(campaign)


def test_long_texts_are_cut_short(rater: Membership) -> None:
    make_item(rater.campaign, question=f"Why {'so ' * 200}far?", candidate="far " * 200)
    for _ in range(3):
        rate(rater, DIFFERENT)
    html = signed_in(rater).get("/c/rivers/history/").content.decode()
    assert f"Why {'so ' * 65}…</th>" in html
    assert f"{'far ' * 49}far…</td>" in html


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", {"the Ödra", "Garda"}),
        ("q=which+RIVER", {"the Ödra"}),
        ("q=%C3%96dra", {"the Ödra"}),
        ("q=garda", {"Garda"}),
        ("q=%D0%91%D0%B0%D0%B9%D0%BA%D0%B0%D0%BB", {"Garda"}),
        ("q=%00garda", {"Garda"}),
        ("q=close+call", {"Garda"}),
        ("q=100%25", set()),
        ("label=equivalent", {"Garda"}),
        ("label=equivalent&q=river", set()),
        ("label=unheard-of", {"the Ödra", "Garda"}),
    ],
)
def test_history_finds_by_words_and_label(rater: Membership, query: str, found: set[str]) -> None:
    for _item in range(2):
        claim = claim_item(membership=rater)
        assert claim is not None
        is_garda = claim.item.candidate == "Garda"
        answers, comment = (EQUIVALENT, "a close call") if is_garda else (DIFFERENT, "")
        rate(rater, answers, assignment=claim.assignment_id, comment=comment)
    assert shown(rater, query) == found


def test_history_has_fifty_on_a_page_and_keeps_the_search(db: None) -> None:
    campaign = make_campaign("rivers", overlap=1)
    rater = make_member(campaign)
    Rating.objects.bulk_create(
        Rating(item=item, rater=rater, outcome_id="ae:q1=yes", idempotency_key=item.key)
        for item in make_items(campaign, 51)
    )
    client = signed_in(rater)
    html = client.get("/c/rivers/history/?q=river&label=not-equivalent").content.decode()
    assert html.count("<tr>") == 1 + 50
    assert 'href="?q=river&amp;label=not-equivalent&amp;page=2"' in html
    html = client.get("/c/rivers/history/?q=river&label=not-equivalent&page=2").content.decode()
    assert html.count("<tr>") == 1 + 1


def test_history_shows_nobody_elses_ratings(rater: Membership) -> None:
    rate(rater, DIFFERENT, seconds=10)
    other = make_member(rater.campaign)
    html = signed_in(other).get("/c/rivers/history/").content.decode()
    assert "You have not rated anything yet." in html
    assert "My time" not in html


def test_time_counts_revisions_and_takes_the_median_over_items(rater: Membership) -> None:
    make_item(rater.campaign)
    first = rate(rater, DIFFERENT, seconds=10)
    rate(rater, EQUIVALENT, seconds=40)
    rate(rater, EQUIVALENT)
    rate(rater, EQUIVALENT, seconds=5.5, assignment=first.assignment_id)
    # items took 15.5 and 40 seconds, the third is not known: the median is 27.75
    assert time_spent_by(rater) == TimeSpent(total=55.5, this_week=55.5, pace=27.75, items=2)
    html = signed_in(rater).get("/c/rivers/history/").content.decode()
    assert [f'<dd class="big">{text}</dd>' in html for text in ("56 s", "28 s")] == [True, True]


def test_time_before_the_first_rating_is_undefined_not_zero(rater: Membership) -> None:
    assert time_spent_by(rater) == TimeSpent(total=0, this_week=0, pace=None, items=0)


def test_time_of_this_week_begins_on_monday(rater: Membership) -> None:
    rate(rater, DIFFERENT, seconds=10)
    now = timezone.localtime()
    monday = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=now.weekday())
    item = rater.campaign.items.exclude(ratings__rater=rater).get()
    for seconds, moment in [(1, monday), (2, monday - timedelta(microseconds=1))]:
        Rating.objects.create(
            item=item if seconds == 1 else make_item(rater.campaign),
            rater=rater,
            outcome_id="ae:q1=yes",
            seconds=seconds,
            rated_at=moment,
            idempotency_key=f"made-{seconds}",
        )
    assert time_spent_by(rater) == TimeSpent(total=13, this_week=11, pace=2, items=3)
