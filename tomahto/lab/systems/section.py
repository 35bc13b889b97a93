"""Systems under people and under metrics: scores, and whether their order is the same."""

from collections.abc import Iterator, Sequence
from itertools import combinations, starmap

from tomahto.figures.rows import Shown, count, number, percent, text
from tomahto.figures.table import PaperTable
from tomahto.figures.table_chart import TableChart
from tomahto.lab.metric_notes import by_chance, interval_note, lab_table
from tomahto.lab.report import LabInput, Section
from tomahto.lab.systems.answers import (
    PEOPLE,
    Answer,
    answer_notes,
    answer_scores,
    answers_in,
    metric_values,
    people_estimate,
    people_values,
)
from tomahto.lab.systems.one_reference import one_reference_table
from tomahto.ranking.rank_flips import rank_agreement, rank_flips
from tomahto.ranking.system_accuracy import accuracy_with_exact
from tomahto.ranking.system_differences import SystemDifferences
from tomahto.ranking.system_scores import AnswerScores, SystemMeans

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
    answers = _answers(given, found)
    tables = [_systems(given, answers, tuple(answer_notes(given.data, found)))]
    if one_reference := one_reference_table(given):
        tables.append(one_reference)
    if len(answers.systems) > 1:
        differences = SystemDifferences(answers, given.bootstrap)
        tables.append(_differences(given, differences))
        if given.scores:
            tables.append(_rank_agreement(given, differences))
        tables.append(_rank_flips(given, differences))
    return Section("systems", _TITLE, _LEAD, tuple(tables), (_chart(answers),))


def _answers(given: LabInput, answers: Sequence[Answer]) -> AnswerScores:
    values = {PEOPLE: people_values(answers), **metric_values(given.scores, answers)}
    return answer_scores(values, answers)


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


def _chart(answers: AnswerScores) -> TableChart:
    return TableChart(
        kind="points",
        table="systems",
        title="Systems to people and to metrics",
        label="system",
        series=answers.judges,
        across="Right answers",
        up="System",
        low=0,
        high=1,
    )
