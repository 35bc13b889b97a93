"""The site of a fixture: something in every table that people's work ends in."""

from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from tasks.adjudication.workflow import adjudicate, store_first_look
from tasks.events.workflow.events import add_webhook
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Job, JobKind, Suggestion, TrainedMatcher
from tasks.protocols import protocols
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tests.factories import make_campaign, make_item, make_member
from tomahto.interchange.reading.records import RatingRow, Source

RELEASED, VERSION = "ae", "1.0.0"
RATER = "rater-of-ae"
ITEMS = 6
SAME, OTHER = {"q1": False, "q2": True}, {"q1": True}


def fill() -> None:
    """A campaign of each protocol; one of them with all that hangs on a campaign."""
    for name in protocols():
        _add_campaign(name)
    campaign = Campaign.objects.get(slug=RELEASED)
    _rate(campaign)
    _adjudicate(campaign)
    _train(campaign)
    add_webhook(campaign=campaign, url="https://hooks.example/", events=["rating.stored"])
    place = str(Path(settings.RELEASES_DIR, RELEASED, VERSION))
    split = ("--split", "document:dev=50,test=50")
    call_command("release", RELEASED, "--version", VERSION, *split, "--out", place)


def rate_next(*, answers: dict[str, bool], key: str) -> None:
    """The rater judges the next item that the site gives them."""
    rater = Campaign.objects.get(slug=RELEASED).memberships.get(name=RATER)
    claim = claim_item(membership=rater)
    if claim is None:
        raise AssertionError("nothing is left to rate")
    submit_rating(
        assignment_id=claim.assignment_id, membership=rater, answers=answers, idempotency_key=key
    )


def _add_campaign(protocol: str) -> None:
    """Of its items, one has no label yet."""
    campaign = make_campaign(protocol, protocol=protocol)
    for number in range(ITEMS):
        make_item(campaign, id=f"item-{number}", document=f"document-{number}", systems=("larch",))
    labels = protocols()[protocol].scheme.labels
    rows = [
        RatingRow(
            source=Source("ratings.jsonl", number),
            item=None,
            item_id=f"item-{number}",
            rater="Ünal",
            label=labels[number % len(labels)],
            comment="two\nlines and \U0001f34b",
        )
        for number in range(ITEMS - 1)
    ]
    import_ratings(campaign=campaign, rows=rows)


def _rate(campaign: Campaign) -> None:
    make_member(campaign, username=RATER)
    for number in range(ITEMS - 2):
        rate_next(answers=OTHER if number % 2 else SAME, key=str(number))


def _adjudicate(campaign: Campaign) -> None:
    expert = make_member(campaign, role="researcher", username="expert-of-ae")
    item = campaign.items.get(key="item-0")
    store_first_look(item=item, adjudicator=expert, answers=SAME)
    adjudicate(
        item=item, adjudicator=expert, answers=SAME, reason="the same place", idempotency_key="0"
    )


def _train(campaign: Campaign) -> None:
    job = Job.objects.create(campaign=campaign, kind=JobKind.TRAIN, input_hash="1", state="done")
    TrainedMatcher.objects.create(
        campaign=campaign, kind="feather", weights="{}", digest="0123456789ab", labels=6, correct=3,
        ties=0, documents=6, seed=0, learning_curve={"points": [[6, 0.5]]}, job=job,
    )  # fmt: skip
    Suggestion.objects.create(
        item=campaign.items.get(key="item-0"), matcher="f1", version="1", score=0.5, is_correct=True
    )
