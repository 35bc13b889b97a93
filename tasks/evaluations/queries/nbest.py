"""The several answers that a system weighed for each question, and what people judged of them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from tasks.models import Campaign
from tasks.votes.items import live_items
from tasks.votes.patterns import majority_labels, votes_by_item
from tasks.votes.shared_items import shared_items
from tasks.votes.system_answers import candidates_for_answerable
from tomahto.conformal.answer_sets import CandidateTable
from tomahto.lab.report import MetricSignature, RankedCandidates
from tomahto.matching.admitted import RankedAnswers, admitted_answers
from tomahto.matching.interface import Matcher
from tomahto.ranking.system_answers import is_right
from tomahto.text.same_answer import is_exact

Verdict = Literal["exact_matches", "rated_right", "rated_wrong", "tied", "unrated"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
ADMISSIBLE: tuple[Verdict, ...] = ("exact_matches", "rated_right")


@dataclass(frozen=True, slots=True)
class NBest:
    """A question with its references, and a system's answers with their scores, best first; which
    are `exact` is said by the campaign's rule."""

    question_key: str
    ranked: RankedAnswers
    scores: tuple[float, ...]
    exact: tuple[bool, ...]


def nbest_answers(campaign: Campaign, system: str) -> Iterator[NBest]:
    """Every question with a reference that the system answered with a score, in the order they were
    imported."""
    candidates = (
        candidates_for_answerable(campaign)
        .filter(system__name=system, score__isnull=False)
        .select_related("question")
        .order_by("question_id")
    )
    for candidate in candidates.iterator(chunk_size=500):
        question = candidate.question
        answers = [(candidate.text, candidate.score or 0.0), *candidate.alternatives]
        references, texts = tuple(question.references), tuple(text for text, _ in answers)
        yield NBest(
            question.key,
            RankedAnswers(question.text, question.context, references, texts),
            tuple(float(score) for _, score in answers),
            tuple(is_exact(text, references, campaign.rule_of_exactness) for text in texts),
        )


def ranked_candidates(
    campaign: Campaign, metrics: Sequence[Matcher] = ()
) -> RankedCandidates | None:
    """The ranked answers of the system that weighed several for the most questions, admitted as the
    campaign's labels and its references say, and by each metric; None where no system did.

    Their nonconformity is the negative score. An answer that is not rated is not admissible.
    Raises what a metric raises.
    """
    scored = candidates_for_answerable(campaign).filter(score__isnull=False)
    names = Counter(scored.exclude(alternatives=[]).values_list("system__name", flat=True))
    if not names:
        return None
    system = min(names, key=lambda name: (-names[name], name))
    judged, found = judged_answers(campaign), list(nbest_answers(campaign, system))
    admissible = [[verdict in ADMISSIBLE for verdict in verdicts_on(one, judged)] for one in found]
    scores = [[-score for score in one.scores] for one in found]
    ranked = [one.ranked for one in found]
    return RankedCandidates(
        system,
        CandidateTable.of_rows(scores, admissible),
        [
            (
                MetricSignature(metric.name, metric.version, metric.threshold),
                CandidateTable.of_rows(scores, admitted_answers(metric, ranked)),
            )
            for metric in metrics
        ],
    )


def verdicts_on(one: NBest, judged: Mapping[tuple[str, str], bool | None]) -> Iterator[Verdict]:
    """What is known of each answer of a question; `judged` is what `judged_answers` returns."""
    for text, is_settled in zip(one.ranked.answers, one.exact, strict=True):
        if is_settled:
            yield "exact_matches"
        elif (one.question_key, text) not in judged:
            yield "unrated"
        else:
            is_right = judged[one.question_key, text]
            yield "tied" if is_right is None else "rated_right" if is_right else "rated_wrong"


def judged_answers(campaign: Campaign) -> Mapping[tuple[str, str], bool | None]:
    """Whether a rated answer is right, by question key and text; None where a tie leaves it open.

    An answer is rated once all its items are: it has several where every reference makes one.
    Whose answer it is does not matter, nor which of the questions with its texts they came with.
    """
    items: dict[tuple[str, str], list[int]] = defaultdict(list)
    rows = live_items(campaign).order_by().values_list("question__key", "candidate", "pk")
    for question, text, item in rows:
        items[question, text].append(item)
    shared = shared_items(campaign)
    for (number, text), settling in shared.texts.items():
        items[shared.questions[number].key, text] = [item.pk for item in settling]
    labels = majority_labels(campaign, votes_by_item(campaign))
    correct = campaign.annotation_protocol.correct_labels
    return {
        answer: is_right(found, labels, correct)
        for answer, found in items.items()
        if all(item in labels for item in found)
    }
