"""Bulian et al. 2022, Tab. 6 and 7: QA systems under each metric on the whole of SQuAD dev.

The AE files hold a system's answers that match no reference exactly. All its other answers match
one, so that SQuAD's questions are all that is missing. Where all of a system's answers are known,
EM and F1 need them alone, and BEM what it says of those that match no reference. An answer that
matches some reference need not match the first, so that Tab. 7's single reference needs them.

Only people's column needs ratings. It is that of a release's table of systems
(tomahto.ranking.system_accuracy): open answers count as those do that are judged.

BEM accepts from 0.5: the tables name it BEM, not "BEM (tuned)" as Tab. 4 does.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.reproduce.ae_files import ACCEPTED, PLAIN, SYSTEMS, RatedPairs, needs, or_release
from tomahto.lab.reproduce.bulian_metrics import JudgedFiles
from tomahto.lab.reproduce.comparison import Found, Place, judged_share
from tomahto.matching.interface import Pair
from tomahto.ranking.system_accuracy import SystemAnswers, Texts, accuracy_with_exact, answers_of
from tomahto.releases.documents.fact_sentences import counted
from tomahto.scoring.squad import Earned, SquadQuestion, earned
from tomahto.text.normalisation import ExactRule, is_empty, is_exact

_SQUAD = "SQuAD 1.1 dev (squad=FILE)"
_ASK_BEM = "--matcher bem"

Gold = Mapping[str, SquadQuestion]
Verdicts = Mapping[tuple[str, str], bool]
"""Whether BEM accepts a candidate of a question."""


def systems_found(judged: JudgedFiles) -> Found:
    found: dict[Place, Estimate] = {}
    for name, system in SYSTEMS.items():
        metrics = {
            "EM": _overlap(judged, name, lambda each: each.exact_match),
            "F1": _overlap(judged, name, lambda each: each.f1),
            "BEM": _bem(judged, name),
            "Human": _people(judged, name),
        }
        found |= {("tab6", metric, system): value for metric, value in metrics.items()}
        for metric, one in (("F1", _overlap_with_first), ("BEM", _bem_with_first)):
            found["tab7", system, f"{metric}, 1 reference"] = one(judged, name)
            found["tab7", system, f"{metric}, all references"] = metrics[metric]
    return found


def open_notes(judged: JudgedFiles) -> Iterator[str]:
    """How many answers of which system the judged ones stand for in people's column."""
    for name, system in SYSTEMS.items():
        if not _unknown(judged, name, by_people=True):
            answers = _judged_answers(judged, name).answers.values()
            if count := sum(answer.value is None for answer in answers):
                yield (
                    f"Tab. 6, Human: {count:,} of {len(answers):,} answers of {system} that match"
                    " no reference are open, and the judged ones stand for them"
                )


def _overlap(judged: JudgedFiles, name: str, of_text: Callable[[Earned], float]) -> Estimate:
    """The mean over all questions of SQuAD dev. An answer whose text is not known is exact."""
    if reason := _unknown(judged, name):
        return undefined(reason, n=0)
    gold, texts = judged.given.squad or {}, _texts(judged, name)
    rows = [
        (key, of_text(earned(asked.answers, texts[key])) if key in texts else 1.0)
        for key, asked in gold.items()
    ]
    return judged_share(rows, judged.given.bootstrap)


def _overlap_with_first(judged: JudgedFiles, name: str) -> Estimate:
    gold, answers = judged.given.squad, judged.given.predictions.get(name)
    if gold is None or answers is None or (reason := _gaps(judged, name) or _unordered(judged)):
        return undefined(_needed(judged, name) or reason, n=0)
    rows = [(key, earned(gold[key].answers[:1], answers[key]).f1) for key in gold]
    return judged_share(rows, judged.given.bootstrap)


def _bem(judged: JudgedFiles, name: str) -> Estimate:
    """By its scores of AE-examples as far as they decide, else by asking it."""
    if reason := _unknown(judged, name):
        return undefined(reason, n=0)
    pairs = judged.given.files.get(name)
    scores = judged.scores("bem", name) if pairs and pairs.pairs else []
    if isinstance(scores, str):
        return undefined(scores, n=0)
    return _accepted(judged, name, judged.given.squad or {}, _verdicts(pairs, scores))


def _bem_with_first(judged: JudgedFiles, name: str) -> Estimate:
    given = judged.given
    gold, answers, bem = given.squad, given.predictions.get(name), given.matchers.get("bem")
    if gold is None or answers is None or bem is None:
        return undefined(_needed(judged, name, *([] if bem else [_ASK_BEM])), n=0)
    if reason := _gaps(judged, name) or _unordered(judged):
        return undefined(reason, n=0)
    first = {key: SquadQuestion(key, asked.answers[:1]) for key, asked in gold.items()}
    return _accepted(judged, name, first, {})


