"""The work of people and jobs in a campaign, so that every page of it has something to show.

It runs in the site's process, by the product's own workflow.
"""

import json
from datetime import timedelta
from pathlib import Path
from typing import cast

from django.db.models.functions import Now

from exporters.planned_release import ReleasePlan
from tasks.agreement.workflow.alerts import look_if_due, raise_after_look, raise_trial
from tasks.campaigns.workflow.campaign import add_member
from tasks.evaluations.queries.leaderboard import known_questions
from tasks.evaluations.workflow.submissions import submit_predictions, withdraw_submission
from tasks.events.workflow.events import add_webhook, try_webhook
from tasks.jobs.work import run_job
from tasks.models import (
    Assignment,
    Campaign,
    Flag,
    GeneratedText,
    Job,
    JobFailure,
    JobKind,
    Look,
    Membership,
    Thread,
    TrainedMatcher,
    User,
    Worker,
)
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.rating.workflow.records import raise_flag, settle_flag
from tasks.releases.workflow.listing import withdraw_release
from tasks.releases.workflow.release import publish_release
from tasks.talk.queries import stop_token
from tasks.talk.workflow import share_answer, write_message
from tests.evaluations import sample_report, store
from tests.factories import make_campaign
from tests.sampling import IS_WHOLE
from tests.simulated_suggestions import simulate
from tomahto.votes.remarks import Remarks


def fill(slug: str, admin_name: str, rater_name: str, folder: str) -> dict[str, str]:
    """Three ratings by each of both people, three releases in the folder, and the rest; the ids for
    addresses."""
    campaign = Campaign.objects.get(slug=slug)
    User.objects.filter(username=admin_name).update(is_staff=True, is_superuser=True)
    admin, rater = (
        campaign.memberships.get(user__username=name) for name in (admin_name, rater_name)
    )
    closed = make_campaign(f"{slug}-closed", title="Of somebody else")
    _rate(admin, rater)
    steered = simulate(f"{slug}-steered", items=60, effect=0.3)
    add_member(campaign=steered, user=cast(User, admin.user), role="admin")
    look_if_due(campaign=steered, ratings=180)
    _first, own, _last = Assignment.objects.filter(rater=admin, state="submitted").order_by("pk")
    ids = {
        "rated": own.pk,
        "item": own.item_id,
        "member": rater.pk,
        "pseudonym": rater.pseudonym,
        "steered": steered.slug,
        **_talk(admin, rater),
        "closed": closed.slug,
        "webhook": _alert(campaign, admin),
        "submission": _release(campaign, admin, Path(folder)),
        **_work_in_the_background(campaign),
        "evaluation": store(campaign, sample_report()).pk,
    }
    return {"slug": slug, **{name: str(value) for name, value in ids.items()}}


def _rate(admin: Membership, rater: Membership) -> None:
    for member in (admin, rater):
        for number in range(3):
            claim = claim_item(membership=member)
            assert claim is not None
            submit_rating(
                assignment_id=claim.assignment_id,
                membership=member,
                seconds=20,
                answers={"q1": "yes"},
                idempotency_key=str(number),
                remarks=Remarks(comment="a close call"),
            )
            if member == rater and number:
                rated = Assignment.objects.get(pk=claim.assignment_id)
                flag = raise_flag(assignment=rated, reason="The passage stops short.")
    settle_flag(flag=flag, by=admin, settlement="It was completed.")


def _talk(admin: Membership, rater: Membership) -> dict[str, object]:
    """An answer to a flag that everybody may read who rates the item, and one that is for its rater
    alone; an item of which nothing was written."""
    flag = Flag.objects.get(rater=rater, settled_at=None)
    thread = Thread.objects.get(item=flag.item_id, rater=rater)
    texts = ("Which sentence?", "Rate by the last sentence: https://example.org/rivers", "Thanks!")
    _asked, answered, last = (
        write_message(thread=thread, author=admin, text=text, idempotency_key=text).message
        for text in texts
    )
    share_answer(message=answered, by=admin)
    write_message(thread=thread, author=rater, text="Yes, @birch. " * 40, idempotency_key="yes")
    unwritten = rater.assignments.filter(state="submitted", item__threads=None).earliest("pk")
    assert admin.user is not None
    return {
        "thread": thread.pk,
        "message": last.pk,
        "unwritten": unwritten.item_id,
        "stop": stop_token(admin.user),
    }


