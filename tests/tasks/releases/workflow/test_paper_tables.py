"""The tables of a release say what the dashboards say, whatever the protocol."""

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from tasks.agreement.figures.agreement_figures import agreement_of
from tasks.agreement.figures.classes_figures import labels_figures
from tasks.agreement.figures.systems_figures import systems_figures
from tasks.models import Campaign
from tests.factories import make_campaign, make_member
from tests.sampling import mostly
from tests.stored_at_once import store_items
from tests.tasks.conftest import (
    EQUIVALENT,
    LOSES,
    YES_DIFFERENT,
    item_row,
    rate_next,
)
from tests.tasks.releases.releasing import publish
from tomahto.ranking.system_answers import TIE
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


@dataclass(frozen=True)
class Tables:
    campaign: Campaign
    folder: Path

    def __getitem__(self, name: str) -> list[dict[str, str]]:
        with (self.folder / f"tables/{name}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))


@pytest.fixture(scope="module", params=mostly(ANSWERS, "ae", "cap"))
def _tables(
    request: pytest.FixtureRequest, kept_rows: None, tmp_path_factory: pytest.TempPathFactory
) -> Tables:
    """Items of two systems, some of both, rated by two people who agree now and then."""
    campaign = make_campaign(protocol=request.param)
    systems = cycle([("juniper",), ("thistle",), ("juniper", "thistle")])
    words = cycle(["reference", "reference 3", "something else"])
    rows = [
        item_row(n, systems=next(systems), candidate=f"{next(words)} {n}") for n in range(1, 13)
    ]
    store_items(campaign, rows)
    for skipped in (0, 1):
        answers = islice(cycle(ANSWERS[request.param]), skipped, None)
        member = make_member(campaign)
        while rate_next(member, next(answers)):
            pass
    folder = tmp_path_factory.mktemp("releases") / request.param
    publish(campaign, folder, seed=campaign.seed)
    return Tables(campaign, folder)


@pytest.fixture
def tables(_tables: Tables, db: None) -> Tables:
    return _tables


def test_release_is_verified_with_its_tables(tables: Tables) -> None:
    assert verify_release(tables.folder) == []
    (total,) = (row for row in tables["sizes"] if row["split"] == "Total")
    assert (total["items"], total["ratings"]) == ("12", "24")


def test_systems_are_those_of_the_dashboard(tables: Tables) -> None:
    shown = {system["system"]: system for system in systems_figures(tables.campaign)["systems"]}
    found = [row for row in tables["labels_by_system"] if row["unit"] == "items"]
    assert sorted(row["system"] for row in found) == sorted(shown) == ["juniper", "thistle"]
    for row in found:
        labels = dict(shown[row["system"]]["labels"])
        ties = labels.pop(TIE)
        n = shown[row["system"]]["rated_items"] - ties
        assert (int(row["n"]), int(row["open"])) == (n, ties)
        assert {label: round(float(row[label] or 0) * n) for label in labels} == labels


def test_histogram_is_that_of_the_dashboard(tables: Tables) -> None:
    bars = dict(labels_figures(tables.campaign)["f1_histogram"]["labels"])
    ties = bars.pop(TIE)
    readings = {"not-equivalent": ("removes-or-adds", "completely-different")}
    drawn = [
        [
            sum(int(row[name]) for name in readings.get(label, (label,))) - counts[place]
            for label, counts in bars.items()
        ]
        for place, row in enumerate(tables["f1_histogram"])
    ]
    assert [sum(counts) for counts in drawn] == ties
    assert min(map(min, drawn)) >= 0
    assert sum(ties) > 0


def test_agreement_is_that_of_page_and_command(tables: Tables) -> None:
    report = json.loads(json.dumps(agreement_of(tables.campaign).as_json()))
    whole = tables["agreement"][0]
    found = [whole[key] for key in ("alpha", "alpha_low", "alpha_high", "ac1", "full_agreement")]
    expected = [
        *(report["alpha"][key] for key in ("value", "low", "high")),
        report["ac1"]["value"],
        report["full_agreement"],
    ]
    assert [float(cell) if cell else None for cell in found] == expected
    (pair,) = tables["kappa"]
    kappa = report["kappa"][0]
    assert [float(pair[key]) if pair[key] else None for key in ("unweighted", "quadratic")] == [
        kappa["unweighted"],
        kappa["quadratic"],
    ]
