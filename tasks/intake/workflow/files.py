"""Files as people hand them in, whether by a page or by the API: which kinds there are, and what
takes each in, whole or not at all."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tasks.intake.workflow.adjudications import AdjudicationIntake, import_adjudications
from tasks.intake.workflow.answers import AnswerIntake, import_answers
from tasks.intake.workflow.candidates import PredictionIntake, import_predictions
from tasks.intake.workflow.items import ItemIntake, import_items
from tasks.intake.workflow.questions import QuestionIntake, import_questions
from tasks.intake.workflow.ratings import RatingIntake, import_ratings
from tasks.models import Campaign
from tasks.storing.batches import Reread
from tomahto.interchange.campaigns.adjudications import read_adjudications
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.campaigns.predictions import read_predictions
from tomahto.interchange.campaigns.questions import read_questions
from tomahto.interchange.campaigns.ratings import read_ratings
from tomahto.interchange.campaigns.system_answers import read_answers

Intake = (
    QuestionIntake
    | PredictionIntake
    | ItemIntake
    | RatingIntake
    | AdjudicationIntake
    | AnswerIntake
)


@dataclass(frozen=True, slots=True)
class HandedIn:
    """A file as it lies on disk, with its name as people know it.

    `format` None: to be told from the file. `system` is whose predictions it holds.
    """

    path: Path
    name: str
    format: str | None = None
    system: str = ""


def take_in(*, campaign: Campaign, kind: str, file: HandedIn) -> Intake:
    """Import a file of one of the KINDS. Raises InputError; then nothing is stored."""
    return KINDS[kind](campaign, file)


def _take_questions(campaign: Campaign, file: HandedIn) -> QuestionIntake:
    records = Reread(lambda: read_questions(file.path, format=file.format, name=file.name))
    return import_questions(campaign=campaign, records=records)


def _take_predictions(campaign: Campaign, file: HandedIn) -> PredictionIntake:
    records = Reread(lambda: read_predictions(file.path, format=file.format, name=file.name))
    return import_predictions(campaign=campaign, system=file.system, records=records)


def _take_items(campaign: Campaign, file: HandedIn) -> ItemIntake:
    keys = campaign.annotation_protocol.question_keys
    rows = Reread(
        lambda: read_items(file.path, format=file.format, question_keys=keys, name=file.name)
    )
    return import_items(campaign=campaign, rows=rows)


def _take_ratings(campaign: Campaign, file: HandedIn) -> RatingIntake:
    keys = campaign.annotation_protocol.question_keys
    rows = Reread(
        lambda: read_ratings(file.path, format=file.format, question_keys=keys, name=file.name)
    )
    return import_ratings(campaign=campaign, rows=rows)


def _take_adjudications(campaign: Campaign, file: HandedIn) -> AdjudicationIntake:
    keys = campaign.annotation_protocol.question_keys
    rows = Reread(
        lambda: read_adjudications(
            file.path, format=file.format, question_keys=keys, name=file.name
        )
    )
    return import_adjudications(campaign=campaign, rows=rows)


def _take_answers(campaign: Campaign, file: HandedIn) -> AnswerIntake:
    rows = Reread(lambda: read_answers(file.path, format=file.format, name=file.name))
    return import_answers(campaign=campaign, rows=rows)


KINDS: Mapping[str, Callable[[Campaign, HandedIn], Intake]] = {
    "questions": _take_questions,
    "predictions": _take_predictions,
    "items": _take_items,
    "ratings": _take_ratings,
    "adjudications": _take_adjudications,
    "answers": _take_answers,
}
"""What can be handed in, and what takes it in."""
