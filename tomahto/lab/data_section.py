"""What the data of a report are: how much there is, of whom, and what people said of it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from tomahto.figures.table import Cell, Column, PaperTable
from tomahto.figures.table_chart import TableChart
from tomahto.lab.judged import JudgedData, JudgedItem
from tomahto.lab.report import LabInput, Section

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
    return PaperTable(
        key="data",
        title="Items, questions, documents and systems of each split",
        columns=(
            Column("split", "Split", "text"),
            Column("items", "Items"),
            Column("questions", "Questions"),
            Column("documents", "Documents"),
            Column("systems", "Systems"),
            Column("right", "Judged right"),
        ),
        rows=tuple((name, *_counts(items)) for name, items in parts),
        notes=(
            (
                "An item is a candidate with what it is compared with. Judged right are those whose"
                f" label is one of: {', '.join(_right_labels(data))}."
            ),
            "What is in several splits has them joined by plus signs.",
        ),
        reasons=("the data name no documents",) if _lacks_documents(parts) else (),
        source=data.named,
    )


def _counts(items: Sequence[JudgedItem]) -> tuple[Cell, ...]:
    documents = {item.document for item in items if item.document}
    return (
        len(items),
        len({item.question_id for item in items}),
        len(documents) if documents or not items else None,
        len({system for item in items for system in item.systems}),
        sum(item.is_right for item in items),
    )


def _lacks_documents(parts: Parts) -> bool:
    return any(items and not any(item.document for item in items) for _, items in parts)


def _right_labels(data: JudgedData) -> Iterator[str]:
    return (label for label in data.scheme.labels if label in data.correct_labels)


def _labels(data: JudgedData, splits: Parts) -> PaperTable:
    """One row for each label, so that many labels stay legible."""
    parts = (*splits, (_TOTAL, data.items))
    counted = _counted(parts)
    columns = [_columns(name, f"_{name}") for name, _ in splits] + [_columns(_TOTAL, "")]
    return PaperTable(
        key="labels",
        title="Labels of the items of each split",
        columns=(Column("label", "Label", "text"), *chain.from_iterable(columns)),
        rows=tuple(
            (label, *(cell for _, counts in counted for cell in _share(counts, label)))
            for label in data.scheme.labels
        ),
        notes=(
            (
                "Shares are of the items of the split"
                f" ({_sizes_in_words(parts)}). They describe these items, so they have no interval."
            ),
        ),
        reasons=() if data.items else ("there is no item",),
        source=data.named,
    )


def _columns(name: str, suffix: str) -> tuple[Column, Column]:
    return (
        Column(f"items{suffix}", f"{name}: items"),
        Column(f"share{suffix}", f"{name}: share", "percent"),
    )


def _counted(parts: Parts) -> Sequence[tuple[str, Counter[str]]]:
    """How many items of each part have each label."""
    return tuple((name, Counter(item.label for item in items)) for name, items in parts)


def _share(counts: Mapping[str, int], label: str) -> tuple[Cell, Cell]:
    n, items = sum(counts.values()), counts.get(label, 0)
    return items, items / n if n else None


def _sizes_in_words(parts: Parts) -> str:
    return ", ".join(f"{name}: n = {len(items):,}" for name, items in parts)


def _systems(data: JudgedData, systems: Parts) -> PaperTable:
    answers = data.by_majority
    exact = {system: len(each.exact) for system, each in answers.items()}
    empty = {system: len(each.empty) for system, each in answers.items()}
    knows_exact = any(exact.values())
    return PaperTable(
        key="data_by_system",
        title="Items and questions of each system",
        columns=(
            Column("system", "System", "text"),
            Column("items", "Items"),
            Column("questions", "Questions"),
            Column("exact", "Exact matches"),
            Column("empty", "Empty answers"),
            Column("right", "Judged right"),
        ),
        rows=tuple(
            (
                system,
                len(items),
                len({key for item in items for name, key in data.answered(item) if name == system}),
                exact.get(system, 0) if knows_exact else None,
                empty.get(system, 0),
                sum(item.is_right for item in items),
            )
            for system, items in systems
        ),
        notes=(
            (
                "Exact matches are answers that are a reference word for word: right, and not among"
                " the items. Nor are empty answers, which are wrong. An item of several systems"
                " counts in each."
            ),
        ),
        reasons=() if knows_exact else ("no answer that is a reference word for word is known",),
        source=data.named,
    )


def _labels_by_system(data: JudgedData, systems: Parts) -> Iterator[PaperTable]:
    counted = _counted((*systems, (_TOTAL, data.items)))
    labels = data.scheme.labels
    named = (Column("system", "System", "text"), Column("items", "n"))
    yield PaperTable(
        key="labels_by_system",
        title="Items of each system by label",
        columns=(*named, *(Column(f"items_{label}", label) for label in labels)),
        rows=tuple(
            (name, counts.total(), *(counts[label] for label in labels)) for name, counts in counted
        ),
        notes=(_SEVERAL,),
        source=data.named,
    )
    yield PaperTable(
        key="label_shares_by_system",
        title="Shares of labels among the items of each system",
        columns=(*named, *(Column(f"share_{label}", label, "percent") for label in labels)),
        rows=tuple(
            (name, counts.total(), *(_share(counts, label)[1] for label in labels))
            for name, counts in counted
        ),
        notes=(_SEVERAL,),
        reasons=("the system has no item",) if not all(counts for _, counts in counted) else (),
        source=data.named,
    )


_SEVERAL = (
    "n is the number of items. An item of several systems counts in each and once in the total; one"
    " of no system is in the total alone."
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
