"""Systems under people and under metrics: scores, the order of the systems, and what one
reference instead of all costs them (Bulian 2022, Tab. 6 and 7)."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product, starmap

import numpy as np

from tomahto.charts.rows import Shown, count, number, percent, text
from tomahto.charts.table import PaperTable
from tomahto.lab.judged import JudgedData
from tomahto.lab.report import (
    LabInput,
    Section,
    by_chance,
    interval_note,
    lab_table,
    points_chart,
)
from tomahto.lab.system_answers import (
    PEOPLE,
    Answer,
    answer_notes,
    answer_scores,
    answers_in,
    best_values,
    judges,
    metric_values,
    people_estimate,
    people_values,
)
from tomahto.ranking.ranks import rank_agreement, rank_flips
from tomahto.ranking.system_accuracy import accuracy_with_exact
from tomahto.ranking.system_scores import AnswerScores, SystemDifferences, SystemMeans

_TITLE = "Systems under people and metrics"
_LEAD = (
    "How good is each system to people, how good does each metric make it look, and do metrics put"
    " systems in the order in which people put them?"
)


def systems_section(given: LabInput) -> Section:
    """Tables `systems`, `systems_one_reference` where references have items of their own, and for
    several systems `system_differences`, `rank_agreement` and `rank_flips` (Bulian 2022, Tab. 6 and
    7; CFMatch, Tab. 4).
    """
    found = answers_in(given.data)
    if not found:
        reason = "no question has a reference"
        if not given.data.systems:
            reason = "no answer is of a named system"
        return Section("systems", _TITLE, _LEAD, (), reason=reason)
    values = {PEOPLE: people_values(found), **metric_values(given.scores, found)}
    answers = answer_scores(values, found)
    tables = [_systems(given, answers, tuple(answer_notes(given.data, found)))]
    if one_reference := one_reference_table(given):
        tables.append(one_reference)
    if len(answers.systems) > 1:
        differences = SystemDifferences(answers, given.bootstrap)
        tables.append(_differences(given, differences))
        if given.scores:
            tables.append(_rank_agreement(given, differences))
        tables.append(_rank_flips(given, differences))
    chart = points_chart(
        "systems", "Systems to people and to metrics", "system", answers.judges, "Right answers"
    )
    return Section("systems", _TITLE, _LEAD, tuple(tables), (chart,))


def _systems(given: LabInput, answers: AnswerScores, notes: Sequence[str]) -> PaperTable:
    means = SystemMeans(answers, given.bootstrap)
    people = {
        system: people_estimate(given.data, system, given.bootstrap) for system in answers.systems
    }

    def mean(judge: str) -> Shown[str]:
        return percent(judge, _title(judge), lambda system: means.mean(system, judge))

    return lab_table(
        given,
        "systems",
        "Systems' right answers to people and to metrics",
        answers.systems,
        text("system", "System", lambda system: system),
        count("n", "n", lambda system: people[system].n),
        percent(PEOPLE, _title(PEOPLE), lambda system: people[system]),
        *_own_labels(given),
        *map(mean, answers.judges[1:]),
        notes=(
            (
                "n is the number of answers that are not open. Metrics decide at their own"
                " thresholds; a mean score is the mean of the scores themselves."
            ),
            *notes,
            (
                "Systems that answered different questions are compared in the tables of ranks, on"
                " the questions both answered."
            ),
            interval_note(given.bootstrap),
        ),
        after="Bulian et al. (2022), Tab. 6, and CFMatch, Tab. 4",
    )


def _own_labels(given: LabInput) -> Iterator[Shown[str]]:
    """The column of the report's labels, where they are not those of the majority."""
    data = given.data
    if any(data.voted_labels.get(id_) != label for id_, label in data.own_labels.items()):
        source = next(iter(data.label_sources))
        yield percent(
            f"people_{source}",
            f"People, labels of the report ({source})",
            lambda system: accuracy_with_exact(data.by_own_labels[system], given.bootstrap),
        )


def _title(judge: str) -> str:
    return "People" if judge == PEOPLE else judge


def _differences(given: LabInput, differences: SystemDifferences) -> PaperTable:
    names = differences.answers.systems

    def difference(place: int, judge: str) -> Shown[int]:
        return percent(judge, _title(judge), lambda pair: differences.estimate(pair, place))

    return lab_table(
        given,
        "system_differences",
        "Differences between systems in right answers",
        range(len(differences.pairs)),
        text("first", "System", lambda pair: names[differences.pairs[pair][0]]),
        text("second", "less system", lambda pair: names[differences.pairs[pair][1]]),
        count("n", "n", lambda pair: int(differences.n[pair])),
        *starmap(difference, enumerate(differences.answers.judges)),
        notes=(
            (
                "Differences are on the questions that both systems have answered, empty answers"
                " included, in percentage points; n is the number of those on which neither answer"
                " is open. An interval that holds 0 does not tell the two systems apart; it does"
                " not show that they are equal either."
            ),
            by_chance(len(differences.pairs), "systems"),
            interval_note(given.bootstrap),
        ),
        after="Bulian et al. (2022), Tab. 6",
    )


