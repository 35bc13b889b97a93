"""Bulian et al. 2022, Tab. 3, 4, 5 and 9: accuracy of metrics, and correlation with ratings."""

from itertools import product

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.figures.rows import number, percent, table_of, text
from tomahto.figures.table import PaperTable
from tomahto.lab.reproduce.ae_files import METRICS, PLAIN, SPLITS, SYSTEMS, AeFiles
from tomahto.lab.reproduce.comparison import Cells, Found
from tomahto.scoring.judged_scores import JudgedScores

_COLUMNS = {"dev": ("Dev Acc", "Dev ρ", "AE Dev"), "test": ("Test Acc", "Test ρ", "AE Test")}
_INPUTS = ("Only answers", "Question and answers", "Context, question and answers")
_AT_PLAIN = ("F1", "BertScore", "Bleurt 2.0", "BEM", "BEM (symmetrized)")
_AT_TUNED = ("F1", "BertScore", "LERC", "BEM")
_OF_SYSTEMS = ("EM", "F1", "BERTScore", "BEM")
_TUNED = ("F1", "LERC", "BEM")  # the rows of Tab. 9


class JudgedFiles:
    """The metrics' scores of the files' ratings, each computed once; metrics by name in files."""

    def __init__(self, given: AeFiles) -> None:
        self.given = given
        self._kept: dict[tuple[str, str], list[float] | str] = {}

    def scores(self, metric: str, name: str) -> list[float] | str:
        """As `AeFiles.scores`."""
        if (metric, name) not in self._kept:
            self._kept[metric, name] = self.given.scores(metric, name)
        return self._kept[metric, name]

    def of(self, metric: str, name: str) -> JudgedScores | Estimate:
        """The scores beside the ratings of a file, or an undefined estimate that says why not."""
        scores = self.scores(metric, name)
        if isinstance(scores, str):
            return undefined(scores, n=0)
        if not scores:
            return undefined("there is nothing to count", n=0)
        return self.given.files[name].judged(scores)

    def accuracy(self, metric: str, name: str, threshold: float | Estimate = PLAIN) -> Estimate:
        judged = self.of(metric, name)
        if isinstance(judged, Estimate):
            return judged
        if isinstance(threshold, Estimate):
            if threshold.value is None:
                return threshold
            threshold = threshold.value
        return judged.accuracy(threshold, self.given.bootstrap)

    def spearman(self, metric: str, name: str) -> Estimate:
        judged = self.of(metric, name)
        if isinstance(judged, Estimate):
            return judged
        return judged.order(self.given.bootstrap).spearman

    def threshold(self, metric: str) -> Estimate:
        """That of highest accuracy on the ratings of AE train."""
        judged = self.of(metric, "train")
        if isinstance(judged, Estimate):
            return judged
        return Estimate(value=judged.tuned_threshold(), n=judged.n)


def metrics_found(judged: JudgedFiles) -> Found:
    return {
        **{("tab3", row, "Accuracy"): judged.accuracy(METRICS[row], "xlnet") for row in _INPUTS},
        **dict(_splits(judged)),
        **dict(_systems(judged)),
        **dict(_thresholds(judged)),
    }


def metrics_table(judged: JudgedFiles, source: str) -> PaperTable:
    """Every metric that was asked for or is in the files' lines on every file, published or not."""
    titles = {**SPLITS, **SYSTEMS}
    return table_of(
        "metrics",
        "Metrics on the ratings of each file",
        product(judged.given.metrics, judged.given.files),
        text("metric", "Metric", lambda row: row[0]),
        text("file", "File", lambda row: titles[row[1]]),
        percent("accuracy", f"Accuracy at {PLAIN}", lambda row: judged.accuracy(*row)),
        number("threshold", "Tuned threshold", lambda row: judged.threshold(row[0])),
        percent(
            "tuned",
            "Accuracy, tuned",
            lambda row: judged.accuracy(*row, judged.threshold(row[0])),
        ),
        number("spearman", "Spearman's ρ", lambda row: judged.spearman(*row)),
        notes="Thresholds are tuned on AE train: its own tuned accuracy is in-sample",
        source=source,
    )


def _splits(judged: JudgedFiles) -> Cells:
    """Tab. 4. No correlation is printed for EM: all its scores are alike."""
    for name, (accuracy, rho, _) in _COLUMNS.items():
        yield ("tab4", "EM", accuracy), judged.accuracy("em", name)
        for row in _AT_PLAIN:
            metric = METRICS[row]
            yield ("tab4", row, accuracy), judged.accuracy(metric, name)
            yield ("tab4", row, rho), judged.spearman(metric, name)
        for row in _AT_TUNED:
            metric = METRICS[row]
            tuned = judged.accuracy(metric, name, judged.threshold(metric))
            yield ("tab4", f"{row} (tuned)", accuracy), tuned
            yield ("tab4", f"{row} (tuned)", rho), judged.spearman(metric, name)


def _systems(judged: JudgedFiles) -> Cells:
    """Tab. 5."""
    for name, column in SYSTEMS.items():
        for row in _OF_SYSTEMS:
            yield ("tab5", row, column), judged.accuracy(METRICS[row], name)


def _thresholds(judged: JudgedFiles) -> Cells:
    """Tab. 9."""
    for row in _TUNED:
        threshold = judged.threshold(METRICS[row])
        yield ("tab9", row, "Threshold"), threshold
        for name, (_, _, column) in _COLUMNS.items():
            yield ("tab9", row, column), judged.accuracy(METRICS[row], name, threshold)
