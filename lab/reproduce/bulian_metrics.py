"""Bulian et al. 2022, Tab. 4, 5 and 9: accuracy of metrics and their correlation with ratings."""

from collections.abc import Iterator

from exporters.paper.table import Column, PaperTable
from inference.matchers.interface import Matcher
from lab.reproduce.ae_files import SPLITS, SYSTEMS, AeFiles
from lab.reproduce.comparison import Found, Place
from measures.estimate import Estimate, undefined
from measures.judged_scores import JudgedScores

PLAIN = 0.5  # the threshold where none was tuned (§4.1.2)
_COLUMNS = {"dev": ("Dev Acc", "Dev ρ", "AE Dev"), "test": ("Test Acc", "Test ρ", "AE Test")}
_OF_SYSTEMS = ("EM", "F1", "BERTScore", "BEM")
_TUNED = ("F1", "LERC", "BEM")  # the rows of Tab. 9
_WITHOUT_MATCHER = {
    "Bleurt 2.0": "Bleurt 2.0 is not among our matchers",
    "LERC (tuned)": "LERC is not among our matchers",
    "BEM (symmetrized)": "needs BEM to be asked in both directions, which our matcher is not",
}


class JudgedFiles:
    """The metrics' scores of the files' ratings, each computed once."""

    def __init__(self, given: AeFiles) -> None:
        self.given = given
        self._kept: dict[tuple[str, str], JudgedScores] = {}

    def of(self, matcher: Matcher | str, name: str) -> JudgedScores | Estimate:
        """The scores of a file, or an undefined estimate that says why there are none."""
        part = self.given.part(name)
        if isinstance(matcher, str):
            return undefined(matcher, n=0)
        if part.pairs is None:
            return undefined(f"needs the AE files of {part.needs}", n=0)
        if (matcher.name, name) not in self._kept:
            self._kept[matcher.name, name] = part.pairs.judged(matcher)
        return self._kept[matcher.name, name]

    def accuracy(
        self, matcher: Matcher | str, name: str, threshold: float | Estimate = PLAIN
    ) -> Estimate:
        judged = self.of(matcher, name)
        if isinstance(judged, Estimate):
            return judged
        if isinstance(threshold, Estimate):
            if threshold.value is None:
                return threshold
            threshold = threshold.value
        return judged.accuracy(threshold, self.given.bootstrap)

    def spearman(self, matcher: Matcher | str, name: str) -> Estimate:
        judged = self.of(matcher, name)
        if isinstance(judged, Estimate):
            return judged
        return judged.order(self.given.bootstrap).spearman

    def threshold(self, matcher: Matcher | str) -> Estimate:
        """That of highest accuracy on the ratings of AE train."""
        judged = self.of(matcher, "train")
        if isinstance(judged, Estimate):
            return judged
        return Estimate(value=judged.tuned_threshold(), n=judged.n)


def metrics_found(judged: JudgedFiles) -> Found:
    return {**dict(_splits(judged)), **dict(_systems(judged)), **dict(_thresholds(judged))}


def metrics_table(judged: JudgedFiles, source: str) -> PaperTable:
    """Every metric that was asked for on every file, published or not."""
    titles = {**SPLITS, **SYSTEMS}
    return PaperTable(
        key="metrics",
        title="Metrics on the ratings of each file",
        columns=(
            Column("metric", "Metric", "text"),
            Column("file", "File", "text"),
            Column("accuracy", f"Accuracy at {PLAIN}", "percent"),
            Column("threshold", "Tuned threshold", "number"),
            Column("tuned", "Accuracy, tuned", "percent"),
            Column("spearman", "Spearman's ρ", "number"),
        ),
        rows=tuple(
            (
                *(metric, titles[name], judged.accuracy(matcher, name)),
                judged.threshold(matcher),
                judged.accuracy(matcher, name, judged.threshold(matcher)),
                judged.spearman(matcher, name),
            )
            for metric, matcher in judged.given.matchers.items()
            for name in judged.given.files
        ),
        notes=("Thresholds are tuned on AE train: its own tuned accuracy is in-sample",),
        source=source,
    )


def _splits(judged: JudgedFiles) -> Iterator[tuple[Place, Estimate]]:
    """Tab. 4. No correlation is printed for EM: all its scores are alike."""
    matcher = judged.given.matcher
    for name, (accuracy, rho, _) in _COLUMNS.items():
        yield ("tab4", "EM", accuracy), judged.accuracy(matcher("EM"), name)
        for metric in ("F1", "BertScore", "BEM"):
            which = matcher(metric)
            order = judged.spearman(which, name)
            yield ("tab4", metric, accuracy), judged.accuracy(which, name)
            yield ("tab4", metric, rho), order
            tuned = judged.accuracy(which, name, judged.threshold(which))
            yield ("tab4", f"{metric} (tuned)", accuracy), tuned
            yield ("tab4", f"{metric} (tuned)", rho), order
        for row, reason in _WITHOUT_MATCHER.items():
            yield ("tab4", row, accuracy), undefined(reason, n=0)
            yield ("tab4", row, rho), undefined(reason, n=0)


def _systems(judged: JudgedFiles) -> Iterator[tuple[Place, Estimate]]:
    """Tab. 5."""
    for name, column in SYSTEMS.items():
        for metric in _OF_SYSTEMS:
            found = judged.accuracy(judged.given.matcher(metric), name)
            yield ("tab5", metric, column), found


def _thresholds(judged: JudgedFiles) -> Iterator[tuple[Place, Estimate]]:
    """Tab. 9."""
    for metric in _TUNED:
        matcher = judged.given.matcher(metric)
        threshold = judged.threshold(matcher)
        yield ("tab9", metric, "Threshold"), threshold
        for name, (_, _, column) in _COLUMNS.items():
            yield ("tab9", metric, column), judged.accuracy(matcher, name, threshold)
