"""The tables of the papers, of a release's own data.

All numbers are those of its `statistics.json` and `agreement.json`; nothing is counted here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, TypeAlias

from tomahto.charts.rows import Shown, count, number, percent, table_of, text
from tomahto.charts.table import PaperTable
from tomahto.estimates.estimate import estimate_from_json
from tomahto.ranking.system_accuracy import REPLICATES
from tomahto.reliability.statistics import IN_DOCUMENTS, Statistic, what_was_drawn
from tomahto.text.normalisation import ExactRule

Figures = Mapping[str, Any]
Labelled: TypeAlias = tuple[Mapping[str, int], *tuple[str, ...]]
"""The number of items or votes with each label, and whose they are."""

EXACT_BY: Mapping[ExactRule, str] = {
    ExactRule.STRICT: "but for case, quotation marks, articles and final punctuation",
    ExactRule.SQUAD: "in normal form",  # as earlier releases have it, which are compared by bytes
}
"""The rules for exact answers, as captions word them."""
MAX_PAIRS = 20
_UNITS = ("candidates", "items", "ratings")


def paper_tables(
    statistics: Figures, agreement: Figures, rule: ExactRule = ExactRule.STRICT
) -> tuple[PaperTable, ...]:
    """The tables of one release, whose answers are exact by the rule; that of systems only where
    their answers are known, that of question types only where there are any, and that of pairs of
    raters only where two have rated the same item."""
    tables = [
        _sizes(statistics["sizes"]),
        _ratings_per_item(statistics["ratings_per_item"]["total"]),
        _sizes_by_system(statistics["sizes_by_system"], statistics["sizes"]["total"]),
        _labels_by_system(statistics, agreement["whole"]["labels"]),
        _f1_histogram(statistics),
        _agreement(agreement),
    ]
    if systems := statistics.get("systems"):
        tables.append(_systems(systems, rule))
    if statistics["labels_by_question_type"]:
        tables.append(_labels_by_question_type(statistics))
    if pairs := agreement["whole"]["kappa"]:
        tables.append(_kappa(pairs))
    return tuple(tables)


def _sizes(sizes: Figures) -> PaperTable:
    total, set_aside = sizes["total"], sizes["total"].get("set_aside_ratings", 0)
    return table_of(
        "sizes",
        "Documents, questions, candidates, items and counted ratings of each split",
        (*sizes["splits"].items(), ("Total", total)),
        text("split", "Split", itemgetter(0)),
        *map(_counted, ("documents", "questions", *_UNITS)),
        notes=(
            (
                "A candidate is an answer to a question, an item a candidate with what it is"
                " compared with. What is in several splits counts in each and once in the total."
            ),
            f"Ratings that were given but are not counted: {total['surplus_ratings']:,}.",
            *([f"Ratings that an admin has set aside: {set_aside:,}."] if set_aside else []),
        ),
        source="statistics.json, sizes; after Bulian et al. (2022), Tab. 2",
    )


def _counted(unit: str) -> Shown[tuple[str, Figures]]:
    return count(unit, unit.capitalize(), lambda part: part[1][unit])


def _ratings_per_item(items_by_ratings: Mapping[str, int]) -> PaperTable:
    items = sum(items_by_ratings.values())
    return table_of(
        "ratings_per_item",
        "Items by their number of counted ratings",
        items_by_ratings.items(),
        count("ratings", "Ratings of the item", lambda row: int(row[0])),
        count("items", "Items", lambda row: row[1]),
        percent("share", "Items", lambda row: row[1] / items),
        notes=f"n = {items:,} items.",
        source="statistics.json, ratings_per_item; after Bulian et al. (2022), section 3.5",
    )


def _sizes_by_system(systems: Mapping[str, Mapping[str, int]], total: Figures) -> PaperTable:
    return table_of(
        "sizes_by_system",
        "Candidates, items and counted ratings of each system",
        (*systems.items(), ("Total", total)),
        text("system", "System", itemgetter(0)),
        *map(_counted, _UNITS),
        notes=(
            "Candidates that match a reference exactly are not rated and not here. Several"
            " systems may give the same candidate, so systems may add up to more than the"
            " total; an item of no system is in the total alone."
        ),
        source="statistics.json, sizes_by_system; after Bulian et al. (2022), Tab. 10",
    )


def _labels_by_system(statistics: Figures, labels: Iterable[str]) -> PaperTable:
    """For `ae` the column of `equivalent` is the paper's; all labels have one."""
    parts = [
        (counts[unit], system, unit)
        for system, counts in statistics["labels_by_system"].items()
        for unit in _UNITS
    ]
    open_parts = statistics.get("open_by_system")  # counted with the others before it was there
    columns: list[Shown[tuple[Mapping[str, int], str, str]]]
    columns = [text("system", "System", itemgetter(1)), text("unit", "Of its", itemgetter(2))]
    if open_parts is not None:
        columns.append(count("open", "Open", lambda part: open_parts[part[1]].get(part[2], 0)))
    return table_of(
        "labels_by_system",
        "Labels of the candidates, items and ratings of each system",
        parts,
        *columns,
        *_shares(labels),
        notes=(
            (
                "n is the number of candidates, items or counted ratings. A candidate has the"
                " highest-ranking label of its items; ratings have each its own."
            ),
            "Answers that match a reference exactly are not counted.",
            *(() if open_parts is None else [_OPEN]),
        ),
        reasons=_why_no_share(parts),
        source="statistics.json, labels_by_system; after Bulian et al. (2022), Tab. 11",
    )


