"""The several answers that a system weighed for each question, and what people judged of them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from inference.matchers.admitted import RankedAnswers
from tasks.models import Campaign, Candidate
from tasks.queries.items import live_items
from tasks.queries.system_answers import is_right
from tasks.queries.votes import majority_labels, votes_by_item


@dataclass(frozen=True, slots=True)
class NBest:
    """A question with its references, and a system's answers with their scores, best first."""

    question_key: str
    ranked: RankedAnswers
    scores: tuple[float, ...]


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
        answers = [(candidate.text, candidate.score or 0.0), *candidate.alternatives]
        yield NBest(
            question.key,
            RankedAnswers(
                question.text,
                question.context,
                tuple(question.references),
                tuple(text for text, _ in answers),
            ),
            tuple(float(score) for _, score in answers),
        )


def judged_answers(campaign: Campaign) -> Mapping[tuple[str, str], bool | None]:
    """Whether a rated answer is right, by question key and text; None where a tie leaves it open.

    An answer is rated once all its items are: it has several where every reference makes one.
    Whose answer it is does not matter.
    """
    items: dict[tuple[str, str], list[int]] = defaultdict(list)
    rows = live_items(campaign).order_by().values_list("question__key", "candidate", "pk")
    for question, text, item in rows:
        items[question, text].append(item)
    labels = majority_labels(campaign, votes_by_item(campaign))
    correct = campaign.annotation_protocol.correct_labels
    return {
        answer: is_right(found, labels, correct)
        for answer, found in items.items()
        if all(item in labels for item in found)
    }
