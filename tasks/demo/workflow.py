"""The demo campaigns: loaded from `demo/` by the same imports anybody uses, once."""

from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from tasks.campaigns.workflow.campaign import (
    add_member,
    change_settings,
    create_campaign,
    create_member,
)
from tasks.intake.workflow.candidates import import_predictions
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.questions import import_questions
from tasks.intake.workflow.ratings import import_ratings
from tasks.jobs.workflow.starting import start_job
from tasks.models import Campaign, ExactAnswers, JobKind, Role, User
from tasks.people.workflow.consent import publish_consent_text
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.campaigns.predictions import read_predictions
from tomahto.interchange.campaigns.questions import read_questions
from tomahto.interchange.campaigns.ratings import read_ratings
from tomahto.matching.registry import suggesting_matchers

SYSTEMS = ("juniper", "marigold", "thistle")
PEOPLE = {"admin": Role.ADMIN, "researcher": Role.RESEARCHER, "rater": Role.RATER}


@dataclass(frozen=True, slots=True)
class Login:
    username: str
    role: str
    password: str


@transaction.atomic
def load_demo(folder: Path) -> list[Login]:
    """Both demo campaigns with their people; their logins, or none if the demo is there."""
    if _is_there():
        return []
    equivalence, classes = _campaigns(folder)
    return [_login(name, role, equivalence, classes) for name, role in PEOPLE.items()]


@transaction.atomic
def load_demo_for(*, operator: User, folder: Path) -> bool:
    """Both demo campaigns with the operator as their admin, and no other accounts; false if the
    demo is there."""
    if _is_there():
        return False
    _campaigns(folder, operator)
    return True


def _is_there() -> bool:
    return Campaign.objects.filter(slug="demo-ae").exists()


def _campaigns(folder: Path, made_by: User | None = None) -> tuple[Campaign, Campaign]:
    """Both, with jobs for the suggestions of every matcher."""
    made = _equivalence_campaign(folder, made_by), _classes_campaign(folder, made_by)
    for campaign in made:
        for name in suggesting_matchers():
            start_job(
                campaign=campaign,
                kind=JobKind.SUGGEST,
                parameters={"name": name},
                created_by=made_by,
            )
    return made


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
    keys = campaign.annotation_protocol.question_keys
    import_ratings(campaign=campaign, rows=read_ratings(path, format="jsonl", question_keys=keys))


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
