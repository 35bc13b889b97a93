"""The tables of a release say what the dashboards say, whatever the protocol."""

import csv
import json
from collections.abc import Mapping
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from exporters.plan import ReleasePlan
from tasks.agreement.figures.agreement_figures import agreement_of
from tasks.agreement.figures.labels_figures import TIE, labels_figures
from tasks.agreement.figures.systems_figures import systems_figures
from tasks.intake.workflow.items import import_items
from tasks.models import Campaign
from tasks.releases.workflow.release import publish_release
from tests.extent import mostly
from tests.tasks.conftest import (
    EQUIVALENT,
    LOSES,
    YES_DIFFERENT,
    MakeCampaign,
    MakeMember,
    item_row,
    rate_next,
)
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


ANSWERS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "ae": (EQUIVALENT, LOSES, EQUIVALENT, YES_DIFFERENT, EQUIVALENT),
    "cap": tuple({"label": label} for label in ("exact", "partial", "exact", "invalid", "exact")),
    "statement": tuple({"label": label} for label in ("correct", "wrong", "correct", "syntactic")),
    "rules": (
        {"label": "correct", "rules": ["aliasing"]},
        {"label": "incorrect", "rules": ["irrelevant", "numerical"]},
        {"label": "correct", "rules": ["semantic"]},
    ),
}


@pytest.fixture(params=mostly(ANSWERS, *list(ANSWERS)[1:3]))
def campaign(
    request: pytest.FixtureRequest, make_campaign: MakeCampaign, make_member: MakeMember
) -> Campaign:
    """Items of two systems, some of both, rated by two people who agree now and then."""
    campaign = make_campaign(items=0, overlap=2, protocol=request.param)
    systems = cycle([("juniper",), ("thistle",), ("juniper", "thistle")])
    words = cycle(["reference", "reference 3", "something else"])
    rows = [
        item_row(n, systems=next(systems), candidate=f"{next(words)} {n}") for n in range(1, 13)
    ]
    import_items(campaign=campaign, rows=rows)
    for name, skipped in (("ann", 0), ("ben", 1)):
        answers = cycle(ANSWERS[request.param])
        for _ in range(skipped):
            next(answers)
        member = make_member(campaign, name)
        while rate_next(member, next(answers)):
            pass
    return campaign


@pytest.fixture
def release(campaign: Campaign, tmp_path: Path) -> Path:
    plan = ReleasePlan(version="1.0.0", split="document:dev=40,test=60", seed=campaign.seed)
    publish_release(campaign=campaign, plan=plan, out=tmp_path / "out")
    return tmp_path / "out"


def table(release: Path, name: str) -> list[dict[str, str]]:
    with (release / f"tables/{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_release_is_verified_with_its_tables(campaign: Campaign, release: Path) -> None:
    assert verify_release(release) == []
    (total,) = (row for row in table(release, "sizes") if row["split"] == "Total")
    assert (total["items"], total["ratings"]) == ("12", "24")


def test_systems_are_those_of_the_dashboard(campaign: Campaign, release: Path) -> None:
    shown = {system["system"]: system for system in systems_figures(campaign)["systems"]}
    found = [row for row in table(release, "labels_by_system") if row["unit"] == "items"]
    assert sorted(row["system"] for row in found) == sorted(shown) == ["juniper", "thistle"]
    for row in found:
        labels = dict(shown[row["system"]]["labels"])
        ties = labels.pop(TIE)
        assert int(row["n"]) == shown[row["system"]]["rated_items"] == 8
        drawn = {label: round(float(row[label]) * 8) - items for label, items in labels.items()}
        assert sum(drawn.values()) == ties
        assert min(drawn.values()) >= 0


def test_histogram_is_that_of_the_dashboard(campaign: Campaign, release: Path) -> None:
    bars = dict(labels_figures(campaign)["f1_histogram"]["labels"])
    ties = bars.pop(TIE)
    readings = {"not-equivalent": ("removes-or-adds", "completely-different")}
    drawn = [
        [
            sum(int(row[name]) for name in readings.get(label, (label,))) - counts[place]
            for label, counts in bars.items()
        ]
        for place, row in enumerate(table(release, "f1_histogram"))
    ]
    assert [sum(counts) for counts in drawn] == ties
    assert min(map(min, drawn)) >= 0
    assert sum(ties) > 0


def test_agreement_is_that_of_page_and_command(campaign: Campaign, release: Path) -> None:
    report = json.loads(json.dumps(agreement_of(campaign).as_json()))
    whole = table(release, "agreement")[0]
    found = [whole[key] for key in ("alpha", "alpha_low", "alpha_high", "ac1", "full_agreement")]
    expected = [
        *(report["alpha"][key] for key in ("value", "low", "high")),
        report["ac1"]["value"],
        report["full_agreement"],
    ]
    assert [float(cell) if cell else None for cell in found] == expected
    (pair,) = table(release, "kappa")
    kappa = report["kappa"][0]
    assert [float(pair[key]) if pair[key] else None for key in ("unweighted", "quadratic")] == [
        kappa["unweighted"],
        kappa["quadratic"],
    ]