def _rank_agreement(given: LabInput, differences: SystemDifferences) -> PaperTable:
    metrics = [judge for judge in differences.answers.judges if judge != PEOPLE]
    return lab_table(
        given,
        "rank_agreement",
        "Order of the systems under each metric and under people",
        (rank_agreement(differences, metric, PEOPLE) for metric in metrics),
        text("metric", "Metric", lambda found: found.judge),
        count("pairs", "n", lambda found: found.pairs),
        count("concordant", "In the order of people", lambda found: found.concordant),
        count("flipped", "In the opposite order", lambda found: found.flipped),
        number("tau", "Kendall's tau-b", lambda found: found.tau),
        notes=(
            (
                "n is the number of pairs of systems that have answered a question in common, each"
                " compared on those questions, empty answers included; in pairs of neither order"
                " people or the metric see a tie. tau-b is counted from the same pairs."
            ),
            interval_note(given.bootstrap),
        ),
        after="CFMatch, Tab. 4",
    )


def _rank_flips(given: LabInput, differences: SystemDifferences) -> PaperTable:
    flips = rank_flips(differences)
    return lab_table(
        given,
        "rank_flips",
        "Systems that change places with the judge",
        flips,
        text("judge", "Judge", lambda flip: _title(flip.judge)),
        text("system", "prefers", lambda flip: flip.system),
        text("other_system", "to", lambda flip: flip.other_system),
        text("other_judge", "and the reverse", lambda flip: _title(flip.other_judge)),
        count("n", "n", lambda flip: flip.n),
        percent("difference", "Difference to the one", lambda flip: flip.difference),
        percent("other_difference", "and to the other", lambda flip: flip.other_difference),
        percent("probability", "Share of replicates with both", lambda flip: flip.probability),
        notes=_flip_notes(given, differences, len(flips)),
        after="CFMatch, Tab. 4",
    )


def _flip_notes(given: LabInput, differences: SystemDifferences, flips: int) -> Iterator[str]:
    judges = range(len(differences.answers.judges))
    compared = sum(int(differences.compared(*two).sum()) for two in combinations(judges, 2))
    yield f"Flips found: {flips:,} in {compared:,} comparisons of two systems by two judges."
    yield (
        "Differences are on the questions that both systems have answered, empty answers included,"
        " and n is the number of those on which neither answer is open; where one is, the questions"
        " on which both answers are of the same kinds (exact, empty or to be rated) stand for it."
        " The last column is the share of replicates in which both judges hold their order"
        " strictly: one in which either sees a tie, or neither system has an answer, counts against"
        " the flip. Near 100 % the flip is real, near 50 % one of the orders is a coin toss."
    )
    yield interval_note(given.bootstrap)


_ONE = ", one reference"


def one_reference_table(given: LabInput) -> PaperTable | None:
    """`systems_one_reference`, or None where no answer has items of several references."""
    judged = [answer for answer in answers_in(given.data) if answer.is_judged]
    pairs = list(_one_and_all(given.data, judged))
    if not any(one.items != every.items for one, every in pairs):
        return None
    means = _one_and_all_means(given, [one for one, _ in pairs], [every for _, every in pairs])
    return lab_table(
        given,
        "systems_one_reference",
        "Systems with one reference and with all",
        product(means.answers.systems, (PEOPLE, *judges(given.scores))),
        text("system", "System", lambda row: row[0]),
        text("judge", "Judge", lambda row: row[1]),
        count("n", "n", lambda row: means.mean(*row).n),
        percent("one", "One reference", lambda row: means.mean(row[0], f"{row[1]}{_ONE}")),
        percent("all", "All references", lambda row: means.mean(*row)),
        percent("difference", "Difference", lambda row: means.difference(*row, f"{row[1]}{_ONE}")),
        notes=(
            (
                "n is the number of judged answers that were compared with the first reference of"
                " their question, and have a majority there; left out:"
                f" {len(judged) - len(pairs):,}."
                " With all references an answer counts by the best of its items, and in EM and F1"
                " by the best of its question's references."
            ),
            (
                "The table is about references, not about all of a system's answers: those that are"
                " a reference word for word are not in, as no metric has compared them with the"
                " first reference alone, and empty and open ones are not in either."
            ),
            f"The difference is paired. {interval_note(given.bootstrap)}",
        ),
        after="Bulian et al. (2022), Tab. 7",
    )


def _one_and_all(data: JudgedData, answers: Sequence[Answer]) -> Iterator[tuple[Answer, Answer]]:
    """Every answer of which each text has a majority on its question's first reference: with the
    items of that reference alone, and with all."""
    first: dict[str, tuple[str, ...]] = {}
    for item in data.items:
        for question in () if item.reference_index else data.questions_of(item):
            first.setdefault(question, item.references)
    for answer in answers:
        references = first.get(answer.question_id, ())
        items = tuple(
            tuple(
                place
                for place in places
                if data.items[place].references == references
                and data.voted_labels[data.items[place].id] is not None
            )
            for places in answer.items
        )
        if all(items):
            yield answer._replace(items=items, references=references), answer


def _one_and_all_means(
    given: LabInput, one: Sequence[Answer], every: Sequence[Answer]
) -> SystemMeans:
    voted, correct = given.data.voted_labels, given.data.correct_labels
    is_right = [float(voted[item.id] in correct) for item in given.data.items]
    with_one = metric_values(given.scores, one)
    values = {
        PEOPLE: people_values(every),
        f"{PEOPLE}{_ONE}": best_values(np.array(is_right), one),
        **metric_values(given.scores, every),
        **{f"{judge}{_ONE}": said for judge, said in with_one.items()},
    }
    return SystemMeans(answer_scores(values, every), given.bootstrap)
