"""SQuAD scores per second on one core, beside a straightforward reference and a peer:
`python -m benchmarks.squad [PREDICTIONS]`.

The data are those of benchmarks/lab.py; the values of all are compared before any is timed. The
reference is the one of the tests. The peer is torchmetrics, which scores SQuAD 1.1, where it is
installed. Time is the processor's, so other programs disturb little; the fastest of a few runs
counts.
"""

import argparse
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from benchmarks.lab import SquadData, squad_data
from benchmarks.timing import REPEATS, fastest
from tests.tomahto.scoring.squad_reference import squad_v1_reference, squad_v2_reference
from tomahto.scoring.squad import squad_v1, squad_v2

_PREDICTIONS = 100_000
_THRESHOLD = 0.9

Values = Mapping[str, float]


def main() -> None:
    parser = argparse.ArgumentParser(description=" ".join(__doc__.splitlines()[:2]))
    parser.add_argument("predictions", type=int, nargs="?", default=_PREDICTIONS)
    count: int = parser.parse_args().predictions
    data = squad_data(count)
    print(f"{count:,} predictions: per second, fastest of {REPEATS} runs", flush=True)
    _compare("SQuAD 2.0, 13 values", count, _second_version(data))
    answerable = SquadData(
        [question for question in data.questions if question.answers], data.predictions, {}
    )
    _compare("SQuAD 1.1, 2 values", len(answerable.questions), _first_version(answerable))


def _second_version(data: SquadData) -> dict[str, Callable[[], Values]]:
    gold = {question.id: list(question.answers) for question in data.questions}
    return {
        "ours": lambda: squad_v2(
            data.questions, data.predictions, na_probs=data.na_probs, na_threshold=_THRESHOLD
        ).as_json(),
        "reference": lambda: squad_v2_reference(gold, data.predictions, data.na_probs, _THRESHOLD),
    }


def _first_version(data: SquadData) -> dict[str, Callable[[], Values]]:
    gold = {question.id: list(question.answers) for question in data.questions}
    runs: dict[str, Callable[[], Values]] = {
        "ours": lambda: squad_v1(data.questions, data.predictions).as_json(),
        "reference": lambda: squad_v1_reference(gold, data.predictions),
    }
    if find_spec("torchmetrics"):
        runs["torchmetrics"] = _torchmetrics(gold, data.predictions)
    return runs


def _torchmetrics(
    gold: Mapping[str, list[str]], predictions: Mapping[str, str]
) -> Callable[[], Values]:
    squad = import_module("torchmetrics.functional.text").squad
    given = [{"id": key, "prediction_text": predictions[key]} for key in gold]
    wanted: Any = [
        {"id": key, "answers": {"text": texts, "answer_start": [0] * len(texts)}}
        for key, texts in gold.items()
    ]
    return lambda: {name: float(value) for name, value in squad(given, wanted).items()}


def _compare(title: str, count: int, runs: Mapping[str, Callable[[], Values]]) -> None:
    ours, seconds = runs["ours"](), {}
    for name, run in runs.items():
        values = run()
        # torchmetrics keeps its sums as 32-bit floats
        far = max(abs(values[key] - ours[key]) for key in values)
        assert far == 0 if name != "torchmetrics" else far < 0.01, (name, values, ours)
        seconds[name] = fastest(run, time.process_time)
        times = seconds[name] / seconds["ours"]
        speed = f"{count / seconds[name]:12,.0f}/s, ours is {times:5.2f} x as fast"
        print(f"{title:24} {name:14} {speed}; farthest value {far:.1e}", flush=True)


if __name__ == "__main__":
    main()
