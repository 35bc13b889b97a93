"""Croissant metadata of a release (MLCommons Croissant format specification, version 1.0)."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tomahto.releases.documents.citation import Author, Heading, bibtex, licence_named
from tomahto.releases.files.folder import FileEntry
from tomahto.releases.files.tables import Table
from tomahto.releases.files.text_files import json_document
from tomahto.releases.records.columns import Column, Kind
from tomahto.releases.records.records import CampaignRecord

_TYPES: dict[Kind, str] = {
    "text": "sc:Text",
    "texts": "sc:Text",
    "label": "sc:Text",
    "flag": "sc:Boolean",
    "integer": "sc:Integer",
    "number": "sc:Float",
    "time": "sc:DateTime",
    "votes": "sc:Integer",
    "shares": "sc:Float",
}
_PER_LABEL: dict[Kind, str] = {
    "votes": "Number of counted ratings with the label {}",
    "shares": "Probability of the label {}",
}
# Terms of the Croissant vocabulary, as its specification prescribes the context.
_PLAIN_TERMS = (
    "citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject",
    "fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField",
    "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate",
    "separator", "source", "subField", "transform",
)  # fmt: skip


def _context() -> dict[str, Any]:
    return {
        "@language": "en",
        "@vocab": "https://schema.org/",
        "cr": "http://mlcommons.org/croissant/",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "dct": "http://purl.org/dc/terms/",
        "sc": "https://schema.org/",
        "conformsTo": "dct:conformsTo",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "examples": {"@id": "cr:examples", "@type": "@json"},
        **{term: f"cr:{term}" for term in _PLAIN_TERMS},
    }


def croissant(
    campaign: CampaignRecord,
    heading: Heading,
    tables: Iterable[Table],
    files: Iterable[FileEntry],
    authors: Sequence[Author] = (),
) -> str:
    """The metadata as JSON-LD: one record set for each Parquet file among `files`.

    Says nothing of an address, which only the publisher knows, and of creators and citation only
    if there are authors.
    """
    parquet = {file.path: file for file in files if file.path.endswith(".parquet")}
    parts = [(table, split) for table in tables for split in table.sizes]
    metadata = {
        "@context": _context(),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": heading.campaign,
        **croissant_heading(campaign),
        "version": heading.version,
        "datePublished": heading.published.isoformat(),
        **(
            {"creator": list(map(_creator, authors)), "citeAs": bibtex(heading, authors)}
            if authors
            else {}
        ),
        "distribution": [_file_object(parquet[f"{t.name}/{split}.parquet"]) for t, split in parts],
        "recordSet": [_record_set(table, split) for table, split in parts],
    }
    return json_document(metadata)


def croissant_heading(campaign: CampaignRecord) -> dict[str, str]:
    """The metadata of the campaign itself."""
    licence = licence_named(campaign.licence)
    return {
        "description": campaign.description or campaign.title,
        "license": licence.url if licence else campaign.licence,
        "inLanguage": campaign.language,
    }


def _creator(author: Author) -> dict[str, str]:
    orcid = {"sameAs": f"https://orcid.org/{author.orcid}"} if author.orcid else {}
    if not author.given:
        return {"@type": "sc:Organization", "name": author.name, **orcid}
    return {"@type": "sc:Person", "name": f"{author.given} {author.name}", **orcid}


def _file_object(file: FileEntry) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "contentUrl": file.path,
        "contentSize": f"{file.bytes} B",
        "encodingFormat": "application/x-parquet",
        "sha256": file.sha256,
    }


def _record_set(table: Table, split: str) -> dict[str, Any]:
    name = f"{table.name}-{split}"
    source = f"{table.name}/{split}.parquet"
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"The {table.name} of the split {split}",
        "field": [_field(name, source, column, table.labels) for column in table.columns],
    }


def _field(record_set: str, source: str, column: Column, labels: tuple[str, ...]) -> dict[str, Any]:
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{record_set}/{column.name}",
        "name": column.name,
        "description": column.meaning,
        "dataType": _TYPES[column.kind],
    }
    if column.kind in _PER_LABEL:
        return field | {"subField": list(_label_fields(field["@id"], source, column, labels))}
    if column.kind == "texts":
        field["repeated"] = True
    return field | {"source": _source(source, column)}


def _label_fields(
    parent: str, source: str, column: Column, labels: tuple[str, ...]
) -> Iterator[dict[str, Any]]:
    for label in labels:
        path = {"jsonPath": f"$.{json.dumps(label, ensure_ascii=False)}"}
        yield {
            "@type": "cr:Field",
            "@id": f"{parent}/{label}",
            "name": label,
            "description": _PER_LABEL[column.kind].format(label),
            "dataType": _TYPES[column.kind],
            "source": _source(source, column) | {"transform": path},
        }


def _source(source: str, column: Column) -> dict[str, Any]:
    return {"fileObject": {"@id": source}, "extract": {"column": column.name}}
