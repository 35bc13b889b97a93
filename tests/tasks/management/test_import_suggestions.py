"""`manage.py import_suggestions`: a metric from elsewhere stands beside ours, in the lab too."""

import json
from pathlib import Path

import pytest

from tests.tasks.conftest import MakeCampaign
from tests.tasks.management.conftest import Manage
from tests.tomahto.interchange.files import Write

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
    assert exported[0]["version"].startswith("imported|sha256:")


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--matcher", "em"), "em is a matcher of ours: give the scores another name"),
        (("--matcher", "x", "--range", "5,1"), "'5,1' is no range such as 1,5"),
        (("--matcher", "x"), "lerc.jsonl, line 1, field score: 4.5 is not within 0 and 1"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    manage: Manage,
    write: Write,
    make_campaign: MakeCampaign,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    fault: str,
) -> None:
    campaign = make_campaign(items=1)
    file = write("lerc.jsonl", [{"id": "item-1", "score": 4.5}])
    with pytest.raises(SystemExit):
        manage("import_suggestions", campaign.slug, file, *options)
    assert fault in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (("import_suggestions", "SLUG", "none.jsonl", "--matcher", "x"), "cannot be opened"),
        (("evaluate", "reproduce", "cap", "none.jsonl"), "No such file or directory"),
    ],
)
def test_a_file_that_is_not_there_is_named(
    manage: Manage,
    make_campaign: MakeCampaign,
    capsys: pytest.CaptureFixture[str],
    command: tuple[str, ...],
    fault: str,
) -> None:
    campaign = make_campaign(items=1)
    with pytest.raises(SystemExit):
        manage(*(campaign.slug if word == "SLUG" else word for word in command))
    assert f"CommandError: none.jsonl: {fault}" in capsys.readouterr().err.splitlines()[-1]
