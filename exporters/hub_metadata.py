"""What the `datasets` library and the Hugging Face hub read at the top of a README."""

import re
from collections.abc import Iterable
from typing import Any, Literal

import yaml

from exporters.columns import Column, Kind
from exporters.dataset import Dataset
from exporters.records import CampaignRecord
from exporters.rows import Table

_TYPES: dict[Kind, str] = {
    "text": "string",
    "flag": "bool",
    "integer": "int32",
    "number": "float64",
    "time": "timestamp[us, tz=UTC]",
}
_SIZES = (
    (1_000, "n<1K"),
    (10_000, "1K<n<10K"),
    (100_000, "10K<n<100K"),
    (1_000_000, "100K<n<1M"),
    (10_000_000, "1M<n<10M"),
)
_LICENCE_NAME = re.compile(r"[a-z0-9][a-z0-9.-]*")


def card_metadata(
    campaign: CampaignRecord, dataset: Dataset, tables: Iterable[Table]
) -> dict[str, Any]:
    """The front matter of the dataset card."""
    return {
        "pretty_name": " ".join(campaign.title.split()),
        **_licence(campaign.licence),
        "language": [campaign.language],
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
    if column.kind == "votes":
        counts = [{"name": label, "dtype": "int32"} for label in labels]
        return {"name": column.name, "struct": counts}
    if column.kind == "label":
        names = {str(index): label for index, label in enumerate(labels)}
        return {"name": column.name, "dtype": {"class_label": {"names": names}}}
    return {"name": column.name, "dtype": _TYPES[column.kind]}


def _licence(licence: str) -> dict[str, str]:
    """The hub knows licences by short names in small letters; any other is named beside it."""
    if _LICENCE_NAME.fullmatch(licence.lower()):
        return {"license": licence.lower()}
    return {"license": "other", "license_name": licence}


def _size_category(items: int) -> str:
    return next((name for limit, name in _SIZES if items < limit), "n>10M")