def _verdicts(pairs: RatedPairs | None, scores: Iterable[float]) -> Verdicts:
    """Of the candidates that are accepted beside one of their references, or were compared with
    all."""
    if pairs is None:
        return {}
    whole = pairs.by_candidate.keys() - pairs.partial
    accepted = {
        (pair.question_id, pair.candidate)
        for score, pair in zip(scores, pairs.pairs, strict=True)
        if score >= PLAIN
    }
    return dict.fromkeys(whole, False) | dict.fromkeys(accepted, True)


def _accepted(judged: JudgedFiles, name: str, gold: Gold, verdicts: Verdicts) -> Estimate:
    """The share of questions whose answer BEM accepts. An exact answer is right without being
    asked, and an empty one wrong."""
    given, texts, rule = judged.given, _texts(judged, name), _rule(judged, name)
    found, open_ = dict.fromkeys(gold, True), dict[str, str]()
    for key, asked in gold.items():
        if key in texts and not is_exact(texts[key], asked.answers, rule):
            found[key] = verdicts.get((key, texts[key]), False)
            if (key, texts[key]) not in verdicts and not is_empty(texts[key]):
                open_[key] = texts[key]
    bem = given.matchers.get("bem")
    if open_ and bem is None:
        reason = f"{_ASK_BEM}, as {len(open_):,} answers of {SYSTEMS[name]} are not all rated"
        return undefined(needs(reason), n=0)
    if reason := _textless(open_, gold, given.texts):
        return undefined(reason, n=0)
    if bem is not None:
        pairs = [
            Pair(*given.texts[key], tuple(gold[key].answers), text) for key, text in open_.items()
        ]
        for key, score in zip(open_, bem.score(pairs), strict=True):
            found[key] = score >= PLAIN
    return judged_share([*found.items()], given.bootstrap)


def _people(judged: JudgedFiles, name: str) -> Estimate:
    if reason := _unknown(judged, name, by_people=True):
        return undefined(reason, n=0)
    return accuracy_with_exact(_judged_answers(judged, name), judged.given.bootstrap)


def _judged_answers(judged: JudgedFiles, name: str) -> SystemAnswers[str]:
    """A system's answers to the questions of SQuAD dev, as far as people have to judge them."""
    given, pairs = judged.given, judged.given.files[name]
    gold, answers = given.squad or {}, given.predictions.get(name)
    texts: Texts[str] = {
        question: {text: examples} for (question, text), examples in pairs.by_candidate.items()
    }
    exact = set[str]()
    if answers is None:
        exact |= gold.keys() - texts.keys()
    else:
        for key, asked in gold.items():
            if answers[key] not in texts.get(key, {}):
                texts[key] = {answers[key]: []}
                if _is_settled(judged, name, asked, answers[key]):
                    exact.add(key)
    labels = pairs.labels(given.bootstrap.seed)
    return answers_of(SYSTEMS[name], texts, frozenset(exact), labels, ACCEPTED)


def _is_settled(judged: JudgedFiles, name: str, asked: SquadQuestion, answer: str) -> bool:
    """Whether the answer is exact: as the release says, or by its rule."""
    if name in judged.given.exact:
        return asked.id in judged.given.exact[name]
    return is_exact(answer, asked.answers, _rule(judged, name))


def _rule(judged: JudgedFiles, name: str) -> ExactRule:
    return judged.given.exact_rules.get(name, ExactRule.SQUAD)


def _texts(judged: JudgedFiles, name: str) -> Mapping[str, str]:
    """A system's answers by question, or those that match no reference."""
    answers = judged.given.predictions.get(name)
    if answers is not None:
        return answers
    return dict(judged.given.files[name].by_candidate.keys())


def _unknown(judged: JudgedFiles, name: str, *, by_people: bool = False) -> str:
    """Why it is not known of all questions how a system answered them, or how people judge it; ""
    if it is."""
    given, part = judged.given, judged.given.part(name)
    answers, gold = given.predictions.get(name), given.squad
    needs_pairs = by_people or answers is None
    lacking = [part.needs.removeprefix("needs ")] if needs_pairs and part.pairs is None else []
    if gold is None:
        lacking.append(_SQUAD)
    if gold is None or lacking:
        return needs(*lacking)
    misfit = _misfit(part.pairs, gold) if needs_pairs and part.pairs else ""
    return misfit or ("" if answers is None else _gaps(judged, name))


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
            f"the release does not say which reference of {counted(count, 'question')} is the"
            " first, as no answer was rated beside it; needs squad=FILE of the questions with"
            " references"
        )
    return ""


def _textless(keys: Collection[str], gold: Gold, texts: Mapping[str, object]) -> str:
    lacking = sum(key not in texts for key in keys)
    if lacking:
        return f"squad= has no text of {lacking:,} of {len(gold):,} questions, which BEM reads"
    return ""


def _misfit(pairs: RatedPairs, squad: Gold) -> str:
    """Why the two do not belong together, "" if they do."""
    questions = [question for question, _ in pairs.by_candidate]
    unknown = sum(question not in squad for question in questions)
    if unknown:
        return f"{unknown:,} of the file's candidates are of questions that the SQuAD data lack"
    if len(set(questions)) < len(questions):
        return "the file has several candidates for a question: it is not of one system"
    return ""
