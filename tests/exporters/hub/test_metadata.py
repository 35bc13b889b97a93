from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from exporters.card_parts import card_metadata, front_matter
from exporters.planned_release import ReleaseContent, planned_release
from exporters.release import datasheet_of
from tests.exporters.samples import CAMPAIGN, CONTENT
from tomahto.releases.figures.figures import figures_of
from tomahto.releases.records.records import CollectionRecord, Documentation, RaterRecord


def metadata(path: Path) -> Any:
    _, text, _ = path.read_text().split("---\n", 2)
    return yaml.safe_load(text)


def card_of(content: ReleaseContent) -> dict[str, Any]:
    planned = planned_release(content)
    sheet = datasheet_of(planned, figures_of(planned.dataset))
    return card_metadata(content.campaign, planned.dataset, (), sheet)


def test_card_metadata_tells_the_hub_what_this_is(written: Path) -> None:
    card = metadata(written / "README.md")
    features = {info["config_name"]: info["features"] for info in card.pop("dataset_info")}
    assert card == {
        "pretty_name": "Answers | about cities",
        "license": "cc-by-4.0",
        "language": ["en"],
        "task_categories": ["question-answering"],
        "size_categories": ["n<1K"],
        "configs": [
            {
                "config_name": "items",
                "default": True,
                "data_files": [
                    {"split": "dev", "path": "items/dev.parquet"},
                    {"split": "test", "path": "items/test.parquet"},
                ],
            },
            {
                "config_name": "ratings",
                "data_files": [
                    {"split": "dev", "path": "ratings/dev.parquet"},
                    {"split": "test", "path": "ratings/test.parquet"},
                ],
            },
        ],
    }
    assert [feature["name"] for feature in features["ratings"][:5]] == [
        "id", "rater", "label", "q1", "q2",
    ]  # fmt: skip
    assert {"name": "references", "list": "string"} in features["items"]


def test_json_lines_have_instructions_of_their_own(written: Path) -> None:
    lines, card = metadata(written / "jsonl/README.md"), metadata(written / "README.md")
    assert lines["dataset_info"] == card["dataset_info"]
    assert [config["data_files"][0]["path"] for config in lines["configs"]] == [
        "items/dev.jsonl",
        "ratings/dev.jsonl",
    ]


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        ("CC-BY-SA-4.0", {"license": "cc-by-sa-4.0"}),
        ("odc-by", {"license": "odc-by"}),
        (
            "our own terms",
            {"license": "other", "license_name": "our own terms", "license_link": "LICENSE.md"},
        ),
    ],
)
def test_card_metadata_names_the_licence_as_the_hub_does(
    licence: str, expected: dict[str, str]
) -> None:
    campaign = replace(CAMPAIGN, licence=licence)
    card = card_of(replace(CONTENT, campaign=campaign))
    assert {key: value for key, value in card.items() if key.startswith("license")} == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("de", {"language": ["de"]}),
        ("de-CH", {"language": ["de"], "language_bcp47": ["de-CH"]}),
        ("English", {}),
    ],
)
def test_card_metadata_names_the_language_as_the_hub_does(
    language: str, expected: dict[str, list[str]]
) -> None:
    card = card_of(replace(CONTENT, campaign=replace(CAMPAIGN, language=language)))
    assert {key: value for key, value in card.items() if key.startswith("language")} == expected


def crowd(*names: str) -> CollectionRecord:
    raters = [RaterRecord(pseudonym=name, role="rater", entry="crowd") for name in names]
    return CollectionRecord(raters=raters)


@pytest.mark.parametrize(
    ("documentation", "expected"),
    [
        (Documentation(), None),
        (Documentation(collection=crowd("r1", "r2", "r3")), None),  # of r4 nothing is known
        (Documentation(collection=crowd("r1", "r2", "r3", "r4", "r9")), ["crowdsourced"]),
        (
            Documentation(
                answers={"annotators": "expert-generated"},
                collection=crowd("r1", "r2", "r3", "r4"),
            ),
            ["expert-generated"],
        ),
        (Documentation(answers={"annotators": "whoever"}), None),
    ],
)
def test_card_metadata_says_who_annotated_only_where_that_is_known(
    documentation: Documentation, expected: list[str] | None
) -> None:
    card = card_of(replace(CONTENT, documentation=documentation))
    assert card.get("annotations_creators") == expected


def test_front_matter_survives_any_title() -> None:
    campaign = replace(CAMPAIGN, title="no\n---\n# 'x': [é")
    text = front_matter(card_of(replace(CONTENT, campaign=campaign)))
    assert yaml.safe_load(text.removeprefix("---\n").removesuffix("---\n"))["pretty_name"] == (
        "no --- # 'x': [é"
    )
