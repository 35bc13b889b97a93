"""Scores that come in a file of their own, for the answers of a release."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from tomahto.lab.reproduce.cap_answers import CapAnswer, Inference


class ItemScores(NamedTuple):
    """By metric, and what CAP's score comes from where that is known."""

    scores: Mapping[str, float]
    inferences: tuple[Inference, Inference] | None


def with_scores(answers: Iterable[CapAnswer], by_item: Mapping[str, ItemScores]) -> list[CapAnswer]:
    """The answers with the scores of their items; scores that an answer has stay."""
    return [_scored(answer, by_item.get(answer.id)) for answer in answers]


def _scored(answer: CapAnswer, found: ItemScores | None) -> CapAnswer:
    if found is None or not answer.id:
        return answer
    return replace(
        answer,
        scores={**found.scores, **answer.scores},
        inferences=answer.inferences or found.inferences,
    )
