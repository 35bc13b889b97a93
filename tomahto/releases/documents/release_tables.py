"""The tables of the papers, of a release's own data.

All numbers are those of its `statistics.json` and `agreement.json`; nothing is counted here.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tomahto.estimates.estimate import estimate_from_json
from tomahto.figures.table import Cell, Column, PaperTable
from tomahto.ranking.system_accuracy import REPLICATES

Figures = Mapping[str, Any]

MAX_PAIRS = 20
_UNITS = ("candidates", "items", "ratings")


def paper_tables(statistics: Figures, agreement: Figures) -> tuple[PaperTable, ...]:
    """The tables of one release; that of systems only where their answers are known, that of
    question types only where there are any, and that of pairs of raters only where two have rated
    the same item."""
    tables = [
        _sizes(statistics["sizes"]),
        _ratings_per_item(statistics["ratings_per_item"]["total"]),
        _sizes_by_system(statistics["sizes_by_system"], statistics["sizes"]["total"]),
        _labels_by_system(statistics["labels_by_system"], agreement["whole"]["labels"]),
        _f1_histogram(statistics["f1_histogram"]),
        _agreement(agreement),
    ]
    if systems := statistics.get("systems"):
        tables.append(_systems(systems))
    if kinds := statistics["labels_by_question_type"]:
        tables.append(_labels_by_question_type(kinds))
    if pairs := agreement["whole"]["kappa"]:
        tables.append(_kappa(pairs))
    return tuple(tables)


def _sizes(sizes: Figures) -> PaperTable:
    counts = ("documents", "questions", *_UNITS)
    parts = (*sizes["splits"].items(), ("Total", sizes["total"]))
    return PaperTable(
        key="sizes",
        title="Documents, questions, candidates, items and counted ratings of each split",
        columns=(
            Column("split", "Split", "text"),
            *(Column(name, name.capitalize()) for name in counts),
        ),
        rows=tuple((name, *(part[count] for count in counts)) for name, part in parts),
        notes=(
            (
                "A candidate is an answer to a question, an item a candidate with what it is"
                " compared with. What is in several splits counts in each and once in the total."
            ),
            _surplus(sizes["total"]["surplus_ratings"]),
        ),
        source="statistics.json, sizes; after Bulian et al. (2022), Tab. 2",
    )


def _surplus(ratings: int) -> str:
    return f"Ratings that were given but are not counted: {ratings:,}."


def _ratings_per_item(items_by_ratings: Mapping[str, int]) -> PaperTable:
    items = sum(items_by_ratings.values())
    return PaperTable(
        key="ratings_per_item",
        title="Items by their number of counted ratings",
        columns=(
            Column("ratings", "Ratings of the item"),
            Column("items", "Items"),
            Column("share", "Items", "percent"),
        ),
        rows=tuple(
            (int(ratings), count, count / items) for ratings, count in items_by_ratings.items()
        ),
        notes=(f"n = {items:,} items.",),
        source="statistics.json, ratings_per_item; after Bulian et al. (2022), section 3.5",
    )


def _sizes_by_system(systems: Mapping[str, Mapping[str, int]], total: Figures) -> PaperTable:
    parts = (*systems.items(), ("Total", total))
    return PaperTable(
        key="sizes_by_system",
        title="Candidates, items and counted ratings of each system",
        columns=(
            Column("system", "System", "text"),
            *(Column(name, name.capitalize()) for name in _UNITS),
        ),
        rows=tuple((name, *(part[unit] for unit in _UNITS)) for name, part in parts),
        notes=(
            (
                "Candidates that match a reference exactly are not rated and not here. Several"
                " systems may give the same candidate, so systems may add up to more than the"
                " total; an item of no system is in the total alone."
            ),
        ),
        source="statistics.json, sizes_by_system; after Bulian et al. (2022), Tab. 10",
    )


def _labels_by_system(systems: Figures, labels: Iterable[str]) -> PaperTable:
    """For `ae` the column of `equivalent` is the paper's; all labels have one."""
    return PaperTable(
        key="labels_by_system",
        title="Labels of the candidates, items and ratings of each system",
        columns=(
            Column("system", "System", "text"),
            Column("unit", "Of its", "text"),
            Column("n", "n"),
            *(Column(label, label, "percent") for label in labels),
        ),
        rows=tuple(
            (system, unit, *_shares(counts[unit]))
            for system, counts in systems.items()
            for unit in _UNITS
        ),
        notes=(
            (
                "n is the number of candidates, items or counted ratings. A candidate has the"
                " highest-ranking label of its items; ratings have each its own."
            ),
            "Answers that match a reference exactly are not counted.",
        ),
        source="statistics.json, labels_by_system; after Bulian et al. (2022), Tab. 11",
    )


_ACCURACIES = {
    "with_exact_matches": "Right, with exact matches",
    "candidates": "Right, without exact matches",
    "items": "Right items",
}


_HOW_RIGHT = (
    "Right by the majority of the counted ratings, whatever the release's labels are. In brackets"
    f" 95 % percentile intervals of a bootstrap with {REPLICATES:,} replicates and the release's"
    " seed."
)


def _systems(systems: Sequence[Figures]) -> PaperTable:
    """The best system first; accuracies where a label means that a candidate is right."""
    shown = _ACCURACIES if "accuracy" in systems[0] else {}
    return PaperTable(
        key="systems",
        title="Answers of each system, and how good they are",
        columns=(
            Column("system", "System", "text"),
            Column("exact", "Exact answers"),
            Column("rated", "Rated"),
            Column("not_rated", "Not rated"),
            *(Column(key, title, "percent") for key, title in shown.items()),
        ),
        rows=tuple(
            (
                each["system"],
                *each["answers"].values(),
                *(estimate_from_json(each["accuracy"][key]) for key in shown),
            )
            for each in systems
        ),
        notes=(
            (
                "An exact answer is one of its references in normal form: right, and never rated."
                " An answer is rated if all of its items are. An empty answer is wrong without"
                " being rated, and answers to questions that have no right one are in no share. All"
                " others that are not rated, or that a tie leaves open, are taken to be like those"
                " that are."
            ),
            *([_HOW_RIGHT] if shown else []),
        ),
        source="statistics.json, systems; after Bulian et al. (2022), Tab. 11",
    )


