"""A campaign in which every page has something to show, and every text field holds a given text.

`fill` writes what the product's own workflow writes; `overwrite` then puts a text into every text
field of every table that is not named in CLOSED, so that a field added later is covered by itself.
"""

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import IntegrityError, connection, models, transaction
from django.db.models.functions import Now

from exporters.planned_release import ReleasePlan
from tasks.adjudication.workflow import adjudicate, store_first_look
from tasks.agreement.workflow.alerts import raise_after_look, raise_trial
from tasks.campaigns.workflow.campaign import add_member, create_campaign
from tasks.evaluations.queries.leaderboard import known_questions
from tasks.evaluations.workflow.submissions import submit_predictions, withdraw_submission
from tasks.intake.workflow.items import import_items
from tasks.jobs.work import run_job
from tasks.models import (
    Adjudication,
    Alert,
    Assignment,
    Campaign,
    Flag,
    GeneratedText,
    Item,
    Job,
    JobFailure,
    JobKind,
    Look,
    Membership,
    Message,
    Submission,
    Suggestion,
    Thread,
    TrainedMatcher,
    Worker,
)
from tasks.people.workflow.invitations import enter, invite
from tasks.people.workflow.members import give_consent, publish_consent_text
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import save_draft, submit_rating
from tasks.rating.workflow.records import raise_flag, settle_flag
from tasks.releases.workflow.listing import withdraw_release
from tasks.releases.workflow.release import publish_release
from tasks.training.workflow import answer_item, configure_calibration, start_attempt
from tests.evaluations import sample_report, store
from tests.factories import make_user
from tomahto.interchange.reading.records import GivenAnswer, ItemRow, Source
from tomahto.votes.remarks import Remarks

SLUG = "rivers"
ROLES = ("admin", "researcher", "rater")
DIFFERENT, EQUIVALENT = {"q1": True}, {"q1": False, "q2": True}
# Text fields that hold no free text: names the code knows, digests, addresses, documents with a
# form of their own, and what somebody has to log in with.
CLOSED = {
    *("User.password", "User.username", "Membership.pseudonym", "ApiToken.digest"),
    *("Campaign.slug", "Campaign.protocol", "Campaign.suggestion_matcher", "Campaign.language"),
    *("Campaign.licence", "Campaign.completion_url", "AlertChannels.webhook_url"),
    *("Campaign.form_languages", "Rating.wording"),
    *("Question.fingerprint", "Rating.suggestion_matcher", "Rating.idempotency_key"),
    *("Rating.payload_hash", "Adjudication.idempotency_key", "Adjudication.payload_hash"),
    *("Outcome.id", "Outcome.protocol", "Outcome.label", "Outcome.reading"),
    *("Figures.name", "Figures.content", "Look.findings", "Alert.occasion"),
    *("NarrowedFigures.narrowing", "NarrowedFigures.name", "NarrowedFigures.content"),
    *("DatasheetAnswer.question", "Invitation.digest", "Job.input_hash"),
    *("Release.version", "Release.digest", "Release.split", "Release.path"),
    *("Evaluation.digest", "Evaluation.report", "GeneratedText.fingerprint"),
    *("Submission.split", "Submission.file", "Submission.format", "Submission.sha256"),
    *("SubmissionScore.signature", "Leaderboard.split", "Leaderboard.content"),
    *("TrainedMatcher.folder", "TrainedMatcher.weights", "TrainedMatcher.digest"),
    *("AuditEntry.actor_kind", "AuditEntry.details", "AuditEntry.previous"),
}
_numbers = itertools.count(1)  # keep apart what has to differ
_MACHINE_MADE = ("hash", "digest", "sha256", "key", "signature", "secret")  # in fields to come


@dataclass(frozen=True)
class Filled:
    """Members by role, and the values for the gaps of addresses."""

    usernames: dict[str, str]
    parts: dict[str, str]


@transaction.atomic
def fill(folder: Path, texts: Sequence[str]) -> Filled:
    """The campaign, with these texts wherever people write some."""
    said = itertools.cycle(texts)
    campaign = create_campaign(slug=SLUG, protocol="ae", overlap=2)
    members = {
        role: add_member(campaign=campaign, user=make_user(f"{role}-of-rivers"), role=role)
        for role in ROLES
    }
    _import(campaign, texts, said)
    publish_consent_text(campaign=campaign, text=next(said))
    other = add_member(campaign=campaign, user=make_user("other-of-rivers"), role="rater")
    for member in (*members.values(), other):
        give_consent(membership=member, version=1)
    _rate(campaign, members, said)
    overwrite(texts)
    evaluation = store(campaign, sample_report())
    submission = _release(campaign, folder, members["admin"], said)
    overwrite(texts)
    _train(campaign, members)
    return Filled(
        {role: member.name for role, member in members.items()},
        _parts(campaign, members, submission) | {"evaluation_id": str(evaluation.pk)},
    )


