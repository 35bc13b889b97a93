"""Results of metrics on a campaign: scores, ranked answers, and the files of reports."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Literal, NamedTuple, get_args

from tasks.intake.queries import can_judge, is_imported
from tasks.models import Campaign, Evaluation, Suggestion
from tasks.prefill.queries.matchers import is_trained_name, usable_matchers
from tasks.release_store.files import NoSuchFile, Opened, StoredFile
from tasks.votes.items import live_items
from tasks.votes.labels import votes_by_item
from tasks.votes.shared_items import candidates_for_answerable, shared_items
from tomahto.conformal.answer_sets import CandidateTable
from tomahto.lab.judged import JudgedItem
from tomahto.lab.report import LabReport, MetricSignature, RankedCandidates, report_from_json
from tomahto.lab.report_files import report_file, report_paths
from tomahto.matching.aliases import SUFFIX
from tomahto.matching.cap import CapScore
from tomahto.matching.interface import Matcher
from tomahto.matching.registry import matcher_names, suggesting_matchers
from tomahto.matching.scores import RankedAnswers, admitted_answers
from tomahto.matching.trainable import kind_of
from tomahto.ranking.system_answers import is_right
from tomahto.text.normalisation import is_exact

_QUICK = ("em", "f1", "cfmatch", "feather")


class StoredScores(NamedTuple):
    """Scores by the items' keys, and the items that have none."""

    scores: Mapping[str, float]
    missing: Sequence[JudgedItem]


def is_quick(metric: str) -> bool:
    """Whether an evaluation may wait for the matcher to score what it has not scored."""
    return kind_of(metric.removesuffix(SUFFIX)) in _QUICK or is_trained_name(metric)


def available_metrics(campaign: Campaign) -> list[str]:
    """Quick matchers and those with suggestions for the campaign, its own ones after the others,
    and last those whose scores were imported."""
    stored = Suggestion.objects.filter(item__campaign=campaign).order_by()
    versions = set(stored.values_list("matcher", "version").distinct())
    with_suggestions = {name for name, _ in versions}
    usable = (
        name for name in usable_matchers(campaign) if is_quick(name) or name in with_suggestions
    )
    return [*usable, *sorted({name for name, version in versions if is_imported(version)})]


def usual_metrics(campaign: Campaign, available: Sequence[str]) -> list[str]:
    """Those of the available that are asked where none is named: all but the baselines, and
    imported ones if the last import can judge all that is rated."""
    ours = matcher_names()
    return [
        name
        for name in available
        if suggests(name) or (name not in ours and can_judge(campaign, name))
    ]


def suggests(name: str) -> bool:
    """Whether it is a matcher of ours whose threshold means something."""
    return name in suggesting_matchers() or is_trained_name(name)


def cap_scores(
    campaign: Campaign, matcher: Matcher, items: Sequence[JudgedItem]
) -> list[CapScore] | None:
    """The inferences behind the stored scores of this version of `cap`, in the order of the items;
    None unless they are known of all of them."""
    rows = Suggestion.objects.filter(
        item__campaign=campaign,
        matcher=matcher.name,
        version=matcher.version,
        explanation__isnull=False,
    )
    explained: dict[str, Any] = dict(rows.values_list("item__key", "explanation"))
    if not all(item.id in explained for item in items):
        return None
    return [CapScore.from_json(explained[item.id]) for item in items]


def stored_scores(
    campaign: Campaign, matcher: Matcher, items: Sequence[JudgedItem]
) -> StoredScores:
    rows = Suggestion.objects.filter(
        item__campaign=campaign, matcher=matcher.name, version=matcher.version
    )
    scores = dict(rows.values_list("item__key", "score"))
    return StoredScores(scores, [item for item in items if item.id not in scores])


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
    """The known facts of each answer of a question; `judged` is the result of `judged_answers`."""
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
    labels = votes_by_item(campaign).majority_labels
    correct = campaign.annotation_protocol.correct_labels
    return {
        answer: is_right(found, labels, correct)
        for answer, found in items.items()
        if all(item in labels for item in found)
    }


def report_of(evaluation: Evaluation) -> LabReport:
    return report_from_json(json.loads(evaluation.report))


def files_of(evaluation: Evaluation) -> "ReportFiles":
    return ReportFiles(report_of(evaluation))


class ReportFiles:
    """Read as those of a release are (`release_store.files`), and made one by one."""

    def __init__(self, report: LabReport) -> None:
        self._report = report
        self._made: dict[str, bytes] = {}

    def listed(self) -> list[StoredFile]:
        paths = sorted(report_paths(self._report))
        return [StoredFile(path, self.size(path)) for path in paths]

    def size(self, path: str) -> int:
        return len(self._content(path))

    def open(self, path: str, part: range | None = None) -> Opened:
        content = self._content(path)
        return BytesIO(content if part is None else content[part.start : part.stop])

    def _content(self, path: str) -> bytes:
        if path not in self._made:
            if path not in report_paths(self._report):
                raise NoSuchFile(path)
            self._made[path] = report_file(self._report, path).content
        return self._made[path]
