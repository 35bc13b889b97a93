"""The demo campaigns: loaded from `demo/` by the same imports and acts anybody uses, once."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from exporters.planned_release import ReleasePlan
from tasks.agreement.findings import rules_of
from tasks.agreement.workflow.alerts import set_rules
from tasks.agreement.workflow.assessment import assess
from tasks.campaigns.workflow.campaign import (
    add_member,
    change_settings,
    create_campaign,
    create_member,
    publish_guideline,
)
from tasks.evaluations.queries.metric_scores import available_metrics, usual_metrics
from tasks.evaluations.workflow.evaluation import EvaluationPlan, start_evaluation
from tasks.explorer.workflow.acts import do_act
from tasks.explorer.workflow.plan import Options
from tasks.intake.workflow.adjudications import import_adjudications
from tasks.intake.workflow.candidates import import_predictions
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.questions import import_questions
from tasks.intake.workflow.ratings import import_ratings
from tasks.jobs.workflow.jobs import start_job
from tasks.models import (
    ActKind,
    AlertKind,
    Assignment,
    Campaign,
    ExactAnswers,
    Item,
    JobKind,
    Membership,
    Role,
    User,
)
from tasks.people.workflow.members import give_consent, publish_consent_text
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.rating.workflow.records import raise_flag, settle_flag
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.campaigns.predictions import read_predictions
from tomahto.interchange.campaigns.questions import read_questions
from tomahto.interchange.campaigns.ratings import read_adjudications, read_ratings
from tomahto.interchange.reading.records import RatingRow
from tomahto.matching.registry import suggesting_matchers
from tomahto.votes.remarks import Remarks

SYSTEMS = ("juniper", "marigold", "thistle")
PEOPLE = {"admin": Role.ADMIN, "researcher": Role.RESEARCHER, "rater": Role.RATER}
RELEASE_VERSION = "0.1.0"
DEMANDED_ALPHA = 0.9  # more than the demo's raters reach, so that an alert is raised
CONTROL_EVERY = 10


@dataclass(frozen=True, slots=True)
class Login:
    username: str
    role: str
    password: str


@transaction.atomic
def load_demo(folder: Path) -> list[Login]:
    """Both demo campaigns with their people, and jobs for the rest; the logins, or none if the demo
    is there."""
    if Campaign.objects.filter(slug="demo-ae").exists():
        return []
    campaigns = _equivalence_campaign(folder, None), _classes_campaign(folder, None)
    logins = [_login(name, role, *campaigns) for name, role in PEOPLE.items()]
    _fill(*campaigns, folder)
    return logins


@transaction.atomic
def load_demo_for(*, operator: User, folder: Path) -> bool:
    """As `load_demo` with the operator as admin, and no accounts that anybody can sign in to; false
    on a site that has a campaign.

    Raises IntegrityError or InputError where an account already has a name of the demo; nothing is
    loaded then.
    """
    if Campaign.objects.exists():
        return False
    equivalence = _equivalence_campaign(folder, operator)
    _fill(equivalence, _classes_campaign(folder, operator), folder)
    return True


def _fill(equivalence: Campaign, classes: Campaign, folder: Path) -> None:
    _work_together(equivalence, folder)
    for campaign in (equivalence, classes):
        assess(campaign=campaign)
        _start_jobs(campaign)


def _equivalence_campaign(folder: Path, made_by: User | None) -> Campaign:
    campaign = create_campaign(
        slug="demo-ae",
        title="Demo: answer equivalence",
        description="Three invented systems answer questions on short passages.",
        protocol="ae",
        overlap=3,
        created_by=made_by,
    )
    # the paper's rule, by which its ratings were made: by another one some answers would lack them
    change_settings(campaign=campaign, changes={"exact_rule": ExactAnswers.SQUAD})
    questions = read_questions(folder / "questions.json", format="squad")
    import_questions(campaign=campaign, records=questions)
    for system in SYSTEMS:
        path = folder / "predictions" / f"{system}.json"
        predictions = read_predictions(path, format="squad")
        import_predictions(campaign=campaign, system=system, records=predictions)
    _import_ratings(campaign, folder / "ratings_ae.jsonl")
    _prepare_training(campaign, folder, "calibration_ae.jsonl")
    return campaign


def _classes_campaign(folder: Path, made_by: User | None) -> Campaign:
    campaign = create_campaign(
        slug="demo-cap",
        title="Demo: correctness in eight classes",
        description="Open questions on the same passages, judged in eight ordered classes.",
        protocol="cap",
        overlap=3,
        created_by=made_by,
    )
    import_items(campaign=campaign, rows=read_items(folder / "items_cap.jsonl", format="jsonl"))
    _import_ratings(campaign, folder / "ratings_cap.jsonl")
    _prepare_training(campaign, folder, "calibration_cap.jsonl")
    return campaign


def _import_ratings(campaign: Campaign, path: Path) -> None:
    import_ratings(campaign=campaign, rows=_up_to_yesterday(_ratings(campaign, path)))


def _ratings(campaign: Campaign, path: Path) -> list[RatingRow]:
    keys = campaign.annotation_protocol.question_keys
    return list(read_ratings(path, format="jsonl", question_keys=keys))


def _up_to_yesterday(rows: Sequence[RatingRow]) -> Iterator[RatingRow]:
    """The ratings moved by whole days, the last to yesterday: so charts by day and forecasts have
    something to show at once."""
    zone = timezone.get_default_timezone()
    times = [row.rated_at.astimezone(zone) for row in rows if row.rated_at]
    yesterday = timezone.localdate(timezone=zone) - timedelta(days=1)
    later = yesterday - max(times).date()
    for row, time in zip(rows, times, strict=True):
        yield replace(row, rated_at=time + later)


def _prepare_training(campaign: Campaign, folder: Path, items: str) -> None:
    """A consent text, and calibration items; whether raters have to pass is left to the admin."""
    keys = campaign.annotation_protocol.question_keys
    rows = read_items(folder / items, format="jsonl", question_keys=keys)
    import_items(campaign=campaign, rows=rows)
    text = (folder / "consent.md").read_text(encoding="utf-8")
    publish_consent_text(campaign=campaign, text=text)


def _login(name: str, role: Role, first: Campaign, *others: Campaign) -> Login:
    password, _token = create_member(campaign=first, username=name, role=role)
    user = User.objects.get(username=name)
    if role == Role.ADMIN:
        user.is_staff = user.is_superuser = True
        user.save(update_fields=["is_staff", "is_superuser"])
    for campaign in others:
        add_member(campaign=campaign, user=user, role=role)
    return Login(name, str(role.label), password)


def _work_together(campaign: Campaign, folder: Path) -> None:
    """Two more raters at work, checked by control items and under two versions of the guidelines;
    their flags, decisions on items, and an alert.

    Adjudicators see votes first here, so that every page has something to show.
    """
    admin = campaign.memberships.get(role=Role.ADMIN)
    work = _ratings(campaign, folder / "work_ae.jsonl")
    raters = [_rater(campaign, name) for name in sorted({row.rater for row in work})]
    items = campaign.items.filter(key__in={row.item_id for row in work}).order_by("pk")
    rated = [item.pk for item in items if item.ratings.exists()]
    unrated = [item.pk for item in items if item.pk not in rated]
    half = len(unrated) // 2
    change_settings(campaign=campaign, changes={"adjudicates_blind": False, "control_every": 1})
    _act(admin, ActKind.CONTROL, rated, Options())
    _share_out(unrated[:half], admin, raters, work)
    assert campaign.guideline is not None  # noqa: S101 - every campaign is created with one
    addition = (folder / "guidelines_ae.md").read_text(encoding="utf-8")
    publish_guideline(campaign=campaign, text=f"{campaign.guideline.text}\n{addition}")
    _share_out(unrated[half:], admin, raters, work)
    change_settings(campaign=campaign, changes={"control_every": CONTROL_EVERY})
    _flag_items(admin, folder / "flags_ae.jsonl")
    keys = campaign.annotation_protocol.question_keys
    decisions = folder / "decisions_ae.jsonl"
    decided = read_adjudications(decisions, format="jsonl", question_keys=keys)
    import_adjudications(campaign=campaign, rows=decided)
    rules = [
        replace(rule, threshold=DEMANDED_ALPHA) if rule.kind == AlertKind.ALPHA else rule
        for rule in rules_of(campaign)
    ]
    set_rules(campaign=campaign, rules=rules)


def _rater(campaign: Campaign, name: str) -> Membership:
    """As whom nobody can sign in. They have consented."""
    add_member(campaign=campaign, user=User.objects.create_user(name), role=Role.RATER)
    member = campaign.memberships.get(name=name)
    assert campaign.consent_text is not None  # noqa: S101 - published with the training
    give_consent(membership=member, version=campaign.consent_text.version)
    return member


def _share_out(
    items: Sequence[int], admin: Membership, raters: Sequence[Membership], work: Sequence[RatingRow]
) -> None:
    """Every rater gets all of the items, and about as many control items between them."""
    everybody = tuple(rater.pseudonym for rater in raters)
    _act(admin, ActKind.ASSIGN, items, Options(raters=everybody))
    for rater in raters:
        left = set(items)
        given = {row.item_id: row for row in work if row.rater == rater.name}
        while left:
            claim = claim_item(membership=rater)
            assert claim is not None  # noqa: S101 - items are assigned to them
            item = Item.objects.select_related("copied_from").get(pk=claim.item.id)
            row = given[(item.copied_from or item).key]
            submit_rating(
                assignment_id=claim.assignment_id,
                membership=rater,
                answers=row.answers,
                idempotency_key=f"demo {claim.assignment_id}",
                seconds=row.seconds,
                remarks=Remarks.of(row),
            )
            left.discard(item.pk)


def _flag_items(admin: Membership, path: Path) -> None:
    """Flags of the raters, and how the admin settles those that are not left open."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assignments = Assignment.objects.filter(rater__campaign=admin.campaign)
    flags = []
    for line in lines:
        assignment = assignments.get(item__key=line["id"], rater__name=line["rater"])
        flags.append(raise_flag(assignment=assignment, reason=line["reason"]))
    _act(admin, ActKind.TAG, [flag.item_id for flag in flags], Options(tag="discuss"))
    for line, flag in zip(lines, flags, strict=True):
        if "settlement" in line:
            settle_flag(flag=flag, by=admin, settlement=line["settlement"])


def _act(admin: Membership, kind: ActKind, items: Sequence[int], options: Options) -> None:
    key = f"demo {kind} {items[0]}"
    do_act(member=admin, kind=kind, items=items, options=options, idempotency_key=key)


def _start_jobs(campaign: Campaign) -> None:
    """For suggestions, a release, and an evaluation by the quick metrics."""
    admin = campaign.memberships.get(role=Role.ADMIN)
    plan = ReleasePlan(version=RELEASE_VERSION, split="document:dev=30,test=70", seed=campaign.seed)
    wanted: list[tuple[JobKind, dict[str, Any]]] = [
        *((JobKind.SUGGEST, {"name": name}) for name in suggesting_matchers()),
        (JobKind.RELEASE, plan.as_json()),
    ]
    for kind, parameters in wanted:
        start_job(campaign=campaign, kind=kind, parameters=parameters, created_by=admin.user)
    metrics = usual_metrics(campaign, available_metrics(campaign))
    start_evaluation(plan=EvaluationPlan(metrics=tuple(metrics), seed=campaign.seed), by=admin)