def _import(campaign: Campaign, texts: Sequence[str], said: Iterator[str]) -> None:
    """For each text an item made of nothing else, and two calibration items."""
    rows = [
        ItemRow(
            source=Source("items.jsonl", number),
            id=f"{number} {text}"[:255] if number else "item-0",
            question_key=f"{number} {text}"[:255],
            document=f"{number} {text}"[:255],
            question=f"{text} {number}",
            context=f"{text} {text}",
            references=(f"{number} {text}",),
            candidate=f"{number} {text} {text}",
            systems=(f"{text[:200]} {number % 3}",),
        )
        for number, text in enumerate(texts)
    ]
    known = [
        ItemRow(
            source=Source("items.jsonl", number),
            id=f"known-{number}",
            question_key=f"known-{number}",
            document=f"known-{number}",
            question=f"{next(said)} {number}",
            context=next(said),
            references=(next(said),),
            candidate=f"known {number}",
            systems=(),
            purpose="calibration",
            expected=GivenAnswer(None, {"q1": False, "q2": True}),
            explanation=next(said),
        )
        for number in (1, 2)
    ]
    import_items(campaign=campaign, rows=rows + known)
    matcher = [
        Suggestion(
            item=item,
            matcher="f1",
            version="1",
            score=0.25,
            is_correct=False,
            explanation={"words": next(said)},
        )
        for item in campaign.items.all()
    ]
    Suggestion.objects.bulk_create(matcher)


def _rate(campaign: Campaign, members: dict[str, Membership], said: Iterator[str]) -> None:
    """Two raters judge every item but the last two, and disagree on every third."""
    other = campaign.memberships.get(name="other-of-rivers")
    items = campaign.items.filter(purpose="live").count()
    for member in (members["rater"], other):
        for number in range(items - 2):
            claim = claim_item(membership=member)
            assert claim is not None
            differs = member == other and number % 3 == 0
            submit_rating(
                assignment_id=claim.assignment_id,
                membership=member,
                answers=DIFFERENT if differs else EQUIVALENT,
                idempotency_key=str(number),
                remarks=Remarks(comment=next(said)),
                seconds=20,
            )
            if number < 2:
                rated = Assignment.objects.get(pk=claim.assignment_id)
                flag = raise_flag(assignment=rated, reason=next(said)[:500])
    settle_flag(flag=flag, by=members["admin"], settlement=next(said)[:500])
    claim = claim_item(membership=members["rater"])
    assert claim is not None
    held = Assignment.objects.get(pk=claim.assignment_id)
    save_draft(assignment=held, answers={"q1": "no"}, remarks=Remarks(comment=next(said)))
    _adjudicate(campaign, members["researcher"], said)
    _report(campaign, members["admin"], said)


def _adjudicate(campaign: Campaign, expert: Membership, said: Iterator[str]) -> None:
    first, second = campaign.items.filter(purpose="live").order_by("pk")[:2]
    for number, item in enumerate((first, second)):
        store_first_look(item=item, adjudicator=expert, answers=EQUIVALENT)
        adjudicate(
            item=item,
            adjudicator=expert,
            answers=EQUIVALENT,
            reason=next(said),
            idempotency_key=str(number),
        )


def _report(campaign: Campaign, admin: Membership, said: Iterator[str]) -> None:
    """Alerts, jobs, drafts of a generator, workers."""
    raise_trial(campaign=campaign, by=admin)
    low = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 80, "level": 0.025}
    look = Look.objects.create(
        campaign=campaign, number=1, ratings=160, level=0.025, findings=json.dumps({"alpha": low})
    )
    raise_after_look(look=look)
    job = Job.objects.create(campaign=campaign, kind=JobKind.SUGGEST, input_hash="x", state="done")
    failed = {"state": "failed", "error": next(said), "finished_at": Now()}
    Job.objects.create(campaign=campaign, kind=JobKind.SUGGEST, input_hash="y", **failed)
    waiting = {"failures": 2, "error": next(said), "not_before": Now() + timedelta(hours=1)}
    named = {"parameters": {"name": next(said)}}
    Job.objects.create(campaign=campaign, kind=JobKind.ANSWER, input_hash="z", **waiting, **named)
    for item in campaign.items.all()[:3]:
        JobFailure.objects.create(job=job, item=item, reason=next(said)[:500])
    Worker.objects.create(name=next(said)[:255], host=next(said)[:255], pid=7)
    GeneratedText.objects.bulk_create(
        GeneratedText(
            campaign=campaign,
            kind="candidates",
            target="partial",
            question=next(said),
            reference=next(said),
            candidate=f"{next(said)} {number}",
            system=next(said)[:255],
            provenance={"raw_reply": next(said), "prompt": "candidate"},
            fingerprint=str(number),
        )
        for number in range(3)
    )
    TrainedMatcher.objects.create(
        campaign=campaign, kind="feather", weights="none", digest="0123456789ab", labels=64,
        correct=40, ties=3, documents=12, seed=0, job=job,
        learning_curve={"folds": 5, "points": [], "baselines": {}},
    )  # fmt: skip
    invite(campaign=campaign, role="rater", note=next(said)[:200])
    crowd, _secret = invite(campaign=campaign, kind="crowd")
    enter(invitation=crowd, participant=next(said)[:200], study=next(said)[:200], session="s")


