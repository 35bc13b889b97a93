"""The several answers that a system weighed for each question, with their scores."""

from collections.abc import Iterator
from dataclasses import dataclass

from tasks.models import Campaign, Candidate


@dataclass(frozen=True, slots=True)
class NBest:
    """A question with its references, and a system's answers with their scores, best first."""

    question_key: str
    question: str
    references: tuple[str, ...]
    answers: tuple[tuple[str, float], ...]


def nbest_answers(campaign: Campaign, system: str) -> Iterator[NBest]:
    """Every question that the system answered with a score, in the order they were imported."""
    candidates = (
        Candidate.objects.filter(
            system__campaign=campaign, system__name=system, score__isnull=False
        )
        .select_related("question")
        .order_by("question_id")
    )
    for candidate in candidates.iterator(chunk_size=500):
        question = candidate.question
        others = ((text, float(score)) for text, score in candidate.alternatives)
        yield NBest(
            question.key,
            question.text,
            tuple(question.references),
            ((candidate.text, float(candidate.score or 0.0)), *others),
        )
