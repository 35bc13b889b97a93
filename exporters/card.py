"""A release's README, as the hub shows it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from exporters.card_parts import (
    card_metadata,
    citation_section,
    documentation_section,
    format_sections,
    front_matter,
    imported_raters_paragraph,
    selection_paragraph,
    set_aside_paragraph,
    split_paragraphs,
    wordings_paragraph,
)
from exporters.planned_release import PlannedRelease
from tomahto.charts.table_text import escaped, typed
from tomahto.releases.dataset.dataset import Dataset, Terms
from tomahto.releases.dataset.labels import LabelChoice, decimals_of
from tomahto.releases.documents.datasheet import Datasheet
from tomahto.releases.documents.fact_sentences import number_of
from tomahto.releases.documents.release_tables import EXACT_BY
from tomahto.releases.figures.figures import DAWID_SKENE, Figures
from tomahto.releases.files.tables import Table
from tomahto.releases.records.records import CampaignRecord
from tomahto.releases.stored.manifest import Manifest
from tomahto.reliability.statistics import IN_DOCUMENTS, what_was_drawn
from tomahto.text.normalisation import is_exact
from tomahto.votes.dawid_skene import DawidSkene


def dataset_card(
    planned: PlannedRelease, tables: Iterable[Table], figures: Figures, sheet: Datasheet
) -> str:
    """README.md of the release: front matter and page."""
    campaign, dataset, manifest = planned.campaign, planned.dataset, planned.manifest
    sections = (
        _heading(campaign),
        _protocol(campaign, dataset, figures.agreement["whole"]),
        *imported_raters_paragraph(manifest),
        *set_aside_paragraph(dataset.ratings),
        *wordings_paragraph(dataset.ratings),
        _opinions(dataset, figures.statistics["adjudication"]),
        _splits(dataset.terms, figures),
        _omissions(manifest, planned.items_left_out, planned.answers_left_out),
        *_systems(dataset, figures.statistics),
        *_comments(manifest),
        _agreement(figures.agreement),
        *(_columns(table) for table in tables),
        *format_sections(manifest.formats),
        documentation_section(sheet),
        citation_section(sheet),
        _provenance(manifest, tables),
    )
    metadata = card_metadata(campaign, dataset, tables, sheet)
    return front_matter(metadata) + "\n" + "\n\n".join(sections) + "\n"


def _heading(campaign: CampaignRecord) -> str:
    title = f"# {escaped(campaign.title)}"
    return f"{title}\n\n{typed(campaign.description)}" if campaign.description else title


def _protocol(campaign: CampaignRecord, dataset: Dataset, agreement: Mapping[str, Any]) -> str:
    terms, ties = dataset.terms, agreement["ties"]
    chosen = dataset.items.label_counts(terms.scheme)
    rows = [(label, count, agreement["labels"][label]) for label, count in chosen.items()]
    guidelines = [f"`guidelines/v{guide.version}.md`" for guide in campaign.guidelines]
    shown = f" Raters worked by {', '.join(guidelines)}." if guidelines else ""
    return (
        "## Labels\n"
        "\n"
        f"Raters answered the protocol `{campaign.protocol}` "
        f"({', '.join(campaign.question_keys)}).{shown}\n"
        "\n"
        f"{_markdown_table(('label', 'items', 'ratings'), rows)}\n"
        "\n"
        f"{_CHOICES[terms.choice]} {number_of(ties, 'item')} had no label that most of its counted "
        "ratings have: `tie` is true, `tied_labels` are those in first place, and "
        f"`majority_label` is one of them, drawn by the SHA-256 of the seed {terms.seed} and the "
        "item's id. `label_source` gives the source of every item's label.\n"
        "\n"
        "Items are counted by `label` here and in `splits.json`, also where it was drawn. The "
        "shares of labels by system and by type of question in `tables/` leave drawn labels out."
    )


_CHOICES: Mapping[LabelChoice, str] = {
    "majority": "`label` is the label of most of an item's counted ratings.",
    "adjudicated": "`label` is the decision of an item's adjudicators; without one, or if they "
    "differ, it is the label of most of its counted ratings.",
    "dawid-skene": "`label` is the most probable label under the model of Dawid and Skene.",
}


def _opinions(dataset: Dataset, decisions: Mapping[str, int]) -> str:
    """Labels that a user may put in the place of the label."""
    paragraphs = [
        "## Other opinions on the labels",
        _confidence(len(dataset.terms.scheme.labels)),
        _estimate(dataset.estimate),
    ]
    if dataset.adjudications:
        paragraphs.append(_adjudication(decisions))
    return "\n\n".join(paragraphs)


def _confidence(labels: int) -> str:
    return (
        "Every item has its votes, from which soft labels can be made. `confidence` is how sure "
        "`majority_label` is: the posterior mean of its share under a symmetric Dirichlet prior "
        f"over the {labels} labels that weighs as much as one vote."
    )


def _estimate(estimate: DawidSkene) -> str:
    state = "converged" if estimate.is_converged else "did not converge"
    return (
        "The columns `dawid_skene_…` are a second opinion, which weighs raters by their errors:"
        " the model of Dawid and Skene (1979), fitted to the counted ratings of this release by EM"
        f" ({number_of(estimate.iterations, 'iteration')}, {state}; every cell of a rater's matrix"
        f" has {estimate.smoothing} ratings in advance). `{DAWID_SKENE}` has how frequent each"
        f" label is and each rater's confusion matrix. Its probabilities have"
        f" {number_of(decimals_of(estimate), 'decimal')}."
    )


def _adjudication(counts: Mapping[str, int]) -> str:
    return (
        f"`adjudications/` has {number_of(counts['decisions'], 'decision')} of adjudicators on "
        f"{number_of(counts['items'], 'item')}. `adjudicated_label` is the decision of all "
        f"adjudicators of an item; on {number_of(counts['differing'], 'item')} they differ and it "
        "is null. Decisions are not votes; the agreement of adjudicators is in `agreement.json` "
        "under `adjudication`."
    )


def _splits(terms: Terms, figures: Figures) -> str:
    sizes = figures.statistics["sizes"]
    columns = ("documents", "questions", "candidates", "items", "ratings", "surplus_ratings")
    parts = {**sizes["splits"], "total": sizes["total"]}
    rows = [(name, *(part[column] for column in columns)) for name, part in parts.items()]
    return (
        "## Splits\n\n"
        f"{split_paragraphs(terms.spec, terms.seed, figures.splits)}\n\n"
        f"{_markdown_table(('split', *(name.replace('_', ' ') for name in columns)), rows)}\n\n"
        "Surplus ratings were given but are not counted; no label rests on them."
    )


def _omissions(manifest: Manifest, items: int, answers: int) -> str:
    """`items` and `answers` are left out because no split names theirs."""
    terms, unrated = manifest.terms, manifest.items_without_ratings
    named = "of no system that a split names"
    if terms.spec.by == "predefined":
        named = "in no split of their source that is named"
    unnamed = f" So are the {number_of(items, 'item')} {named}."
    selected = " that was selected" if terms.selection.filters else ""
    without = (
        f"{number_of(unrated, 'item')} of the campaign had no counted rating{selected} and"
        f" {_are(unrated)} left out.{unnamed if items else ''}"
    )
    chosen = selection_paragraph(terms.selection, manifest.left_out)
    apart = f"{number_of(answers, 'answer')} {named} {_are(answers)} left out as well."
    paragraphs = ("## Left out", without, apart if answers else "", chosen)
    return "\n\n".join(filter(None, paragraphs))


def _systems(dataset: Dataset, statistics: Mapping[str, Any]) -> Iterator[str]:
    """Best first, as the page *Systems* of the campaign has them."""
    if not (systems := statistics.get("systems")):
        return
    rule, has_accuracy = dataset.terms.exact_rule, "accuracy" in systems[0]
    shown = ("right, with exact answers", "right, without") if has_accuracy else ()
    keys = ("with_exact_matches", "candidates") if has_accuracy else ()
    rows = [
        (
            each["system"],
            *each["answers"].values(),
            *(_with_interval(each["accuracy"][key]) for key in keys),
        )
        for each in systems
    ]
    yield (
        "## Systems\n"
        "\n"
        "`answers/` has every answer of every system and how it was settled: `exact` if it is one "
        f"of the references {EXACT_BY[rule]} (the rule `{rule}`), which is right and was never "
        "rated; `rated` if all of its items are here, with counted ratings; else "
        f"`not-rated`.{_settled_otherwise(dataset)} To compare systems, use all of them: the rated "
        "ones alone are the harder ones of each system.\n"
        "\n"
        f"{_markdown_table(('system', 'exact', 'rated', 'not rated', *shown), rows)}"
    )
    if has_accuracy:
        yield (
            "An answer is right if it is exact or if the majority label of one of its items "
            "accepts the candidate; empty answers are wrong. Other answers that are not rated, or "
            "that a tie leaves open, are taken to be like those that are rated. Answers to "
            "questions without a right answer are left out. Brackets hold 95 % intervals; "
            "`statistics.json` has all figures under `systems`."
        )


def _settled_otherwise(dataset: Dataset) -> str:
    """The number of exact answers that are none of the references by the release's own rule."""
    others = sum(
        answer.settled == "exact"
        and not is_exact(answer.candidate, answer.question.references, dataset.terms.exact_rule)
        for answer in dataset.answers
    )
    return f" {number_of(others, 'answer')} came in as `exact` by another rule." if others else ""


