"""Bulian et al. 2022, Tab. 4, 5 and 9: accuracy of metrics and their correlation with ratings."""

from collections.abc import Iterator

from lab.reproduce.ae_files import SYSTEMS, AeFiles
from lab.reproduce.comparison import Found, Place
from measures.estimate import Estimate, undefined
from measures.judged_scores import JudgedScores

_PLAIN = 0.5  # the threshold where none was tuned (§4.1.2)
_COLUMNS = {"dev": ("Dev Acc", "Dev ρ", "AE Dev"), "test": ("Test Acc", "Test ρ", "AE Test")}
_OF_SYSTEMS = ("EM", "F1", "BERTScore", "BEM")
_TUNED = ("F1", "LERC", "BEM")  # the rows of Tab. 9
_SYMMETRIZED = "needs BEM to be asked in both directions, which our matcher is not"


def metrics_found(given: AeFiles) -> Found:
    """Tuned thresholds are those of highest accuracy on the ratings of AE train."""
    judged = _Judged(given)
    return {**dict(_splits(judged)), **dict(_systems(judged)), **dict(_thresholds(judged))}


class _Judged:
    """The metrics' scores of the files' ratings, computed once."""

    def __init__(self, given: AeFiles) -> None:
        self.given = given
        self._kept: dict[tuple[str, str], JudgedScores | Estimate] = {}

    def of(self, metric: str, name: str) -> JudgedScores | Estimate:
        """The scores, or an undefined estimate that says why there are none."""
        if (metric, name) not in self._kept:
            self._kept[metric, name] = self._scored(metric, name)
        return self._kept[metric, name]

    def accuracy(self, metric: str, name: str, threshold: float | Estimate) -> Estimate:
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
        judged = self.of(metric, "train")
        if isinstance(judged, Estimate):
            return judged
        return Estimate(value=judged.tuned_threshold(), n=judged.n)

    def _scored(self, metric: str, name: str) -> JudgedScores | Estimate:
        matcher, part = self.given.matcher(metric), self.given.part(name)
        if isinstance(matcher, str):
            return undefined(matcher, n=0)
        if part.pairs is None:
            return undefined(f"needs the AE files of {part.needs}", n=0)
        return part.pairs.judged(matcher)


def _splits(judged: _Judged) -> Iterator[tuple[Place, Estimate]]:
    """Tab. 4. No correlation is printed for EM: all its scores are alike."""
    for name, (accuracy, rho, _) in _COLUMNS.items():
        yield ("tab4", "EM", accuracy), judged.accuracy("EM", name, _PLAIN)
        for metric in ("F1", "BertScore", "BEM"):
            order = judged.spearman(metric, name)
            tuned = judged.accuracy(metric, name, judged.threshold(metric))
            yield ("tab4", metric, accuracy), judged.accuracy(metric, name, _PLAIN)
            yield ("tab4", metric, rho), order
            yield ("tab4", f"{metric} (tuned)", accuracy), tuned
            yield ("tab4", f"{metric} (tuned)", rho), order
        for row, reason in _without_matcher(judged):
            yield ("tab4", row, accuracy), undefined(reason, n=0)
            yield ("tab4", row, rho), undefined(reason, n=0)


def _without_matcher(judged: _Judged) -> Iterator[tuple[str, str]]:
    for metric, row in (("Bleurt 2.0", "Bleurt 2.0"), ("LERC", "LERC (tuned)")):
        yield row, str(judged.given.matcher(metric))
    yield "BEM (symmetrized)", _SYMMETRIZED


def _systems(judged: _Judged) -> Iterator[tuple[Place, Estimate]]:
    """Tab. 5."""
    for name, column in SYSTEMS.items():
        for metric in _OF_SYSTEMS:
            yield ("tab5", metric, column), judged.accuracy(metric, name, _PLAIN)


def _thresholds(judged: _Judged) -> Iterator[tuple[Place, Estimate]]:
    """Tab. 9."""
    for metric in _TUNED:
        threshold = judged.threshold(metric)
        yield ("tab9", metric, "Threshold"), threshold
        for name, (_, _, column) in _COLUMNS.items():
            yield ("tab9", metric, column), judged.accuracy(metric, name, threshold)