_OPEN = (
    "Open ones are not in n: items whose label was drawn in a tie, and candidates that such an item"
    " or an unrated one leaves open. Labels are those of the release; the table of systems goes by"
    " the majority of the counted ratings whatever they are."
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


def _systems(systems: Sequence[Figures], rule: ExactRule) -> PaperTable:
    """The best system first; accuracies where a label means that a candidate is right."""
    shown = _ACCURACIES if "accuracy" in systems[0] else {}

    def accuracy(key: str) -> Shown[Figures]:
        return percent(key, shown[key], lambda each: estimate_from_json(each["accuracy"][key]))

    return table_of(
        "systems",
        "Answers of each system, and how good they are",
        systems,
        text("system", "System", itemgetter("system")),
        count("exact", "Exact answers", lambda each: each["answers"]["exact"]),
        count("rated", "Rated", lambda each: each["answers"]["rated"]),
        count("not_rated", "Not rated", lambda each: each["answers"]["not-rated"]),
        *map(accuracy, shown),
        notes=(
            (
                f"An exact answer is one of its references {EXACT_BY[rule]}: right, and never"
                " rated. An answer is rated if all of its items are. An empty answer is wrong"
                " without being rated, and answers to questions that have no right one are in no"
                " share. All others that are not rated, or that a tie leaves open, are taken to be"
                " like those that are."
            ),
            *([_HOW_RIGHT] if shown else []),
        ),
        source="statistics.json, systems; after Bulian et al. (2022), Tab. 11",
    )


def _labels_by_question_type(statistics: Figures) -> PaperTable:
    kinds = statistics["labels_by_question_type"]
    open_items = statistics.get("open_by_question_type", {}).values()
    parts = [(counts, kind) for kind, counts in kinds.items()]
    return table_of(
        "labels_by_question_type",
        "Labels of the items of each type of question",
        parts,
        text("question_type", "Type of question", itemgetter(1)),
        *_shares(next(iter(kinds.values()))),
        notes=(
            "n is the number of items; those of no named type are left out.",
            *([_DRAWN_LEFT_OUT.format(sum(open_items))] if open_items else ()),
        ),
        reasons=_why_no_share(parts),
        source="statistics.json, labels_by_question_type; after CAP, Tab. 15",
    )


_DRAWN_LEFT_OUT = "So are items whose label was drawn in a tie: {:,}."


def _shares(labels: Iterable[str]) -> Iterator[Shown[Labelled]]:
    yield count("n", "n", _n)
    for label in labels:
        yield _share(label)


def _n(part: Labelled) -> int:
    return sum(part[0].values())


def _share(label: str) -> Shown[Labelled]:
    return percent(label, label, lambda part: part[0][label] / _n(part) if _n(part) else None)


def _why_no_share(parts: Iterable[Labelled]) -> Sequence[str]:
    return () if all(map(_n, parts)) else ("a tie or an unrated item leaves all labels open",)


def histogram_of(statistics: Figures) -> tuple[str, Figures]:
    """The key and the figures of the histogram: by reading where there are any, else by label."""
    key = "f1_readings" if "f1_readings" in statistics else "f1_histogram"
    return key, statistics[key]


_READINGS = (
    " An item that is not equivalent is completely different if more than half of its ratings that"
    " are not equivalent say so; else it removes or adds something."
)


_LEFT_OUT = (
    " Items that are not equivalent by another choice of labels, while all of their ratings are,"
    " have no reading and are left out: {:,}."
)


def _drawn(statistics: Figures) -> str:
    drawn = statistics["label_sources"]["tie"]
    said = f" Labels drawn in a tie are counted as they were drawn: {drawn:,}."
    return said if drawn and "open_by_system" in statistics else ""


def _binned(histogram: Figures) -> int:
    return sum(map(sum, histogram["labels"].values()))


def _all(histogram: Figures) -> int:
    without: int = histogram["without_references"]
    return _binned(histogram) + without


def _f1_histogram(statistics: Figures) -> PaperTable:
    key, histogram = histogram_of(statistics)
    labels, edges = histogram["labels"], histogram["edges"]
    last = len(edges) - 2
    items, left_out = _binned(histogram), _all(statistics["f1_histogram"]) - _all(histogram)
    return table_of(
        "f1_histogram",
        "Items by token F1 of candidate and reference, and by label",
        range(last + 1),
        text(
            "f1",
            "F1",
            lambda bin_: (
                f"{edges[bin_]:.1f} to {'' if bin_ == last else 'below '}{edges[bin_ + 1]:.1f}"
            ),
        ),
        *(count(label, label, bars.__getitem__) for label, bars in labels.items()),
        notes=(
            f"n = {items:,} items. F1 is against the best of an item's references; items"
            " without a reference have none and are left out:"
            f" {histogram['without_references']:,}.{_READINGS if key == 'f1_readings' else ''}"
            f"{_drawn(statistics)}{_LEFT_OUT.format(left_out) if left_out else ''}"
        ),
        source=f"statistics.json, {key}; after Bulian et al. (2022), Fig. 1",
    )


def _agreement(agreement: Figures) -> PaperTable:
    parts = (("All", agreement["whole"]), *agreement["splits"].items())
    alpha = agreement["whole"]["alpha"]
    drawn = what_was_drawn(part for _name, part in parts)
    definitions = filter(None, (each.definition for each in IN_DOCUMENTS))
    return table_of(
        "agreement",
        "Agreement of raters on the label",
        parts,
        text("split", "Split", itemgetter(0)),
        count("items", "n", lambda row: _rated_twice(row[1])),
        *chain.from_iterable(map(_statistic, IN_DOCUMENTS)),
        notes=(
            f"n is the number of items with two or more counted ratings. α is {alpha['level']};"
            f" from and to bound 95 % intervals of a bootstrap over {drawn} (seed"
            f" {alpha['seed']}). {' '.join(definitions)}"
        ),
        reasons=_reasons(each.read(part) for _name, part in parts for each in IN_DOCUMENTS),
        source="agreement.json; after Bulian et al. (2022), section 3.5, and CAP, Tab. 7",
    )


def _rated_twice(part: Figures) -> int:
    return sum(items for n, items in part["ratings_per_item"].items() if n != "1")


def _statistic(statistic: Statistic) -> Iterator[Shown[tuple[str, Figures]]]:
    shown = percent if statistic.is_share else number

    def bound(key: str, heading: str, name: str) -> Shown[tuple[str, Figures]]:
        return shown(key, heading, lambda row: statistic.read(row[1])[name])

    yield bound(statistic.name, statistic.heading, "value")
    if statistic.has_interval:
        yield bound(f"{statistic.name}_low", "from", "low")
        yield bound(f"{statistic.name}_high", "to", "high")


def _kappa(pairs: Iterable[Figures]) -> PaperTable:
    """The pairs with most items in common; all of them would fill pages."""
    ranked = sorted(pairs, key=lambda pair: (-pair["items"], pair["raters"]))
    return table_of(
        "kappa",
        "Cohen's κ of pairs of raters",
        ranked[:MAX_PAIRS],
        text("first", "Rater", lambda pair: pair["raters"][0]),
        text("second", "and rater", lambda pair: pair["raters"][1]),
        count("items", "n", itemgetter("items")),
        *(
            number(kind, f"κ, {kind}", itemgetter(kind))
            for kind in ("unweighted", "linear", "quadratic")
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
