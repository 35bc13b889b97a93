"""`manage.py evaluate campaign`: the report of an evaluation, printed and not stored."""

from pathlib import Path

import pytest

from exporters.planned_release import ReleasePlan
from tasks.evaluations.queries.judged import judged_data_of_campaign
from tasks.models import Campaign, Evaluation, Question
from tasks.releases.workflow.release import publish_release
from tests.evaluations import SECTION
from tests.factories import make_campaign, make_labelled_items
from tests.tasks.management.conftest import Manage
from tomahto.lab.report import report_from_json
from tomahto.lab.sections import SECTIONS

QUICK = ("--replicates", 20)


@pytest.fixture
def campaign(db: None) -> Campaign:
    campaign = make_campaign("lakes", title="Lakes", overlap=1)
    Campaign.objects.update(seed=5)
    make_labelled_items(campaign, items=12, documents=4)
    return campaign


def test_it_prints_the_report_in_markdown(campaign: Campaign, manage: Manage) -> None:
    printed = manage("evaluate", "campaign", "lakes", "--metric", "f1", *QUICK)
    assert printed.startswith("# ")
    assert "Lakes" in printed.splitlines()[0]
    assert "| f1 |" in printed
    assert not Evaluation.objects.exists()


def test_json_is_the_report_with_the_usual_metrics_and_every_section(
    campaign: Campaign, manage: Manage
) -> None:
    report = report_from_json(manage.json("evaluate", "campaign", "lakes", *QUICK))
    assert report.digest == judged_data_of_campaign(campaign).digest
    assert (report.items, report.seed, report.replicates) == (12, 5, 20)
    assert {"em", "f1", "cfmatch", "feather"} <= {each.metric for each in report.metrics}
    assert "bleu" not in {each.metric for each in report.metrics}
    assert [section.key for section in report.sections] == list(SECTIONS)


def test_what_is_chosen_is_what_is_reported(
    campaign: Campaign, manage: Manage, tmp_path: Path
) -> None:
    split = "document:dev=50,test=50"
    release = publish_release(
        campaign=campaign,
        plan=ReleasePlan(version="1.0.0", split=split, seed=0),
        out=tmp_path / "release",
    )
    chosen = ("--release", "1.0.0", "--tune-on", "dev", "--seed", 9, "--section", SECTION)
    metrics = ("--metric", "f1", "--metric", "em")
    printed = manage.json("evaluate", "campaign", "lakes", *chosen, *metrics, *QUICK)
    report = report_from_json(printed)
    assert (report.digest, report.tune_on, report.seed) == (release.digest, "dev", 9)
    assert [each.metric for each in report.metrics] == ["f1", "em"]
    assert [section.key for section in report.sections] == [SECTION]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("seas",), "there is no campaign 'seas'; known: lakes"),
        (("lakes", "--tune-on", "test"), "no item is of the split 'test'"),
        (("lakes", "--section", "oracle"), "no section 'oracle'; known: "),
        (("lakes", "--metric", "blue"), "no matcher 'blue'; known: em, f1"),
    ],
)
def test_what_is_not_there_is_said_in_one_line(
    campaign: Campaign, manage: Manage, arguments: tuple[str, ...], error: str
) -> None:
    Question.objects.filter(key="labelled-1").update(split="dev")
    assert error in manage.error("evaluate", "campaign", *arguments)
