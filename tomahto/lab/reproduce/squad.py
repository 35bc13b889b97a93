"""SQuAD 2.0 again: the metric card's examples, or values that somebody expects of predictions."""

from collections.abc import Collection, Mapping

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.reproduce.comparison import CellKey, OurFigures
from tomahto.lab.reproduce.published import (
    REPRODUCE,
    PublishedFigure,
    PublishedPaper,
    PublishedTable,
)
from tomahto.scoring.squad import SquadQuestion, SquadV2, squad_v2

_ALL_DIGITS = 17  # a float has no more

_YEAR = ("56e10a3be3433e1400422b22", "1976")
_SINGERS = ("56d2051ce7d4791d0090260b", "Beyoncé and Bruno Mars")
_CLIMATE = ("5733b5344776f419006610e1", "climate change")
_EXAMPLES = {
    "Perfect match": {_YEAR: "1976"},
    "No match": {_YEAR: "1999"},
    "Partial match": {_YEAR: "1976", _SINGERS: "Beyonce", _CLIMATE: "climate change"},
}
"""Predictions by question and gold answer. All no-answer probabilities are 0."""


SUBMISSIONS = {"Best model": "model", "Human performance": "human"}
"""The files of predictions that make the rows of the paper's figures."""


def card_figures(scored: Mapping[str, SquadV2], given: Collection[str]) -> OurFigures:
    """The values of the metric card's examples, and those that it repeats from the paper: of
    predictions `scored` by the names in `SUBMISSIONS`. `given` are the names of the files."""
    found: dict[CellKey, Estimate] = {}
    for column, example in _EXAMPLES.items():
        questions = [SquadQuestion(key, (answer,)) for key, answer in example]
        predictions = {key: predicted for (key, _), predicted in example.items()}
        scores = squad_v2(questions, predictions, na_probs=dict.fromkeys(predictions, 0.0))
        found |= {("card", row, column): one for row, one in _estimates(scores.as_json()).items()}
    for row, name in SUBMISSIONS.items():
        needed = {"data": "data=FILE", name: f"{name}=FILE of predictions"}
        lacking = " and ".join(text for key, text in needed.items() if key not in given)
        f1 = exact = undefined(f"needs {lacking}", n=0)
        if name in scored:
            values = scored[name].overall
            f1 = Estimate(value=values.f1, n=values.total)
            exact = Estimate(value=values.exact, n=values.total)
        found |= {("paper", row, "F1"): f1, ("paper", row, "Exact match"): exact}
    return found


def expected_paper(expected: Mapping[str, float]) -> PublishedPaper:
    """Values that somebody expects, such as the official script's output, as published figures."""
    figures = tuple(
        PublishedFigure(
            table="expected",
            row=name,
            column="Value",
            unit="value",
            text=repr(value),
            value=value,
            digits=_ALL_DIGITS,
            bound="",
            margin=None,
        )
        for name, value in expected.items()
    )
    table = PublishedTable(
        key="expected",
        place="Expected",
        title="Values of the predictions",
        command=f"{REPRODUCE} squad",
        input="DATA PREDICTIONS [NA_PROBS]",
        figures=figures,
    )
    return PublishedPaper("Expected values", "Expected values", (table,))


def expected_figures(ours: Mapping[str, float], expected: Mapping[str, float]) -> OurFigures:
    """Of each expected value ours, or why there is none."""
    there = _estimates(ours)
    return {("expected", name, "Value"): there.get(name) or _lacking(name) for name in expected}


def _lacking(name: str) -> Estimate:
    if name.startswith("best_"):
        return undefined("needs no-answer probabilities (NA_PROBS)", n=0)
    if name.startswith(("HasAns_", "NoAns_")):
        kind = "with" if name.startswith("HasAns_") else "without"
        return undefined(f"needs questions {kind} an answer: DATA has none", n=0)
    return undefined(f"squad_v2 has no value {name!r}", n=0)


def _estimates(values: Mapping[str, float]) -> dict[str, Estimate]:
    """Each value over the questions it is of: all, or those with an answer, or without."""
    return {
        name: Estimate(
            value=value, n=int(values.get(f"{name.partition('_')[0]}_total", values["total"]))
        )
        for name, value in values.items()
    }
