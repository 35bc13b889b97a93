import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.exporters.samples import CAMPAIGN
from tomahto.releases.documents.citation import Heading
from tomahto.releases.documents.croissant import croissant

# mlcroissant calls what the libraries below it are about to drop.
pytestmark = [pytest.mark.filterwarnings("ignore::DeprecationWarning"), pytest.mark.slow]


@pytest.fixture(scope="module")
def metadata(written: Path) -> Any:
    from mlcroissant import Dataset

    return Dataset(jsonld=written / "croissant.json")


def records(metadata: Any, name: str) -> Iterator[dict[str, Any]]:
    """The records by bare field name; mlcroissant gives texts as bytes."""
    for record in metadata.records(name):
        yield {field.removeprefix(f"{name}/"): _text(value) for field, value in record.items()}


def _text(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode()
    return [_text(part) for part in value] if isinstance(value, list) else value


def test_croissant_is_valid(metadata: Any) -> None:
    # What it misses is what only the publisher knows.
    assert metadata.metadata.issues.errors == set()
    assert [warning.split('"')[1] for warning in metadata.metadata.issues.warnings] == [
        "http://mlcommons.org/croissant/citeAs"
    ]


def test_croissant_reads_every_item(metadata: Any) -> None:
    rows = {
        row["id"]: row for split in ("dev", "test") for row in records(metadata, f"items-{split}")
    }
    assert sorted(rows) == ["a1", "a2", "b1", "c1", "d1"]
    a1 = rows["a1"]
    votes = {name.split("/")[-1]: count for name, count in a1["votes"].items()}
    assert votes == {"equivalent": 2, "not-equivalent": 1}
    assert (a1["references"], a1["systems"], a1["label"], a1["tie"], a1["f1"]) == (
        ["Paris"],
        ["bidaf", "xlnet"],
        "equivalent",
        False,
        0.5,
    )


def test_croissant_reads_every_rating(metadata: Any) -> None:
    rows = [row for split in ("dev", "test") for row in records(metadata, f"ratings-{split}")]
    assert len(rows) == 12
    (a1,) = (row for row in rows if (row["id"], row["rater"]) == ("a1", "r3"))
    assert (a1["q1"], a1["q3"], a1["seconds"]) == (False, True, 2.5)
    assert a1["created_at"].isoformat() == "2026-03-01T12:30:00.250000+00:00"


HEADING = Heading(campaign="demo", title="T", version="1.2.3", published=date(2026, 3, 2))


@pytest.mark.parametrize(
    ("licence", "stated"),
    [
        ("CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/"),
        ("our own terms", "our own terms"),
    ],
)
def test_croissant_states_what_the_campaign_states(licence: str, stated: str) -> None:
    campaign = replace(CAMPAIGN, licence=licence, description="", language="de")
    metadata = json.loads(croissant(campaign, HEADING, (), ()))
    del metadata["@context"]
    assert metadata == {
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": "demo",
        "description": "Answers | about cities",
        "license": stated,
        "inLanguage": "de",
        "version": "1.2.3",
        "datePublished": "2026-03-02",
        "distribution": [],
        "recordSet": [],
    }
