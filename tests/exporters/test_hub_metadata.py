from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from exporters.content import build_dataset
from exporters.hub_metadata import card_metadata, front_matter
from tests.exporters.samples import CAMPAIGN, CONTENT


def metadata(path: Path) -> Any:
    _, text, _ = path.read_text().split("---\n", 2)
    return yaml.safe_load(text)


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
        ("our own terms", {"license": "other", "license_name": "our own terms"}),
    ],
)
def test_card_metadata_names_the_licence_as_the_hub_does(
    licence: str, expected: dict[str, str]
) -> None:
    campaign = replace(CAMPAIGN, licence=licence)
    card = card_metadata(campaign, build_dataset(CONTENT), ())
    assert {key: value for key, value in card.items() if key.startswith("license")} == expected


def test_front_matter_survives_any_title() -> None:
    campaign = replace(CAMPAIGN, title="no\n---\n# 'x': [é")
    text = front_matter(card_metadata(campaign, build_dataset(CONTENT), ()))
    assert yaml.safe_load(text.removeprefix("---\n").removesuffix("---\n"))["pretty_name"] == (
        "no --- # 'x': [é"
    )
