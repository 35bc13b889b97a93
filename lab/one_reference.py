"""What systems lose under metrics when there is one reference only (Bulian 2022, Tab. 7)."""

from collections.abc import Iterator, Sequence

from exporters.paper.table import Cell, Column, PaperTable
from lab.answers import Answer, answer_scores, best_values, judges, rated_answers
from lab.judged import JudgedData
from lab.metric_notes import interval_note, source_of
from lab.report import LabInput
from measures.system_scores import SystemMeans

_ONE = ", one reference"


def one_reference_table(given: LabInput) -> PaperTable | None:
    """`systems_one_reference`, or None where no answer has items of several references."""
    rated = rated_answers(given.data)
    pairs = list(_pairs(given.data, rated))
    if not any(len(one.items) < len(every.items) for one, every in pairs):
        return None
    means = _means(given, [one for one, _ in pairs], [every for _, every in pairs])
    return PaperTable(
        key="systems_one_reference",
        title="Systems with one reference and with all",
        columns=(
            Column("system", "System", "text"),
            Column("judge", "Judge", "text"),
            Column("n", "n"),
            Column("one", "One reference", "percent"),
            Column("all", "All references", "percent"),
            Column("difference", "Difference", "percent"),
        ),
        rows=tuple(
            _row(means, system, judge)
            for system in means.answers.systems
            for judge in judges(given.data, given.scores)
        ),
        notes=(
            (
                "n is the number of rated answers that were compared with the first reference of"
                " their question; left out:"
                f" {len(rated) - len(pairs):,}."
                " With all references an answer counts by the best of its items."
            ),
            (
                "Answers that are a reference word for word are not in: no metric has compared them"
                " with the first reference alone."
            ),
            f"The difference is paired. {interval_note(given.bootstrap)}",
        ),
        source=source_of(given.data, "Bulian et al. (2022), Tab. 7"),
    )


def _pairs(data: JudgedData, answers: Sequence[Answer]) -> Iterator[tuple[Answer, Answer]]:
    """Every answer that has an item of its question's first reference: with those items alone, and
    with all."""
    first: dict[str, tuple[str, ...]] = {}
    for item in sorted(data.items, key=lambda item: item.reference_index or 0):
        for question in data.questions_of(item):
            first.setdefault(question, item.references)
    for answer in answers:
        references = first[answer.question_id]
        items = tuple(place for place in answer.items if data.items[place].references == references)
        if items:
            yield answer._replace(items=items), answer


def _means(given: LabInput, one: Sequence[Answer], every: Sequence[Answer]) -> SystemMeans:
    said = judges(given.data, given.scores)
    values = {
        **{judge: best_values(items, every) for judge, items in said.items()},
        **{f"{judge}{_ONE}": best_values(items, one) for judge, items in said.items()},
    }
    return SystemMeans(answer_scores(values, every), given.bootstrap)


def _row(means: SystemMeans, system: str, judge: str) -> tuple[Cell, ...]:
    alone = f"{judge}{_ONE}"
    every = means.mean(system, judge)
    return (
        system,
        judge,
        every.n,
        means.mean(system, alone),
        every,
        means.difference(system, judge, alone),
    )
