"""A campaign with something of everything, in which many questions have the same texts."""

import random
from pathlib import Path

from exporters.planned_release import ReleasePlan
from tasks.adjudication.workflow import adjudicate, leave_item, store_first_look
from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.events.workflow.events import add_webhook
from tasks.intake.workflow.candidates import import_predictions
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.questions import import_questions
from tasks.models import (
    Campaign,
    Flag,
    Job,
    JobFailure,
    JobState,
    Membership,
    SuggestionPolicy,
)
from tasks.people.workflow.invitations import invite
from tasks.people.workflow.members import give_consent, publish_consent_text
from tasks.rating.workflow.assignment import claim_item
from tasks.releases.workflow.release import publish_release
from tests.evaluations import sample_report, store
from tests.factories import make_campaign, make_member
from tests.simulated_suggestions import MATCHER, rate, suggest
from tests.tasks.conftest import EQUIVALENT, YES_DIFFERENT, item_row, rate_next
from tests.tasks.evaluations.leaderboards import EVERYTHING, submit
from tomahto.interchange.reading.records import (
    GivenAnswer,
    PredictionRecord,
    QuestionRecord,
    Source,
)

OVERLAP = 3
SAME_TEXTS = 3  # questions of one text
REFERENCES = ("the northern hills", "the far hills")


def make_busy_campaign(slug: str, folder: Path, *, items: int) -> Membership:
    """An `ae` campaign with so many rated items, judged, flagged, released, and more to rate.

    Two systems have an answer of their own to every question, and a third a reference of most.
    Back comes an admin who holds an item and may rate it.
    """
    campaign = make_campaign(slug, suggestions=SuggestionPolicy.RANDOMISED, overlap=OVERLAP)
    campaign.suggestion_matcher, campaign.control_every = MATCHER, 2
    campaign.save()
    texts = items // (2 * len(REFERENCES))
    questions = [_question(text, copy) for text in range(texts) for copy in range(SAME_TEXTS)]
    import_questions(campaign=campaign, records=questions)
    for system, words in {"larch": "upstream", "rowan": "by the sea", "aspen": ""}.items():
        given = [_prediction(system, words, question) for question in questions]
        import_predictions(campaign=campaign, system=system, records=given)
    suggest(campaign)
    raters = [make_member(campaign, "rater", f"{slug}-{number}") for number in range(8)]
    rate(campaign, raters, agree=0.7, effect=0.1, draw=random.Random(1))
    publish_guideline(campaign=campaign, text="Look twice.")
    _add_known_items(campaign)
    _judge(campaign, raters)
    _release(campaign, folder)
    return _admin(campaign)


def _question(text: int, copy: int) -> QuestionRecord:
    return QuestionRecord(
        source=Source("questions.jsonl", 1),
        key=f"{text}-{copy}",
        document=f"document-{text // 5}",
        text=f"Where does river {text} rise?",
        context=f"River {text} rises in the northern hills, which are far from the sea.",
        references=REFERENCES,
        answer_starts=(None,) * len(REFERENCES),
    )


def _prediction(system: str, words: str, question: QuestionRecord) -> PredictionRecord:
    text = int(str(question.key).split("-")[0])
    answer = f"{words} {text}" if words else REFERENCES[text % 2] if text % 3 else ""
    return PredictionRecord(Source(f"{system}.json", 1), str(question.key), answer)


def _add_known_items(campaign: Campaign) -> None:
    """Items to train and to check raters, and some that nobody has rated."""
    expected = GivenAnswer(None, EQUIVALENT)
    known = [
        item_row(number, purpose=purpose, expected=expected)
        for number, purpose in enumerate(("calibration", "control") * 20)
    ]
    import_items(campaign=campaign, rows=[*known, *map(item_row, range(100, 140))])
    rater = make_member(campaign, "rater", "ann")
    for _ in range(12):  # every second one a control item
        rate_next(rater)


def _judge(campaign: Campaign, raters: list[Membership]) -> None:
    """Decisions after first looks, items that were left, and flags."""
    judge = make_member(campaign, "researcher")
    items = campaign.items.filter(ratings__rater=raters[0]).order_by("pk")
    for item in items[:40]:
        Flag.objects.create(item=item, rater=raters[0], reason="It is not in the passage.")
    for item in items[20:60]:
        store_first_look(item=item, adjudicator=judge, answers=YES_DIFFERENT)
        adjudicate(
            item=item,
            adjudicator=judge,
            answers=EQUIVALENT,
            reason="The passage says so.",
            idempotency_key=f"key-{item.pk}",
        )
    for item in items[60:80]:
        leave_item(item=item, adjudicator=judge)


def _release(campaign: Campaign, folder: Path) -> None:
    """Two releases with a submission to the later one, a report, and a job with failures."""
    for version in ("1.0.0", "1.1.0"):
        plan = ReleasePlan(version=version, split="document:dev=50,test=50", seed=1)
        release = publish_release(campaign=campaign, plan=plan, out=folder / version)
    submit(release, "cedar", {"0-0": "upstream"}, split=EVERYTHING)
    job = store(campaign, sample_report()).job
    JobFailure.objects.bulk_create(
        JobFailure(job=job, item=item, reason="No reply.") for item in campaign.items.all()[:50]
    )
    Job.objects.filter(pk=job.pk).update(state=JobState.FAILED)


def _admin(campaign: Campaign) -> Membership:
    """A member who has told others, invited some, claimed an item and consented to rate it."""
    add_webhook(campaign=campaign, url="https://example.org/", events=["release.published"])
    invite(campaign=campaign)
    admin = make_member(campaign, "admin")
    claim_item(membership=admin)
    publish_consent_text(campaign=campaign, text="Do you agree?")
    give_consent(membership=admin, version=1)
    return admin
