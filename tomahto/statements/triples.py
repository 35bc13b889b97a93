"""Questions and answers with the statement that people (or a model) made of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tomahto.learning.examples import question_of
from tomahto.statements.generator import QuestionAnswer


@dataclass(frozen=True, slots=True)
class Triple:
    """A question with its answer, and the statement wanted."""

    pair: QuestionAnswer
    statement: str


def hold_out(
    triples: Sequence[Triple], *, share: float, seed: int
) -> tuple[tuple[Triple, ...], tuple[Triple, ...]]:
    """(training, held out): a share of the questions, at least one, with all their triples.

    Raises ValueError if there is only one question.
    """
    questions = list(dict.fromkeys(question_of(triple) for triple in triples))
    count = max(1, round(share * len(questions)))
    if count == len(questions):
        raise ValueError("one question is too few to hold any out")
    chosen = np.random.default_rng(seed).permutation(len(questions))[:count]
    held_out = {questions[place] for place in chosen}
    parts: tuple[list[Triple], list[Triple]] = ([], [])
    for triple in triples:
        parts[question_of(triple) in held_out].append(triple)
    return tuple(parts[0]), tuple(parts[1])