def _comments(manifest: Manifest) -> Iterator[str]:
    if not manifest.terms.has_comments:
        return
    text = "## Comments\n\nThe raters' comments are in the column `comment` of the ratings."
    if confirmed := manifest.personal_data:
        text += (
            f" {number_of(confirmed.comments, 'comment')} may hold personal data, released because:"
            f" {escaped(confirmed.reason)}"
        )
    yield text


def _agreement(agreement: Mapping[str, Any]) -> str:
    parts = {"all": agreement["whole"], **agreement["splits"]}
    rows = [(name, *_agreement_cells(part)) for name, part in parts.items()]
    headings = (each.card_heading or each.heading for each in IN_DOCUMENTS)
    header = ("split", "items with two or more ratings", *headings)
    alpha = agreement["whole"]["alpha"]
    drawn = what_was_drawn(parts.values())
    symbols = [each.symbol or each.heading for each in IN_DOCUMENTS if each.has_interval]
    *others, last = "it", *symbols[1:]
    return (
        "## Agreement\n\n"
        f"α is {alpha['level']}; {', '.join(others)} and {last} have 95 % intervals from a"
        f" bootstrap over {drawn} (seed {alpha['seed']}). All figures are in `agreement.json`.\n\n"
        f"{_markdown_table(header, rows)}"
    )


