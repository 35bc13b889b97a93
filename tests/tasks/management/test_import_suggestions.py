"""`manage.py import_suggestions`: a metric from elsewhere stands beside ours, in the lab too."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError

from exporters.planned_release import ReleasePlan
from tasks.evaluations.queries.judged import judged_data_of_campaign
from tasks.models import Suggestion
from tasks.releases.workflow.release import publish_release
from tests.factories import make_campaign, make_labelled_items
from tests.tasks.conftest import MakeCampaign
from tests.tasks.management.conftest import Manage
from tests.tomahto.interchange.files import Write
from tomahto.estimates.estimate import Estimate
from tomahto.lab.report import report_from_json

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_scores_come_back_and_are_judged_in_the_lab(
    manage: Manage, write: Write, make_campaign: MakeCampaign, tmp_path: Path
) -> None:
    campaign = make_campaign(items=2)
    lines = [{"id": "item-1", "score": 4.5}, {"id": "item-2", "score": 1.0, "accepted": False}]
    given = ("import_suggestions", campaign.slug, write("lerc.jsonl", lines), "--matcher", "lerc")
    assert manage.json(*given, "--range", "1,5") == {
        "suggestions_created": 2,
        "suggestions_existing": 0,
    }
    assert manage.json(*given, "--range", "1,5") == {
        "suggestions_created": 0,
        "suggestions_existing": 2,
    }
    out = tmp_path / "out.jsonl"
    manage("export_suggestions", campaign.slug, "--out", out)
    exported = [json.loads(line) for line in out.read_text().splitlines()]
    assert [
        (line["id"], line["matcher"], line["score"], line["accepted"]) for line in exported
    ] == [("item-1", "lerc", 0.875, True), ("item-2", "lerc", 0.0, False)]
    assert exported[0]["version"].startswith("imported|range:1,5|threshold:3|sha256:")


def test_what_was_imported_is_a_metric_of_the_lab(
    manage: Manage,
    write: Write,
    db: None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """LERC calls the half of the items right that people call right."""
    campaign = make_campaign("lakes", overlap=1)
    make_labelled_items(campaign, items=12, documents=4)
    items = judged_data_of_campaign(campaign).items
    lines = [{"id": item.id, "score": 4 if item.is_right else 2} for item in items]
    file = write("lerc.jsonl", lines)
    manage("import_suggestions", "lakes", file, "--matcher", "lerc", "--range", "1,5")
    quick = ("--section", "metric_quality", "--replicates", 20)
    report = report_from_json(
        manage.json("evaluate", "campaign", "lakes", "--metric", "lerc", *quick)
    )
    (row,) = report.sections[0].tables[0].rows
    cells = dict(zip((c.key for c in report.sections[0].tables[0].columns), row, strict=True))
    assert (cells["metric"], cells["threshold"]) == ("lerc", 0.5)
    assert isinstance(cells["accuracy"], Estimate)
    assert cells["accuracy"].value == 1.0
    plan = ReleasePlan(version="1.0.0", split="document:dev=50,test=50", seed=0)
    publish_release(campaign=campaign, plan=plan, out=tmp_path / "release")
    ask = ("evaluate", "report", tmp_path / "release", f"lerc={file}", "--range", "1,5")
    of_release = report_from_json(manage.json(*ask, "--matcher", "em", *quick))
    assert [each.metric for each in of_release.metrics] == ["lerc", "em"]
    assert of_release.metrics[0] == report.metrics[0]
    manage("configure_campaign", "lakes", "--suggestion-matcher", "lerc")
    campaign.refresh_from_db()
    assert campaign.suggestion_matcher == "lerc"
    for named, fault in (
        (f"lerc={write('few.jsonl', lines[1:])}", "few.jsonl: has no score of 1 of 12 items, as "),
        (str(file), "does not name its file, as in lerc=FILE"),
    ):
        with pytest.raises(SystemExit):
            manage("evaluate", "report", tmp_path / "release", named, "--range", "1,5")
        assert fault in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--matcher", "em"), "em is a built-in matcher: give the scores another name"),
        (("--matcher", "x", "--range", "5,1"), "'5,1' is not a range such as 1,5"),
        (("--matcher", "x", "--range=-1e308,1e308"), "'-1e308,1e308' is not a range such as 1,5"),
        (("--matcher", "x", "--threshold", "1e300"), "a threshold of 1e+300 is not within 0 and 1"),
        (("--matcher", "x"), "lerc.jsonl, line 1, field score: 4.5 is not within 0 and 1"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    manage: Manage, write: Write, make_campaign: MakeCampaign,
    options: tuple[str, ...], fault: str, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    campaign = make_campaign(items=1)
    file = write("lerc.jsonl", [{"id": "item-1", "score": 4.5}])
    with pytest.raises((SystemExit, CommandError)) as refused:
        manage("import_suggestions", campaign.slug, file, *options)
    assert fault in capsys.readouterr().err + str(refused.value)
    assert not Suggestion.objects.exists()


def test_a_file_that_is_not_there_is_named(manage: Manage, make_campaign: MakeCampaign) -> None:
    slug = make_campaign(items=1).slug
    for command, fault in (
        (("import_suggestions", slug, "none.jsonl", "--matcher", "x"), "cannot be opened"),
        (("evaluate", "reproduce", "cap", "none.jsonl"), "No such file or directory"),
    ):
        manage(*command, code=1)
        assert f"CommandError: none.jsonl: {fault}" in manage.stderr