def _labels_by_question_type(kinds: Mapping[str, Mapping[str, int]]) -> PaperTable:
    labels = next(iter(kinds.values()))
    return PaperTable(
        key="labels_by_question_type",
        title="Labels of the items of each type of question",
        columns=(
            Column("question_type", "Type of question", "text"),
            Column("n", "n"),
            *(Column(label, label, "percent") for label in labels),
        ),
        rows=tuple((kind, *_shares(counts)) for kind, counts in kinds.items()),
        notes=("n is the number of items; those of no named type are left out.",),
        source="statistics.json, labels_by_question_type; after CAP, Tab. 15",
    )


def _shares(counts: Mapping[str, int]) -> tuple[Cell, ...]:
    """n and the share of each label. Every system and type has an item, and every item a rating."""
    n = sum(counts.values())
    return (n, *(count / n for count in counts.values()))


def _f1_histogram(histogram: Figures) -> PaperTable:
    labels, edges = histogram["labels"], histogram["edges"]
    last = len(edges) - 2
    items = sum(map(sum, labels.values()))
    return PaperTable(
        key="f1_histogram",
        title="Items by token F1 of candidate and reference, and by label",
        columns=(
            Column("f1", "F1", "text"),
            *(Column(label, label) for label in labels),
        ),
        rows=tuple(
            (
                f"{edges[place]:.1f} to {'' if place == last else 'below '}{edges[place + 1]:.1f}",
                *(bars[place] for bars in labels.values()),
            )
            for place in range(last + 1)
        ),
        notes=(
            (
                f"n = {items:,} items. F1 is against the best of an item's references; items"
                " without a reference have none and are left out:"
                f" {histogram['without_references']:,}."
            ),
        ),
        source="statistics.json, f1_histogram; after Bulian et al. (2022), Fig. 1",
    )


def _agreement(agreement: Figures) -> PaperTable:
    parts = (("All", agreement["whole"]), *agreement["splits"].items())
    alpha = agreement["whole"]["alpha"]
    return PaperTable(
        key="agreement",
        title="Agreement of raters on the label",
        columns=(
            Column("split", "Split", "text"),
            Column("items", "n"),
            Column("alpha", "Krippendorff's α", "number"),
            Column("alpha_low", "from", "number"),
            Column("alpha_high", "to", "number"),
            Column("ac1", "Gwet's AC1", "number"),
            Column("ac1_low", "from", "number"),
            Column("ac1_high", "to", "number"),
            Column("full_agreement", "Full agreement", "percent"),
            Column("pair_agreement_item_mean", "Pairs, mean over items", "percent"),
            Column("pair_agreement_pooled", "Pairs, pooled", "percent"),
        ),
        rows=tuple((name, *_agreement_cells(part)) for name, part in parts),
        notes=(
            (
                f"n is the number of items with two or more counted ratings. α is {alpha['level']};"
                " from and to bound 95 % intervals of a bootstrap over items (seed"
                f" {alpha['seed']}). Full agreement is the share of these items on which all raters"
                " agree, pairs the share of pairs of ratings of an item that do."
            ),
        ),
        reasons=_reasons(
            place
            for _name, part in parts
            for place in (part["alpha"], part["ac1"], part, part["pair_agreement"])
        ),
        source="agreement.json; after Bulian et al. (2022), section 3.5, and CAP, Tab. 7",
    )


def _agreement_cells(part: Figures) -> tuple[Cell, ...]:
    several = sum(items for n, items in part["ratings_per_item"].items() if n != "1")
    alpha, ac1, pairs = part["alpha"], part["ac1"], part["pair_agreement"]
    return (
        several,
        *(alpha["value"], alpha["low"], alpha["high"]),
        *(ac1["value"], ac1["low"], ac1["high"]),
        part["full_agreement"],
        *(pairs["item_mean"], pairs["pooled"]),
    )


def _kappa(pairs: Iterable[Figures]) -> PaperTable:
    """The pairs with most items in common; all of them would fill pages."""
    ranked = sorted(pairs, key=lambda pair: (-pair["items"], pair["raters"]))
    kinds = ("unweighted", "linear", "quadratic")
    return PaperTable(
        key="kappa",
        title="Cohen's κ of pairs of raters",
        columns=(
            Column("first", "Rater", "text"),
            Column("second", "and rater", "text"),
            Column("items", "n"),
            *(Column(kind, f"κ, {kind}", "number") for kind in kinds),
        ),
        rows=tuple(
            (*pair["raters"], pair["items"], *(pair[kind] for kind in kinds))
            for pair in ranked[:MAX_PAIRS]
        ),
        notes=(
            (
                "n is the number of items both have rated. Weighted κ takes the distance of the"
                " labels' ranks."
            ),
            (
                f"Pairs with an item in common: {len(ranked):,}; here are those with the most, at"
                f" most {MAX_PAIRS}, and all in agreement.json."
            ),
        ),
        reasons=_reasons(ranked[:MAX_PAIRS]),
        source="agreement.json, kappa; after CAP, Tab. 7",
    )


def _reasons(places: Iterable[Figures]) -> tuple[str, ...]:
    """Every reason once, in the order they come in."""
    return tuple(dict.fromkeys(place["reason"] for place in places if "reason" in place))
