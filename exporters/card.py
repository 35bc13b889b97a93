"""The dataset card: a page that says what is known of a release, and nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from exporters.content import ReleaseContent
from exporters.dataset import Dataset
from exporters.hub_metadata import card_metadata, front_matter
from exporters.rows import Table
from exporters.splits import format_split_spec


@dataclass(frozen=True, slots=True)
class Figures:
    """What was computed of a release; `agreement` and `statistics` are the files so called."""

    digest: str
    agreement: Mapping[str, Any]
    statistics: Mapping[str, Any]


def dataset_card(
    content: ReleaseContent, dataset: Dataset, tables: Iterable[Table], figures: Figures
) -> str:
    """README.md of the release: front matter and page."""
    tables = tuple(tables)
    sections = (
        _heading(content),
        _protocol(content, dataset, figures.agreement["whole"]),
        _splits(content, figures.statistics["sizes"]),
        _omissions(content, dataset),
        _agreement(figures.agreement),
        *(_columns(table) for table in tables),
        _provenance(content, figures.digest),
    )
    metadata = card_metadata(content.campaign, dataset, tables)
    return front_matter(metadata) + "\n" + "\n\n".join(sections) + "\n"


def _heading(content: ReleaseContent) -> str:
    campaign = content.campaign
    title = f"# {' '.join(campaign.title.split())}"
    return f"{title}\n\n{campaign.description}" if campaign.description else title


def _protocol(content: ReleaseContent, dataset: Dataset, agreement: Mapping[str, Any]) -> str:
    campaign, ties = content.campaign, agreement["ties"]
    majority = _label_counts(dataset)
    rows = [
        (label, majority[label], agreement["labels"][label]) for label in campaign.scheme.labels
    ]
    guidelines = [f"`guidelines/v{guide.version}.md`" for guide in campaign.guidelines]
    shown = f" Raters worked by {', '.join(guidelines)}." if guidelines else ""
    return (
        "## Labels\n\n"
        f"Raters answered the protocol `{campaign.protocol}`"
        f" ({', '.join(campaign.question_keys)}).{shown}\n\n"
        f"{_markdown_table(('label', 'items', 'ratings'), rows)}\n\n"
        "An item has the label that most of its counted ratings have. "
        f"{_number(ties, 'item')} had no such label: one of the labels in first place was drawn"
        f" by the SHA-256 of the seed {content.seed} and the item's id, and `tie` is true."
    )


def _label_counts(dataset: Dataset) -> dict[str, int]:
    counts = dict.fromkeys(dataset.terms.scheme.labels, 0)
    for item in dataset.items:
        counts[item.label.label] += 1
    return counts


def _splits(content: ReleaseContent, sizes: Mapping[str, Any]) -> str:
    columns = ("documents", "questions", "candidates", "items", "ratings", "surplus_ratings")
    parts = {**sizes["splits"], "total": sizes["total"]}
    rows = [(name, *(part[column] for column in columns)) for name, part in parts.items()]
    return (
        "## Splits\n\n"
        f"Split by `{format_split_spec(content.spec)}` with the seed {content.seed}: the shares"
        " are of items, and all items of a document are in one split.\n\n"
        f"{_markdown_table(('split', *(name.replace('_', ' ') for name in columns)), rows)}\n\n"
        "Surplus ratings were given but are not counted; no label rests on them."
    )


def _omissions(content: ReleaseContent, dataset: Dataset) -> str:
    left_out = len(content.items) - len(dataset.items)
    return (
        "## What is not here\n\n"
        f"{_number(left_out, 'item')} of the campaign had no counted rating and"
        f" {'is' if left_out == 1 else 'are'} left out."
    )


def _agreement(agreement: Mapping[str, Any]) -> str:
    parts = {"all": agreement["whole"], **agreement["splits"]}
    rows = [(name, *_agreement_cells(part)) for name, part in parts.items()]
    header = (
        "split",
        "items with two or more ratings",
        "Krippendorff's α",
        "Gwet's AC1",
        "full agreement",
        "pairs agree, mean over items",
        "pairs agree, pooled",
    )
    alpha = agreement["whole"]["alpha"]
    return (
        "## Agreement\n\n"
        f"α is {alpha['level']}; it and AC1 have 95 % intervals from a bootstrap over items (seed"
        f" {alpha['seed']}). All figures are in `agreement.json`.\n\n"
        f"{_markdown_table(header, rows)}"
    )


def _agreement_cells(part: Mapping[str, Any]) -> tuple[object, ...]:
    several = sum(items for n, items in part["ratings_per_item"].items() if n != "1")
    pairs = part["pair_agreement"]
    return (
        several,
        _with_interval(part["alpha"]),
        _with_interval(part["ac1"]),
        _share(part["full_agreement"], part),
        _share(pairs["item_mean"], pairs),
        _share(pairs["pooled"], pairs),
    )


def _with_interval(estimate: Mapping[str, Any]) -> str:
    if estimate["value"] is None:
        return f"undefined: {estimate['reason']}"
    if estimate["low"] is None:
        return f"{estimate['value']:.3f} (no interval: {estimate['reason']})"
    return "{value:.3f} ({low:.3f} to {high:.3f})".format(**estimate)


def _share(value: float | None, part: Mapping[str, Any]) -> str:
    return f"undefined: {part['reason']}" if value is None else f"{100 * value:.1f} %"


def _columns(table: Table) -> str:
    rows = [
        (f"`{column.name}`", column.meaning, "yes" if column.optional else "")
        for column in table.columns
    ]
    return f"## Columns of {table.name}\n\n" + _markdown_table(("column", "", "may be null"), rows)


def _provenance(content: ReleaseContent, digest: str) -> str:
    created = content.created_at.astimezone(UTC)
    return (
        "## Version\n\n"
        f"Version {content.version} of the campaign `{content.campaign.slug}`, made on"
        f" {created:%Y-%m-%d} with {content.software}. Digest of the content: `{digest}`."
        " `sha256sum --check SHA256SUMS` checks every file.\n\n"
        "`items/` and `ratings/` are Parquet, `jsonl/` has the same rows byte for byte as they"
        " were entered, and `csv/` is for spreadsheets: there an apostrophe stands before every"
        " cell that could be taken for a formula."
    )


def _markdown_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def _cell(value: object) -> str:
    return " ".join(str(value).split()).replace("|", "\\|")


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
