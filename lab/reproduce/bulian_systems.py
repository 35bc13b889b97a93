"""Bulian et al. 2022, Tab. 6 and 7: QA systems under each metric on the whole of SQuAD dev.

The AE files hold a system's answers that match no reference exactly. All its other answers match
one, so that SQuAD's questions are all that is missing.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from inference.matchers.interface import Matcher, Pair
from lab.reproduce.ae_files import SYSTEMS, AeFiles
from lab.reproduce.comparison import Found, Place
from lab.reproduce.rated_pairs import RatedPair
from lab.reproduce.shares import judged_share
from measures.estimate import Estimate, undefined
from measures.squad_v2 import SquadQuestion
from measures.text import best_overlap

_ONE_REFERENCE = (
    "needs the answers that match a reference exactly: they may not match the first, and no"
    " published file holds them"
)

Candidates = Sequence[Sequence[RatedPair]]
"""Candidates that match no reference exactly, each as its AE-examples."""
Earned = Callable[[Candidates], list[float]]


def systems_found(given: AeFiles) -> Found:
    found: dict[Place, Estimate] = {}
    for name, system in SYSTEMS.items():
        metrics = {
            metric: _on_all(given, name, earned) for metric, earned in _metrics(given).items()
        }
        found |= {("tab6", metric, system): value for metric, value in metrics.items()}
        for metric in ("F1", "BEM"):
            one = undefined(_ONE_REFERENCE, n=0)
            found["tab7", system, f"{metric}, 1 reference"] = one
            found["tab7", system, f"{metric}, all references"] = metrics[metric]
    return found


def _metrics(given: AeFiles) -> Mapping[str, Earned | str]:
    """What each metric gives candidates, or why nothing can."""
    bem, gold, seed = given.matcher("BEM"), given.squad or {}, given.bootstrap.seed

    def overlaps(candidates: Candidates) -> list[float]:
        return [
            best_overlap(first.candidate, gold[first.question_id].answers).f1
            for first, *_ in candidates
        ]

    def accepted(matcher: Matcher, candidates: Candidates) -> list[float]:
        scores = matcher.score([_with_all(first, gold) for first, *_ in candidates])
        return [float(score >= matcher.threshold) for score in scores]

    def judged(candidates: Candidates) -> list[float]:
        return [float(any(pair.is_equivalent(seed) for pair in pairs)) for pairs in candidates]

    return {
        "EM": lambda candidates: [0.0] * len(candidates),
        "F1": overlaps,
        "BEM": bem if isinstance(bem, str) else partial(accepted, bem),
        "Human": judged,
    }


def _with_all(pair: RatedPair, gold: Mapping[str, SquadQuestion]) -> Pair:
    answers = tuple(gold[pair.question_id].answers)
    return Pair(pair.question, pair.context, answers, pair.candidate)


def _on_all(given: AeFiles, name: str, earned: Earned | str) -> Estimate:
    """The mean over all questions of SQuAD dev."""
    part = given.part(name)
    if isinstance(earned, str):
        return undefined(earned, n=0)
    if part.pairs is None or given.squad is None:
        needs = [f"the AE files of {part.needs}"] if part.pairs is None else []
        needs += ["SQuAD 1.1 dev (squad=FILE)"] if given.squad is None else []
        return undefined(f"needs {' and '.join(needs)}", n=0)
    if reason := _misfit(part.pairs.by_candidate, given.squad):
        return undefined(reason, n=0)
    candidates = part.pairs.by_candidate
    earnings = earned(list(candidates.values()))
    rest = {question: value for (question, _), value in zip(candidates, earnings, strict=True)}
    rows = [(question, rest.get(question, 1.0)) for question in given.squad]
    return judged_share(rows, given.bootstrap)


def _misfit(
    by_candidate: Mapping[tuple[str, str], list[RatedPair]], squad: Mapping[str, SquadQuestion]
) -> str:
    """Why the two do not belong together, "" if they do."""
    questions = [question for question, _ in by_candidate]
    unknown = sum(question not in squad for question in questions)
    if unknown:
        return f"{unknown:,} of the file's candidates are of questions that the SQuAD data lack"
    if len(set(questions)) < len(questions):
        return "the file has several candidates for a question: it is not of one system"
    return ""