def _agreement_cells(part: Mapping[str, Any]) -> tuple[object, ...]:
    several = sum(items for n, items in part["ratings_per_item"].items() if n != "1")
    return (several, *(_with_interval(each.read(part), each.is_share) for each in IN_DOCUMENTS))


def _with_interval(estimate: Mapping[str, Any], is_share: bool = False) -> str:
    """The value with its interval, if it is one of those that have any."""
    if estimate["value"] is None:
        return f"undefined: {estimate['reason']}"
    number = _percent if is_share else "{:.3f}".format
    value = number(estimate["value"])
    if "low" not in estimate:
        return value
    if estimate["low"] is None:
        return f"{value} (no interval: {estimate['reason']})"
    return f"{value} ({number(estimate['low'])} to {number(estimate['high'])})"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _columns(table: Table) -> str:
    rows = [
        (f"`{column.name}`", column.meaning, "yes" if column.optional else "")
        for column in table.columns
    ]
    header = ("column", "meaning", "may be null")
    return f"## Columns of {table.name}\n\n{_table(header, rows)}"


def _provenance(manifest: Manifest, tables: Iterable[Table]) -> str:
    return (
        "## Version\n"
        "\n"
        f"Version {manifest.version} of the campaign `{manifest.campaign}`, made on "
        f"{manifest.published} with {manifest.software}. Digest of the content: "
        f"`{manifest.digest}`. `sha256sum --check SHA256SUMS` checks every file.\n"
        "\n"
        f"{_folders(tables)} are Parquet, `jsonl/` has the same rows byte for byte as they were "
        "entered, and `csv/` is for spreadsheets: there an apostrophe precedes every cell that "
        "could be taken for a formula."
    )


def _folders(tables: Iterable[Table]) -> str:
    *others, last = (f"`{table.name}/`" for table in tables)
    return f"{', '.join(others)} and {last}"


def _markdown_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return _table(header, ([escaped(str(cell)) for cell in row] for row in rows))


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Of cells that are Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
