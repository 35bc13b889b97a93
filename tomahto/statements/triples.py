"""Questions and answers with the statement that people (or a model) made of them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tomahto.statements.generator import QuestionAnswer
from tomahto.text.normalisation import normalise


class TriplesError(ValueError):
    """A wrong line; the message names file, line and field."""


@dataclass(frozen=True, slots=True)
class Triple:
    """A question with its answer, and the statement wanted."""

    pair: QuestionAnswer
    statement: str


def read_triples(path: Path) -> list[Triple]:
    """One triple per line of JSON, `{"question", "answer", "statement"}`; empty lines are passed
    over and further fields ignored.

    Raises TriplesError at the first wrong line, and for a file without triples.
    """
    triples = []
    with path.open(encoding="utf-8-sig") as file:
        try:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    triples.append(_triple(line, f"{path}, line {number}"))
        except UnicodeDecodeError as error:
            raise TriplesError(f"{path}: not UTF-8") from error
    if not triples:
        raise TriplesError(f"{path}: no examples")
    return triples


def hold_out(
    triples: list[Triple], *, share: float, seed: int
) -> tuple[list[Triple], list[Triple]]:
    """(training, held out): a share of the questions, at least one, with all their triples.

    Raises ValueError if there is only one question.
    """
    questions = list(dict.fromkeys(normalise(triple.pair.question) for triple in triples))
    count = max(1, round(share * len(questions)))
    if count == len(questions):
        raise ValueError("one question is too few to hold any out")
    chosen = np.random.default_rng(seed).permutation(len(questions))[:count]
    held_out = {questions[place] for place in chosen}
    parts: tuple[list[Triple], list[Triple]] = ([], [])
    for triple in triples:
        parts[normalise(triple.pair.question) in held_out].append(triple)
    return parts


def _triple(line: str, place: str) -> Triple:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise TriplesError(f"{place}: not JSON ({error})") from error
    if not isinstance(fields, dict):
        raise TriplesError(f"{place}: not a JSON object")
    question, answer, statement = (
        _text(fields.get(name), f"{place}, field {name}")
        for name in ("question", "answer", "statement")
    )
    return Triple(QuestionAnswer(question, answer), statement)


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise TriplesError(f"{place}: {value!r} is not a text")
    return value