def _release(
    campaign: Campaign, folder: Path, admin: Membership, said: Iterator[str]
) -> Submission:
    """Three versions, the last withdrawn, and a leaderboard of the first."""
    whole = "document:train=100"
    plans = [("1.0.0", "document:dev=50,test=50", None), ("2.0.0", whole, ()), ("2.0.1", whole, ())]
    releases = {
        version: publish_release(
            campaign=campaign,
            plan=ReleasePlan(version=version, split=split, seed=0, formats=formats),
            out=folder / version,
        )
        for version, split, formats in plans
    }
    withdraw_release(release=releases["2.0.1"], reason=next(said), by=admin)
    known = known_questions(releases["1.0.0"], "test")
    made = [
        submit_predictions(
            release=releases["1.0.0"],
            name=f"{number} {next(said)}"[:150],
            description=next(said)[:300],
            split="test",
            content=json.dumps({question: next(said) for question in known}).encode(),
            by=admin,
            file_name="predictions.json",
        )
        for number in range(3)
    ]
    withdraw_submission(submission=made[2], reason=next(said)[:500], by=admin)
    return made[0]


def score() -> None:
    """Score what has been submitted, as a worker would: with its own connection to the database."""
    for queued in Job.objects.filter(kind=JobKind.SUBMISSION):
        run_job(queued.pk)


def _train(campaign: Campaign, members: dict[str, Membership]) -> None:
    """The admin is in the middle of a calibration, which nobody else is asked for."""
    configure_calibration(campaign=campaign, is_required=True, pass_percent=80, attempts=2)
    attempt = start_attempt(membership=members["admin"])
    first = campaign.items.filter(purpose="calibration").order_by("pk")[0]
    answer_item(attempt=attempt, item=first, answers=EQUIVALENT)
    configure_calibration(campaign=campaign, is_required=False, pass_percent=80, attempts=2)


def _parts(
    campaign: Campaign, members: dict[str, Membership], submission: Submission
) -> dict[str, str]:
    """The names of the gaps of addresses, and their values."""
    own = Assignment.objects.filter(rater=members["rater"])
    known = campaign.items.filter(purpose="calibration").order_by("pk")
    newest = {
        "job_id": Job.objects.filter(state="done"),
        "alert_id": Alert.objects.all(),
        "flag_id": Flag.objects.all(),
        "thread_id": Thread.objects.all(),
        "message_id": Message.objects.all(),
        "invitation_id": campaign.invitations.all(),
        "adjudication_id": Adjudication.objects.all(),
    }
    item = Item.objects.filter(campaign=campaign, purpose="live").order_by("pk")[0]
    return {
        "slug": campaign.slug,
        "assignment_id": str(own.filter(state="active").latest("pk").pk),
        "item_id": str(item.pk),
        "item_key": item.key,
        "number": str(submission.pk),
        "member_id": str(members["rater"].pk),
        "pseudonym": members["rater"].pseudonym,
        "first": "equivalent",
        "second": "not-equivalent",
        "version": "1.0.0",
        "path": "README.md",
        "name": "systems",
        "known_id": str(known[1].pk),
        **{name: str(found.order_by("pk")[0].pk) for name, found in newest.items()},
    }


def overwrite(texts: Sequence[str]) -> list[str]:
    """Put one of the texts into every free text field of every row; the fields, as Model.field."""
    fields = [
        field
        for model in apps.get_app_config("tasks").get_models()
        for field in model._meta.concrete_fields
        if is_free(field)
    ]
    with connection.cursor() as cursor:
        for table in {field.model._meta.db_table for field in fields}:
            cursor.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [table]
            )
            for (trigger,) in cursor.fetchall():
                cursor.execute(f'DROP TRIGGER "{trigger}"')
    for number, field in enumerate(fields):
        _overwrite(field, texts, number)
    return [_name(field) for field in fields]


def is_free(field: "models.Field[Any, Any]") -> bool:
    """Whether people or models write what is in it."""
    is_text = isinstance(field, models.CharField | models.TextField)
    is_machine_made = field.name.endswith(_MACHINE_MADE) or field.unique or field.choices
    return is_text and not is_machine_made and _name(field) not in CLOSED


def _name(field: "models.Field[Any, Any]") -> str:
    return f"{field.model.__name__}.{field.name}"


def _overwrite(field: "models.Field[Any, Any]", texts: Sequence[str], shift: int) -> None:
    """Row by row another text; what has to stay empty beside something else does."""
    table, key = field.model._meta.db_table, field.model._meta.pk.column
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {key} FROM {table}")
        longest = (field.max_length or 10_000) - len(" 99999")
        rows = [
            (f"{texts[(shift + row) % len(texts)][:longest]} {next(_numbers)}", found)
            for row, (found,) in enumerate(cursor.fetchall())
        ]
        statement = f'UPDATE {table} SET "{field.column}" = %s WHERE {key} = %s'
        try:
            with transaction.atomic():
                cursor.executemany(statement, rows)
        except IntegrityError:
            cursor.executemany(f"{statement} AND \"{field.column}\" <> ''", rows)
