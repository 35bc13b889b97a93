"""The data of a report: their amount, their systems, and people's labels."""

from collections import Counter
from collections.abc import Iterator, Sequence

from tomahto.charts.chart_data import TableChart
from tomahto.charts.rows import Shown, count, percent, table_of, text
from tomahto.charts.table import PaperTable
from tomahto.lab.judged import JudgedData, JudgedItem
from tomahto.lab.report import LabInput, Section
from tomahto.ranking.system_answers import EMPTY, EXACT

Parts = Sequence[tuple[str, Sequence[JudgedItem]]]

_TOTAL = "Total"
_NO_SPLIT = "no split"


def data_section(given: LabInput) -> Section:
    """Sizes and labels, of the whole, by split and by system."""
    data = given.data
    splits, systems = _by_split(data), _by_system(data)
    tables = [_sizes(data, splits), _labels(data, splits)]
    if systems:
        tables += [_systems(data, systems), *_labels_by_system(data, systems)]
    return Section(
        key="data",
        title="The data",
        lead=(
            "How many answers people judged, to which questions, of which systems, and what they"
            " said. The other sections rest on these."
        ),
        tables=tuple(tables),
        charts=(_chart(splits),) if data.items else (),
    )


def _by_split(data: JudgedData) -> Parts:
    """The items of each split by name; nothing where the data have none."""
    parts: dict[str, list[JudgedItem]] = {}
    for item in sorted(data.items, key=lambda item: item.split):
        parts.setdefault(item.split or _NO_SPLIT, []).append(item)
    return () if set(parts) <= {_NO_SPLIT} else tuple(parts.items())


def _by_system(data: JudgedData) -> Parts:
    parts: dict[str, list[JudgedItem]] = {system: [] for system in data.systems}
    for item in data.items:
        for system in item.systems:
            parts[system].append(item)
    return tuple(parts.items())


def _sizes(data: JudgedData, splits: Parts) -> PaperTable:
    parts = (*splits, (_TOTAL, data.items))
    right = (label for label in data.scheme.labels if label in data.correct_labels)
    return table_of(
        "data",
        "Items, questions, documents and systems of each split",
        parts,
        text("split", "Split", lambda part: part[0]),
        count("items", "Items", lambda part: len(part[1])),
        count("questions", "Questions", lambda part: len({item.question_id for item in part[1]})),
        count("documents", "Documents", lambda part: _documents(part[1])),
        count(
            "systems",
            "Systems",
            lambda part: len({system for item in part[1] for system in item.systems}),
        ),
        count("right", "Judged right", lambda part: sum(item.is_right for item in part[1])),
        notes=(
            (
                "An item is a candidate with what it is compared with. Judged right are those whose"
                f" label is one of: {', '.join(right)}."
            ),
            "Several splits are joined by plus signs.",
        ),
        reasons=["the data name no documents"]
        if any(_documents(items) is None for _, items in parts)
        else (),
        source=data.named,
    )


def _documents(items: Sequence[JudgedItem]) -> int | None:
    documents = {item.document for item in items if item.document}
    return len(documents) if documents or not items else None


def _labels(data: JudgedData, splits: Parts) -> PaperTable:
    """One row for each label, so that many labels stay legible."""
    parts = (*splits, (_TOTAL, data.items))
    sizes = ", ".join(f"{name}: n = {len(items):,}" for name, items in parts)
    suffixes = (*(f"_{name}" for name, _ in splits), "")
    return table_of(
        "labels",
        "Labels of the items of each split",
        data.scheme.labels,
        text("label", "Label", lambda label: label),
        *(
            column
            for suffix, (name, items) in zip(suffixes, parts, strict=True)
            for column in _columns(name, suffix, Counter(item.label for item in items))
        ),
        notes=(
            "Shares are of the items of the split"
            f" ({sizes}). They describe these items, so they have no interval."
        ),
        reasons=() if data.items else ["there is no item"],
        source=data.named,
    )


def _columns(name: str, suffix: str, counts: Counter[str]) -> Iterator[Shown[str]]:
    yield count(f"items{suffix}", f"{name}: items", lambda label: counts[label])
    yield percent(f"share{suffix}", f"{name}: share", lambda label: _share(counts, label))


def _share(counts: Counter[str], label: str) -> float | None:
    return counts[label] / counts.total() if counts else None


def _systems(data: JudgedData, systems: Parts) -> PaperTable:
    answers = data.by_majority
    knows_exact = any(each.count(EXACT) for each in answers.values())

    def exact(system: str) -> int | None:
        if not knows_exact:
            return None
        return answers[system].count(EXACT) if system in answers else 0

    def answered(part: tuple[str, Sequence[JudgedItem]]) -> int:
        system, items = part
        settled = {each for item in items for each in data.answered(item)}
        return sum(name == system for name, _ in settled)

    return table_of(
        "data_by_system",
        "Items and questions of each system",
        systems,
        text("system", "System", lambda part: part[0]),
        count("items", "Items", lambda part: len(part[1])),
        count("questions", "Questions", answered),
        count("exact", "Exact matches", lambda part: exact(part[0])),
        count(
            "empty",
            "Empty answers",
            lambda part: answers[part[0]].count(EMPTY) if part[0] in answers else 0,
        ),
        count("right", "Judged right", lambda part: sum(item.is_right for item in part[1])),
        notes=(
            "Exact matches are answers that are a reference word for word: right, and not among"
            " the items. Nor are empty answers, which are wrong. An item of several systems"
            " counts in each."
        ),
        reasons=() if knows_exact else ["no answer that is a reference word for word is known"],
        source=data.named,
    )


def _labels_by_system(data: JudgedData, systems: Parts) -> Iterator[PaperTable]:
    counted = [
        (name, Counter(item.label for item in items))
        for name, items in (*systems, (_TOTAL, data.items))
    ]
    named: tuple[Shown[tuple[str, Counter[str]]], ...] = (
        text("system", "System", lambda row: row[0]),
        count("items", "n", lambda row: row[1].total()),
    )

    def items(label: str) -> Shown[tuple[str, Counter[str]]]:
        return count(f"items_{label}", label, lambda row: row[1][label])

    def share(label: str) -> Shown[tuple[str, Counter[str]]]:
        return percent(f"share_{label}", label, lambda row: _share(row[1], label))

    yield table_of(
        "labels_by_system",
        "Items of each system by label",
        counted,
        *named,
        *map(items, data.scheme.labels),
        notes=_SEVERAL,
        source=data.named,
    )
    yield table_of(
        "label_shares_by_system",
        "Shares of labels among the items of each system",
        counted,
        *named,
        *map(share, data.scheme.labels),
        notes=_SEVERAL,
        reasons=() if all(counts for _, counts in counted) else ["the system has no item"],
        source=data.named,
    )


_SEVERAL = (
    "n is the number of items; those that a tie leaves without a label are not there. An item of"
    " several systems counts in each and once in the total; one of no system is in the total alone."
)


def _chart(splits: Parts) -> TableChart:
    return TableChart(
        kind="columns",
        table="labels",
        title="Labels of the items",
        label="label",
        series=tuple(f"share_{name}" for name, _ in splits) or ("share",),
        across="Label",
        up="Share of items",
        low=0.0,
    )
