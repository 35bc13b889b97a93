"""Releases and exports of a campaign in which ratings are set aside. Figures are worked out by hand
in tests/tasks/votes/workflow/test_set_aside.py."""

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from exporters.planned_release import ReleasePlan
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Membership, Rating
from tasks.rating.queries.exported_ratings import rating_lines
from tasks.releases.workflow.release import publish_release
from tasks.votes.ratings import counted_ratings
from tasks.votes.workflow import set_aside, undo_set_aside
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import MakeCampaign, MakeMember, item_row
from tests.tasks.votes.workflow.test_set_aside import ann, campaign, cat, oak, rate, rated
from tomahto.interchange.campaigns.ratings import read_ratings
from tomahto.releases.verification.verify import verify_release

__all__ = ["ann", "campaign", "cat", "oak", "rated"]

pytestmark = pytest.mark.slow


def publish(campaign: Campaign, version: str, folder: Path) -> Path:
    plan = ReleasePlan(version=version, split="document:test=100", seed=0)
    publish_release(campaign=campaign, plan=plan, out=folder / version)
    assert verify_release(folder / version) == []
    return folder / version


def read(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_text())


def ratings_of(folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(folder / "ratings" / "test.parquet").to_pylist()
    return rows


def alpha(folder: Path) -> float | None:
    value: float | None = read(folder, "agreement.json")["whole"]["alpha"]["value"]
    return value


def test_release_says_what_was_set_aside_and_forgets_it_when_it_is_undone(
    rated: Campaign, oak: Membership, cat: Membership, make_member: MakeMember, tmp_path: Path
) -> None:
    before = publish(rated, "1.0.0", tmp_path)
    assert alpha(before) == pytest.approx(-2 / 5)
    assert "set_aside" not in ratings_of(before)[0]

    act = set_aside(rater=cat, by=oak, reason="Clicked through.")
    rate(make_member(rated, "ben"), "eene")
    without = publish(rated, "2.0.0", tmp_path)
    assert alpha(without) == pytest.approx(8 / 15)
    told = signed_in(oak).get(f"/api/v1/campaigns/{rated.slug}/agreement").json()
    assert told["alpha"]["value"] == alpha(without)
    assert {(row["rater"], row["counted"]) for row in ratings_of(without) if row["set_aside"]} == {
        (cat.pseudonym, False)
    }
    sizes = read(without, "statistics.json")["sizes"]["total"]
    assert {name: sizes[name] for name in sizes if name.endswith("ratings")} == {
        "ratings": 8,
        "surplus_ratings": 0,
        "set_aside_ratings": 4,
    }
    card = (without / "README.md").read_text()
    assert "has set aside 4 ratings by 1 rater" in " ".join(card.split())
    assert (
        "4 ratings by 1 rater that an admin has set aside."
        in (without / "datasheet.md").read_text()
    )

    undo_set_aside(act=act, by=oak)
    after = publish(rated, "3.0.0", tmp_path)
    assert alpha(after) == pytest.approx(-2 / 9)
    assert "set_aside" not in ratings_of(after)[0]
    assert verify_release(before) == verify_release(without) == []


def test_export_says_it_and_is_imported_as_not_counted(
    rated: Campaign, oak: Membership, cat: Membership, make_campaign: MakeCampaign, tmp_path: Path
) -> None:
    set_aside(rater=cat, by=oak, reason="Clicked through.")
    lines = list(rating_lines(rated))
    assert [
        (line["rater"] == cat.pseudonym, line["counted"], line.get("set_aside"))
        for line in map(json.loads, lines)
    ] == [(False, True, None), (True, False, True)] * 4
    file = tmp_path / "ratings.jsonl"
    file.write_text("".join(lines))
    other = make_campaign(items=0)
    import_items(campaign=other, rows=[item_row(number) for number in range(1, 5)])
    protocol = other.annotation_protocol
    for _again in range(2):
        for target in (other, rated):  # where they are from, all are known
            found = read_ratings(file, format="jsonl", question_keys=protocol.question_keys)
            import_ratings(campaign=target, rows=found)
    assert Rating.objects.filter(item__campaign=other).count() == 8
    assert counted_ratings(other).count() == counted_ratings(rated).count() == 4
