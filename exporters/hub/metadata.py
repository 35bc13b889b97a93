"""What the `datasets` library and the Hugging Face hub read at the top of a README."""

import re
from collections.abc import Iterable
from typing import Any, Literal

import yaml

from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.documents.citation import LICENCE
from tomahto.releases.documents.datasheet import Datasheet
from tomahto.releases.documents.datasheet_questions import ANNOTATORS, QUESTION_OF
from tomahto.releases.documents.licences import licence_named
from tomahto.releases.files.tables import Table
from tomahto.releases.records.columns import Column, Kind
from tomahto.releases.records.records import CampaignRecord

_TYPES: dict[Kind, str] = {
    "text": "string",
    "flag": "bool",
    "integer": "int32",
    "number": "float64",
    "time": "timestamp[us, tz=UTC]",
}
_PER_LABEL: dict[Kind, str] = {"votes": "int32", "shares": "float64"}
_SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)
_LANGUAGE = re.compile(r"[a-z]{2,3}")


def card_metadata(
    campaign: CampaignRecord, dataset: Dataset, tables: Iterable[Table], sheet: Datasheet
) -> dict[str, Any]:
    """The front matter of the dataset card."""
    return {
        "pretty_name": " ".join(campaign.title.split()),
        **_annotators(sheet),
        **_licence(campaign.licence),
        **_language(campaign.language),
        "task_categories": ["question-answering"],
        "size_categories": [_size_category(len(dataset.items))],
        **load_instructions(tables, "parquet"),
    }


def load_instructions(
    tables: Iterable[Table], suffix: Literal["parquet", "jsonl"]
) -> dict[str, Any]:
    """One configuration per table; the items are the default."""
    tables = tuple(tables)
    return {
        "configs": [_configuration(table, suffix) for table in tables],
        "dataset_info": [
            {
                "config_name": table.name,
                "features": [_feature(column, table.labels) for column in table.columns],
            }
            for table in tables
        ],
    }


def front_matter(metadata: dict[str, Any]) -> str:
    text = yaml.safe_dump(metadata, allow_unicode=True, sort_keys=False, width=100)
    return f"---\n{text}---\n"


def _configuration(table: Table, suffix: str) -> dict[str, Any]:
    files = [{"split": split, "path": f"{table.name}/{split}.{suffix}"} for split in table.sizes]
    default = {"default": True} if table.name == "items" else {}
    return {"config_name": table.name, **default, "data_files": files}


def _feature(column: Column, labels: tuple[str, ...]) -> dict[str, Any]:
    if column.kind == "texts":
        return {"name": column.name, "list": "string"}
    if column.kind in _PER_LABEL:
        values = [{"name": label, "dtype": _PER_LABEL[column.kind]} for label in labels]
        return {"name": column.name, "struct": values}
    if column.kind == "label":
        names = {str(index): label for index, label in enumerate(labels)}
        return {"name": column.name, "dtype": {"class_label": {"names": names}}}
    return {"name": column.name, "dtype": _TYPES[column.kind]}


def _annotators(sheet: Datasheet) -> dict[str, list[str]]:
    """What kind of people rated: as was stated, or where all came from a crowd service."""
    stated = sheet.answers.get(ANNOTATORS, "").strip()
    people = sheet.platform["people"]
    if stated not in QUESTION_OF[ANNOTATORS].choices:
        stated = ""
    if not stated and people and people["entries"] == {"crowd": people["raters"]}:
        stated = "crowdsourced"
    return {"annotations_creators": [stated]} if stated else {}


def _licence(name: str) -> dict[str, str]:
    """The hub knows licences by names of its own; any other is named beside it."""
    if known := licence_named(name):
        return {"license": known.hub}
    return {"license": "other", "license_name": name, "license_link": LICENCE}


def _language(tag: str) -> dict[str, list[str]]:
    """The hub wants ISO 639, with the whole tag of BCP 47 beside it; any other name is left out."""
    code = tag.split("-")[0].lower()
    if not _LANGUAGE.fullmatch(code):
        return {}
    return {"language": [code], **({"language_bcp47": [tag]} if "-" in tag else {})}


def _size_category(items: int) -> str:
    return next((name for limit, name in _SIZES if items < limit), "n>10M")
