"""The choices for a release are declared once, in its plan: page, call and command take them."""

from collections.abc import Iterable
from dataclasses import fields

from django.core.management import load_command_class

from exporters.planned_release import ReleasePlan
from tasks.models import Campaign
from tasks.releases.api.drafts import ReleaseBody
from tasks.releases.forms import ReleaseDraftForm
from tests.factories import make_campaign
from tomahto.releases.dataset.choices import Selection

PLAN = {field.name for kind in (ReleasePlan, Selection) for field in fields(kind)} - {"selection"}
# shares, folds and systems are other ways to write the split
SPLITS = {"split_by", "train", "dev", "test", "folds", "stratify", "leaks", "keeps", "omits_others"}


def _lacking_and_more(names: Iterable[str]) -> tuple[set[str], set[str]]:
    return PLAN - set(names), set(names) - PLAN


def test_page_takes_the_fields_of_the_plan(db: None) -> None:
    campaign: Campaign = make_campaign()
    found = _lacking_and_more(ReleaseDraftForm(campaign=campaign).fields)
    assert found == ({"formats"}, SPLITS)


def test_call_takes_the_fields_of_the_plan() -> None:
    assert _lacking_and_more(ReleaseBody().fields) == ({"formats"}, set())


def test_command_takes_the_fields_of_the_plan() -> None:
    parser = load_command_class("tasks", "release").create_parser("manage.py", "release")
    given = ["x", "--version", "1.0.0", "--split", "predefined", "--out", "x"]
    lacking, _ = _lacking_and_more(vars(parser.parse_args(given)))
    assert lacking == set()
