"""Further tables of CAP, which the paper shows as figures or not at all."""

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial

from tomahto.charts.rows import count, number, percent, table_of, text
from tomahto.charts.table import PaperTable
from tomahto.estimates.estimate import Estimate
from tomahto.lab.reproduce.cap.answers import MEAN_CLASSES, CapFiles, mean_of
from tomahto.lab.reproduce.cap.figures import Order
from tomahto.lab.reproduce.comparison import or_needed
from tomahto.ranking.order_intervals import OrderStatistic
from tomahto.text.same_question import question_form

_CORPORA = 20
_LABELLED = "n = answers of the benchmark that the source labels, in a tie with none"


def cap_tables(given: CapFiles, source: str) -> tuple[PaperTable, ...]:
    return (
        label_table(given, source),
        metrics_table(given, source),
        corpora_table(given, source),
        *label_source_tables(given, source),
    )


def label_table(given: CapFiles, source: str) -> PaperTable:
    """The number of the benchmark's answers of each class (CAP Fig. 4)."""
    counts = Counter(answer.label for answer in given.benchmark)
    total = len(given.benchmark)
    return table_of(
        "labels",
        "Labels of the benchmark",
        given.scheme.labels,
        text("label", "Label", lambda label: label),
        count("n", "n", lambda label: counts[label]),
        percent("share", "Share", lambda label: counts[label] / total if total else None),
        notes="The paper prints no counts; it says that no class exceeds about 13 %",
        source=source,
        reasons=() if total else ["the files have no line of the benchmark"],
    )


def metrics_table(given: CapFiles, source: str) -> PaperTable:
    """Every metric that the lines have or that was asked for, published or not."""
    return table_of(
        "metrics",
        "Metrics against the order of the classes",
        [(name, partial(given.benchmark_order, name)) for name in given.metrics],
        text("metric", "Metric", lambda row: row[0]),
        count("n", "n", lambda _: len(given.benchmark)),
        number("spearman", "Spearman's ρ", lambda row: _statistic(row[1], "spearman")),
        number("kendall", "Kendall's τ-b", lambda row: _statistic(row[1], "kendall_tau_b")),
        percent(
            "accuracy", "Pairwise accuracy", lambda row: _statistic(row[1], "pairwise_accuracy")
        ),
        percent(
            "violations",
            "Violating pairs of classes",
            lambda row: _statistic(row[1], "violation_rate"),
        ),
        notes="Tied scores count as wrong in pairwise accuracy",
        source=source,
    )


def label_source_tables(given: CapFiles, source: str) -> tuple[PaperTable, ...]:
    """Tab. 16 and 17 for every source of labels that a release has beside the paper's two."""
    orders = list(_orders_by_source(given))
    reasons = () if orders else ["needs a release whose texts were written for a class"]
    return (
        table_of(
            "label_sources",
            "As Tab. 16, by source of the labels",
            orders,
            text("source", "Labels of", lambda row: row[0]),
            count("n", "n", lambda row: row[1]),
            number("spearman", "Spearman ρ", lambda row: _statistic(row[2], "spearman")),
            number("kendall", "Kendall τ", lambda row: _statistic(row[2], "kendall_tau_b")),
            percent("accuracy", "PairAcc", lambda row: _statistic(row[2], "pairwise_accuracy")),
            notes=_LABELLED,
            source=source,
            reasons=reasons,
        ),
        table_of(
            "label_source_means",
            "As Tab. 17, by source of the labels",
            [(*row, name) for row in orders for name in MEAN_CLASSES],
            text("source", "Labels of", lambda row: row[0]),
            text("class", "Class", lambda row: row[3]),
            number(
                "mean", "Mean CAP score", lambda row: or_needed(lambda: mean_of(row[2](), row[3]))
            ),
            notes=_LABELLED,
            source=source,
            reasons=reasons,
        ),
    )


def corpora_table(given: CapFiles, source: str) -> PaperTable:
    """The number of the benchmark's questions from each source (CAP Fig. 5)."""
    asked = ((one.corpus, one.pair.question) for one in given.benchmark if one.corpus)
    questions = {(corpus, question_form(question)) for corpus, question in asked}
    counts = Counter(corpus for corpus, _ in questions)
    return table_of(
        "sources",
        "Questions of the benchmark by source",
        sorted(counts.items(), key=lambda row: (-row[1], row[0]))[:_CORPORA],
        text("source", "Source", lambda row: row[0]),
        count("questions", "Questions", lambda row: row[1]),
        percent("share", "Share", lambda row: row[1] / len(questions)),
        notes=(
            "A source is the document of a question: a corpus, if it was imported so",
            f"Of {len(counts):,} sources the {_CORPORA} largest at most",
        ),
        source=source,
        reasons=() if counts else ['needs a release, or lines with "source"'],
    )


def _orders_by_source(given: CapFiles) -> Iterator[tuple[str, int, Order]]:
    """By source that labels an answer of the benchmark which a person labelled, as they come: how
    CAP's scores keep the order of its labels, of the answers that it labels."""
    for name in dict.fromkeys(name for answer in given.validated for name in answer.labels):
        answers = [answer for answer in given.validated if name in answer.labels]
        labels = [answer.labels[name] for answer in answers]
        yield name, len(answers), cache(partial(given.order, "cap", answers, labels))


def _statistic(order: Order, name: OrderStatistic) -> Estimate:
    return or_needed(lambda: order().statistic(name))
