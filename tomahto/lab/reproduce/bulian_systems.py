"""Bulian et al. 2022, Tab. 6 and 7: QA systems under each metric on the whole of SQuAD dev.

The AE files hold a system's answers that match no reference exactly. All its other answers match
one, so that SQuAD's questions are all that is missing. An answer that matches some reference need
not match the first, so that Tab. 7's single reference needs all answers. Where those are known, an
empty answer that nobody rated is wrong by every metric.

BEM accepts from 0.5: the tables name it BEM, not "BEM (tuned)" as Tab. 4 does.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.reproduce.ae_files import PLAIN, SYSTEMS, needs, or_release
from tomahto.lab.reproduce.bulian_metrics import JudgedFiles
from tomahto.lab.reproduce.comparison import Found, Place
from tomahto.lab.reproduce.rated_pairs import RatedPair
from tomahto.lab.reproduce.shares import judged_share
from tomahto.matching.interface import Pair
from tomahto.scoring.squad_v2 import SquadQuestion
from tomahto.text.normalisation import best_overlap, exact_match

_SQUAD = "SQuAD 1.1 dev (squad=FILE)"
_ASK_BEM = "--matcher bem"

Candidates = Mapping[tuple[str, str], Sequence[RatedPair]]
"""Candidates that match no reference exactly, by question and text, each as its AE-examples."""
Gold = Mapping[str, SquadQuestion]


def systems_found(judged: JudgedFiles) -> Found:
    found: dict[Place, Estimate] = {}
    for name, system in SYSTEMS.items():
        metrics = {
            metric: _on_all(judged, name, earned) for metric, earned in _metrics(judged, name)
        }
        found |= {("tab6", metric, system): value for metric, value in metrics.items()}
        for metric, one in (("F1", _overlap_with_first), ("BEM", _bem_with_first)):
            found["tab7", system, f"{metric}, 1 reference"] = one(judged, name)
            found["tab7", system, f"{metric}, all references"] = metrics[metric]
    return found


def _metrics(
    judged: JudgedFiles, name: str
) -> Iterator[tuple[str, Callable[[Candidates], list[float]] | str]]:
    """What each metric gives candidates, or what is needed for that."""
    gold, seed = judged.given.squad or {}, judged.given.bootstrap.seed
    yield (
        "EM",
        lambda candidates: [
            float(exact_match(candidate, gold[question].answers))
            for question, candidate in candidates
        ],
    )
    yield (
        "F1",
        lambda candidates: [
            best_overlap(candidate, gold[question].answers).f1 for question, candidate in candidates
        ],
    )
    yield "BEM", _accepted(judged, name)
    yield (
        "Human",
        lambda candidates: [
            float(any(pair.is_equivalent(seed) for pair in pairs)) for pairs in candidates.values()
        ],
    )


def _accepted(judged: JudgedFiles, name: str) -> Callable[[Candidates], list[float]] | str:
    """Whether BEM accepts a candidate beside any of its references. One that is rated although it
    matches a reference exactly is right without being asked."""
    scores, gold = judged.scores("bem", name), judged.given.squad or {}
    if isinstance(scores, str):
        return scores
    accepted = {
        (pair.question_id, pair.candidate)
        for score, pair in zip(scores, judged.given.files[name].pairs, strict=True)
        if score >= PLAIN
    }
    return lambda candidates: [
        float(key in accepted or exact_match(key[1], gold[key[0]].answers)) for key in candidates
    ]


def _on_all(
    judged: JudgedFiles, name: str, earned: Callable[[Candidates], list[float]] | str
) -> Estimate:
    """The mean over all questions of SQuAD dev."""
    given = judged.given
    part = given.part(name)
    if part.pairs is None or given.squad is None:
        lacking = [] if part.pairs is not None else [part.needs.removeprefix("needs ")]
        return undefined(needs(*lacking, *([_SQUAD] if given.squad is None else [])), n=0)
    if isinstance(earned, str):
        return undefined(earned, n=0)
    candidates = part.pairs.by_candidate
    if reason := _misfit(candidates, given.squad) or _unsettled(judged, name, candidates):
        return undefined(reason, n=0)
    earnings = earned(candidates)
    rest = {question: value for (question, _), value in zip(candidates, earnings, strict=True)}
    answers = given.predictions.get(name)
    for key, asked in given.squad.items():
        rest.setdefault(key, float(answers is None or exact_match(answers[key], asked.answers)))
    return judged_share([(key, rest[key]) for key in given.squad], given.bootstrap)


def _overlap_with_first(judged: JudgedFiles, name: str) -> Estimate:
    gold, answers = judged.given.squad, judged.given.predictions.get(name)
    if gold is None or answers is None or (reason := _gaps(judged, name) or _unordered(judged)):
        return undefined(_needed(judged, name) or reason, n=0)
    rows = [(key, best_overlap(answers[key], gold[key].answers[:1]).f1) for key in gold]
    return judged_share(rows, judged.given.bootstrap)


def _bem_with_first(judged: JudgedFiles, name: str) -> Estimate:
    """As in Tab. 6, an answer that matches the reference exactly is right without being asked, and
    an empty one is wrong."""
    given = judged.given
    gold, answers, bem = given.squad, given.predictions.get(name), given.matchers.get("bem")
    if gold is None or answers is None or bem is None:
        return undefined(_needed(judged, name, *([] if bem else [_ASK_BEM])), n=0)
    if reason := _gaps(judged, name) or _unordered(judged) or _textless(gold, given.texts):
        return undefined(reason, n=0)
    pairs = [Pair(*given.texts[key], tuple(gold[key].answers[:1]), answers[key]) for key in gold]
    rows = [
        (
            key,
            exact_match(pair.candidate, pair.references)
            or (bool(pair.candidate.strip()) and score >= PLAIN),
        )
        for key, pair, score in zip(gold, pairs, bem.score(pairs), strict=True)
    ]
    return judged_share(rows, given.bootstrap)


def _needed(judged: JudgedFiles, name: str, *more: str) -> str:
    """What is not there for a system's answers to all questions; "" if nothing is missing."""
    lacking = [
        *([] if judged.given.squad is not None else [_SQUAD]),
        *(
            []
            if name in judged.given.predictions
            else [f"all answers of {SYSTEMS[name]} (predictions-{name}=FILE, {or_release(name)})"]
        ),
        *more,
    ]
    return needs(*lacking) if lacking else ""