def _alert(campaign: Campaign, admin: Membership) -> int:
    """Alerts, and where they are sent: the webhook that has been tried."""
    raise_trial(campaign=campaign, by=admin)
    low = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 80, "level": 0.025}
    number = Look.objects.filter(campaign=campaign).count() + 1
    raise_after_look(
        look=Look.objects.create(
            campaign=campaign,
            number=number,
            ratings=160 * number,
            level=0.025,
            findings=json.dumps({"alpha": low}),
        )
    )
    _short, long = (
        add_webhook(
            campaign=campaign, url=f"https://{name}.example.org/hook", events=["job.failed"]
        )
        for name in ("meadow", "a-long-name-of-a-host-" * 3 + "x")
    )
    try_webhook(webhook=long)
    return long.pk


def _release(campaign: Campaign, admin: Membership, folder: Path) -> int:
    """Three versions, the last of them withdrawn; the first of the submissions to version 1.0.0."""
    first, _second, last = (
        publish_release(
            campaign=campaign,
            out=folder / version,
            plan=ReleasePlan(version=version, split=split, seed=0, formats=formats),
        )
        for version, split, formats in (
            ("1.0.0", "document:dev=50,test=50", None if IS_WHOLE else ()),
            ("2.0.0", "document:train=100", ()),
            ("2.0.1", "document:train=100", ()),
        )
    )
    known = known_questions(first, "test")
    submissions = [
        submit_predictions(
            release=first,
            name=name,
            description="a large one " * 20,
            split="test",
            content=json.dumps(dict.fromkeys(known, name)).encode(),
            by=admin,
            file_name="predictions.json",
        )
        for name in ("far from the sea", "in the northern hills", "withdrawn " * 10)
    ]
    withdraw_submission(submission=submissions[2], reason="It was trained on it.", by=admin)
    for queued in Job.objects.filter(campaign=campaign, kind=JobKind.SUBMISSION):
        run_job(queued.pk)
    withdraw_release(release=last, reason="Names are in it.", by=admin)
    return submissions[0].pk


def _work_in_the_background(campaign: Campaign) -> dict[str, int]:
    """Generated texts, a matcher, a worker, and jobs: of which one has failures and one waits."""
    GeneratedText.objects.bulk_create(
        GeneratedText(
            campaign=campaign,
            kind="candidates",
            target="partial",
            question="Where does it rise?",
            reference="in the northern hills",
            candidate=f"in hills {number}",
            system="finch-7b",
            provenance={"raw_reply": "in hills " * 200, "prompt": "candidate"},
            fingerprint=number,
        )
        for number in range(30)
    )
    job = Job.objects.create(campaign=campaign, kind=JobKind.SUGGEST, input_hash="x", state="done")
    Job.objects.create(
        campaign=campaign,
        kind=JobKind.SUGGEST,
        input_hash="y",
        state="failed",
        error="TOMAHTO_BEM_MODEL is not set",
        finished_at=Now(),
    )
    waiting = Job.objects.create(
        campaign=campaign,
        kind=JobKind.ANSWER,
        input_hash="z",
        failures=2,
        error="endpoint down",
        parameters={"name": "lexical"},
        not_before=Now() + timedelta(hours=1),
    )
    for item in campaign.items.all()[:3]:
        reason = "ValueError: " + "cannot read it " * 20
        JobFailure.objects.create(job=job, item=item, reason=reason)
    TrainedMatcher.objects.create(
        campaign=campaign,
        kind="feather",
        weights="none",
        digest="0123456789ab",
        labels=64,
        correct=40,
        ties=3,
        documents=12,
        seed=0,
        job=job,
        learning_curve={
            "folds": 5,
            "points": [
                {
                    "labels": 25,
                    "accuracy": dict.fromkeys(("value", "low", "high"))
                    | {"n": 64, "reason": "all labels are correct"},
                },
                *({"labels": n, "accuracy": _accuracy(0.6 + n / 500)} for n in (50, 100)),
            ],
            "baselines": {"shipped": _accuracy(0.7), "token_f1": _accuracy(0.65)},
        },
    )
    Worker.objects.create(name="celery@somewhere-on-a-machine-with-a-long-name", host="x", pid=7)
    return {"job": job.pk, "waiting": waiting.pk}


def _accuracy(value: float) -> dict[str, float]:
    return {
        "value": value,
        "low": value - 0.1,
        "high": value + 0.05,
        "n": 64,
        "replicates": 1000,
        "seed": 0,
    }
