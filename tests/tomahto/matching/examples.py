"""Small labelled pairs, written for these tests."""

import json
from collections.abc import Sequence
from pathlib import Path

from tomahto.learning.files import Examples
from tomahto.matching.human_labels import LabelledPair
from tomahto.matching.interface import Pair


def pair(candidate: str, *references: str, question: str = "Who wrote it?") -> Pair:
    return Pair(question=question, context="", references=references, candidate=candidate)


def example(
    candidate: str, *references: str, correct: bool, question: str = "Who wrote it?"
) -> LabelledPair:
    return LabelledPair(pair(candidate, *references, question=question), correct)


EXAMPLES = [
    example("the red fox", "red fox", correct=True, question="What jumped?"),
    example("a wolf", "red fox", correct=False, question="What jumped?"),
    example("in 1912", "1912", correct=True, question="When did it sink?"),
    example("1914", "1912", "April 1912", correct=False, question="When did it sink?"),
    example("Ada Lovelace", "Lovelace", "Ada King", correct=True),
    example("Charles Babbage", "Ada Lovelace", correct=False),
    example("Mount Fuji in Japan", "Mount Fuji", correct=True, question="Which mountain is it?"),
    example("Mount Etna", "Mount Fuji", correct=False, question="Which mountain is it?"),
    example("seven", "seven days", correct=True, question="How many days?"),
    example("eight days", "seven days", correct=False, question="How many days?"),
    example("Lake Geneva", "Geneva", correct=False, question="Which city is it?"),
    example("Geneva, Switzerland", "Geneva", correct=True, question="Which city is it?"),
]


def examples_of(rows: Sequence[LabelledPair], name: str = "examples") -> Examples[LabelledPair]:
    """As they would be read from a file of that name."""
    return Examples(tuple(rows), name, {"file": name})


def write_examples(path: Path, examples: Sequence[LabelledPair]) -> Path:
    lines = (
        {
            "question": example.pair.question,
            "references": example.pair.references,
            "candidate": example.pair.candidate,
            "label": example.correct,
        }
        for example in examples
    )
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path
