"""Parts of the dataset card: what `datasets` and the Hugging Face hub read at the top of a README,
and what is said of splits, selection, raters, formats, datasheet, citation and licence.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import yaml

from tomahto.charts.table_text import code, escaped
from tomahto.releases.dataset.choices import LeftOut, Selection, format_split_spec
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.documents.citation import CITATION, LICENCE, bibtex, licence_named
from tomahto.releases.documents.datasheet import (
    ANNOTATORS,
    DATASHEET,
    DATASHEET_PAGE,
    QUESTION_OF,
    Datasheet,
)
from tomahto.releases.documents.fact_sentences import counted, number_of
from tomahto.releases.files.tables import Table
from tomahto.releases.formats.formats import FORMATS
from tomahto.releases.records.columns import Column, Kind
from tomahto.releases.records.ratings import Ratings
from tomahto.releases.records.records import CampaignRecord, SplitSpec
from tomahto.releases.stored.manifest import Manifest


def split_paragraphs(spec: SplitSpec, seed: int, report: Mapping[str, Any]) -> str:
    """The split and its result; `report` is that of `split_report`."""
    return (
        f"Split by {code(format_split_spec(spec))} with the seed {seed}: {_sides(spec, report)}\n\n"
        f"{_labels(spec, report)} The whole report is `splits.json`."
    )


def _sides(spec: SplitSpec, report: Mapping[str, Any]) -> str:
    if spec.by == "predefined":
        return _predefined(report)
    return _by_system(spec, report) if spec.by == "system" else _whole_documents(spec, report)


def _predefined(report: Mapping[str, Any]) -> str:
    near, parted = report["near_duplicates"], len(report["parted_documents"])
    return (
        "every item is in the split of its question in the source, whatever that leaves on two "
        f"sides. Of {report['documents']} documents {parted} are in several splits. Groups of "
        f"near-duplicate questions (token Jaccard of {near['threshold']} or more): "
        f"{near['groups']}, of which {len(report['leaks'])} are on two sides."
    )


def _whole_documents(spec: SplitSpec, report: Mapping[str, Any]) -> str:
    shares = "all folds have equal shares" if spec.by == "folds" else "the shares are"
    rest = _kept(report) if spec.kept else ""
    near, leaks = report["near_duplicates"], len(report["leaks"])
    kept = (
        f"**{leaks} of them are on two sides**, since {_unmoved(spec)} not move"
        if leaks
        else "no document and no such group is on two sides"
    )
    return (
        f"{rest}{shares} of items, and all items of a document are in one split."
        f" {report['documents']} documents make {report['groups']} groups that stay together, the"
        f" largest of {report['largest_group']['items']} items. Groups of near-duplicate questions"
        f" (token Jaccard of {near['threshold']} or more): {near['groups']}, of which"
        f" {len(near['across_documents'])} are asked of several documents; {kept}."
    )


def _kept(report: Mapping[str, Any]) -> str:
    kept = " and ".join(f"`{name}` ({count} documents)" for name, count in report["kept"].items())
    parted = len(report["parted_documents"])
    also = f" **{parted} documents are also in another split.**" if parted else ""
    return f"kept as in the source: {kept}; the rest is divided.{also} Of the rest, "


def _unmoved(spec: SplitSpec) -> str:
    released = "documents that were released do"
    return f"documents in a kept split and {released}" if spec.kept else released


def _by_system(spec: SplitSpec, report: Mapping[str, Any]) -> str:
    systems = "; ".join(
        f"{name}: {', '.join(map(escaped, found))}" for name, found in spec.systems.items()
    )
    return (
        f"a split has the items of its systems ({systems}). An item of several systems is in each"
        f" of their splits: {report['items_in_several_splits']} items are in several, and"
        f" {report['documents_in_several_splits']} documents."
    )


def _labels(spec: SplitSpec, report: Mapping[str, Any]) -> str:
    found = report["largest_label_deviation"]
    text = (
        f"The labels of a split are furthest from those of all splits together in {found['split']}:"
        f" {100 * found['share']:.1f} % of its items are `{found['label']}`,"
        f" {100 * found['share_of_all']:.1f} % of all."
    )
    if not spec.stratified:
        return text
    missed = [f"`{each['label']}` in {each['split']}" for each in report["not_reached"]]
    limit = f" Documents that stay whole did not allow the share of {', '.join(missed)}."
    return f"Labels were stratified. {text}{limit if missed else ''}"


def selection_paragraph(selection: Selection, left_out: LeftOut) -> str:
    """One point for each filter that is on; "" if none is."""
    if not selection.filters:
        return ""
    points = "\n".join(
        f"- {_meaning(name, selection)}: {_amount(name, left_out)}" for name in selection.filters
    )
    return (
        f"Left out on purpose: {number_of(left_out.ratings, 'rating')} in all; a rating with "
        "several reasons is counted with each of them below. Surplus ratings stay surplus even "
        "where a counted one was left out.\n"
        "\n"
        f"{points}"
    )


def _meaning(name: str, selection: Selection) -> str:
    versions = ", ".join(map(str, selection.guideline_versions))
    return {
        "without_controls": "items that repeat a control item, whose answer is known",
        "without_deactivated": "ratings of raters who are deactivated",
        "guideline_versions": f"ratings under no guideline of version {versions}",
        "consented_only": "ratings of raters who have not agreed to a consent text",
    }[name]


def _amount(name: str, left_out: LeftOut) -> str:
    ratings = number_of(left_out.by_filter[name], "rating")
    items = f"{number_of(left_out.items, 'item')} with "
    return f"{items}{ratings}" if name == "without_controls" else ratings


def imported_raters_paragraph(manifest: Manifest) -> Iterator[str]:
    if number := len(manifest.imported_raters):
        yield (
            f"Of the raters and adjudicators, {number} had no account: their judgements were "
            "imported from files, and `imported_raters` in `manifest.json` has their pseudonyms."
        )


def set_aside_paragraph(ratings: Ratings) -> Iterator[str]:
    rows = ratings.rows[ratings.rows["is_set_aside"]]
    if number := len(rows):
        raters = number_of(len({*rows["rater"].tolist()}), "rater")
        yield (
            f"An admin of the campaign has set aside {number_of(number, 'rating')} by {raters},"
            " with a reason that stays inside the platform. They are not counted and not among the"
            " surplus ratings; the column `set_aside` of the ratings says which they are."
        )


def wordings_paragraph(ratings: Ratings) -> Iterator[str]:
    counts = Counter(ratings.values("wording"))
    published = counts.pop("", 0)
    if counts:
        others = " and ".join(
            f"{number_of(number, 'rating')} in `{name}`" for name, number in sorted(counts.items())
        )
        yield (
            f"Raters gave {number_of(published, 'rating')} in the published words of the form and"
            f" {others}, a translation of them by language and version: the column `wording` of the"
            " ratings says which. Figures of agreement are comparable with published ones as far as"
            " raters were asked in the same words."
        )


def format_sections(names: Sequence[str]) -> Iterator[str]:
    """One section on the further formats of these names; none if there are none."""
    if names:
        lines = [f"- `{FORMATS[name].folder}/`: {FORMATS[name].meaning}." for name in names]
        yield "\n".join(["## Further formats", "", *lines])


def documentation_section(sheet: Datasheet) -> str:
    """Further pages, and the blank part of the datasheet."""
    blanks = sheet.blanks
    left = (
        f" {counted(len(blanks), 'question')} that only the people behind the dataset can answer"
        f" {'is' if len(blanks) == 1 else 'are'} not answered there:"
        f" {', '.join(f'`{key}`' for key in blanks)}."
        if blanks
        else ""
    )
    return (
        "## Datasheet, tables and figures\n\n"
        f"[`{DATASHEET_PAGE}`]({DATASHEET_PAGE}) (for programs `{DATASHEET}`) says who rated, when,"
        f" how long, and under which conditions, as far as that is known.{left}\n\n"
        "`tables/` has sizes, labels by system, the histogram of F1 and agreement as Markdown,"
        " LaTeX and CSV; `figures/` has figures as SVG, PNG and PDF. All of their numbers are"
        " those of `statistics.json` and `agreement.json`."
    )


def citation_section(sheet: Datasheet) -> str:
    """BibTeX if there are authors, and the licence."""
    licence = f"The licence is in [`{LICENCE}`]({LICENCE})."
    if not sheet.authors:
        return f"## Citation and licence\n\nNo citation is stated. {licence}"
    entry = bibtex(sheet.heading, sheet.authors)
    return (
        "## Citation and licence\n\n"
        f"```bibtex\n{entry}```\n\n`{CITATION}` has the same for programs. {licence}"
    )


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
        "size_categories": [
            next((name for limit, name in _SIZES if len(dataset.items) < limit), "n>10M")
        ],
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
    """The people who rated: as was stated, or where all came from a crowd service."""
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