def _gaps(judged: JudgedFiles, name: str) -> str:
    given = judged.given
    gold, answers = given.squad or {}, given.predictions.get(name, {})
    lacking = sum(key not in answers for key in gold)
    if not lacking:
        return ""
    questions = f"{lacking:,} of {len(gold):,} questions"
    if f"predictions-{name}" in given.of_release:
        return f"the release lacks answers of {SYSTEMS[name]} to {questions}"
    return f"predictions-{name} lacks answers to {questions}"


def _unordered(judged: JudgedFiles) -> str:
    count = len(judged.given.unordered)
    if count:
        return (
            f"the release does not say which reference of {count:,} questions is the first, as"
            " all their answers are exact; needs squad=FILE of the questions with references"
        )
    return ""


def _textless(gold: Gold, texts: Mapping[str, object]) -> str:
    lacking = sum(key not in texts for key in gold)
    if lacking:
        return f"squad= has no text of {lacking:,} of {len(gold):,} questions, which BEM reads"
    return ""


def _unsettled(judged: JudgedFiles, name: str, candidates: Candidates) -> str:
    """Why not all answers are exact, rated or empty, as far as they are known; "" if they are."""
    gold, answers = judged.given.squad or {}, judged.given.predictions.get(name)
    if answers is None:
        return ""
    open_ = sum(
        (key, answers[key]) not in candidates and not exact_match(answers[key], gold[key].answers)
        for key in gold
        if answers.get(key, "").strip()
    )
    reason = f"{open_:,} answers of {SYSTEMS[name]} are neither exact nor rated" if open_ else ""
    return _gaps(judged, name) or reason


def _misfit(by_candidate: Candidates, squad: Gold) -> str:
    """Why the two do not belong together, "" if they do."""
    questions = [question for question, _ in by_candidate]
    unknown = sum(question not in squad for question in questions)
    if unknown:
        return f"{unknown:,} of the file's candidates are of questions that the SQuAD data lack"
    if len(set(questions)) < len(questions):
        return "the file has several candidates for a question: it is not of one system"
    return ""
