"""Bulian et al. 2022, Tab. 6 and 7: QA systems under each metric on the whole of SQuAD dev.

The AE files hold a system's answers that match no reference exactly. All its other answers match
one, so that SQuAD's questions are all that is missing. Where all of a system's answers are known,
EM and F1 need them alone, and BEM what it says of those that match no reference. An answer that
matches some reference need not match the first, so that Tab. 7's single reference needs them.

Only people's column needs ratings. It is that of a release's table of systems
(tomahto.ranking.system_accuracy): open answers count as those do that are judged.

BEM accepts from 0.5: the tables name it BEM, not "BEM (tuned)" as Tab. 4 does.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from tomahto.estimates.estimate import Estimate
from tomahto.lab.reproduce.ae_files import (
    ACCEPTED,
    PLAIN,
    SYSTEMS,
    AeFiles,
    RatedPairs,
    named_file,
    needs,
    or_release,
)
from tomahto.lab.reproduce.comparison import Cells, Needed, judged_share
from tomahto.matching.interface import Pair
from tomahto.ranking.system_accuracy import accuracy_with_exact
from tomahto.ranking.system_answers import TO_BE_RATED, SystemAnswers, Texts, answers_of
from tomahto.releases.documents.fact_sentences import counted
from tomahto.scoring.squad import Earned, SquadQuestion, earned
from tomahto.text.normalisation import ExactRule, is_empty, is_exact

_SQUAD = "SQuAD 1.1 dev (squad=FILE)"
_ASK_BEM = "--matcher bem"

Gold = Mapping[str, SquadQuestion]


def system_cells(given: AeFiles) -> Cells:
    for name, title in SYSTEMS.items():
        system = _System(given, name)
        metrics: dict[str, Callable[[], Estimate]] = {
            "EM": partial(system.overlap, lambda each: each.exact_match),
            "F1": cache(partial(system.overlap, lambda each: each.f1)),
            "BEM": cache(system.bem),
            "Human": system.people,
        }
        for metric, compute in metrics.items():
            yield ("tab6", metric, title), compute
        for metric, first in (("F1", system.overlap_with_first), ("BEM", system.bem_with_first)):
            yield ("tab7", title, f"{metric}, 1 reference"), first
            yield ("tab7", title, f"{metric}, all references"), metrics[metric]


def open_notes(given: AeFiles) -> Iterator[str]:
    """The number of each system's answers that the judged ones stand for in people's column."""
    for name, title in SYSTEMS.items():
        try:
            answers = _System(given, name).judged_answers()
        except Needed:
            continue
        if count := int(np.isnan(answers.values).sum()):
            of = answers.count(TO_BE_RATED)
            yield (
                f"Tab. 6, Human: {count:,} of {of:,} answers of {title} that match"
                " no reference are open, and the judged ones stand for them"
            )


@dataclass(frozen=True)
class _System:
    """A system's answers to the questions of SQuAD dev, as far as the files hold them."""

    given: AeFiles
    name: str

    @property
    def answers(self) -> Mapping[str, str] | None:
        """All of them by question, where they are known."""
        return self.given.predictions.get(self.name)

    @property
    def rule(self) -> ExactRule:
        return self.given.exact_rules.get(self.name, ExactRule.SQUAD)

    @property
    def texts(self) -> Mapping[str, str]:
        """The answers by question, or those that match no reference."""
        if self.answers is not None:
            return self.answers
        return dict(self.given.files[self.name].by_candidate.keys())

    def overlap(self, of_text: Callable[[Earned], float]) -> Estimate:
        """The mean over all questions of SQuAD dev. An answer whose text is not known is exact."""
        gold, texts = self._gold(), self.texts
        values = [
            of_text(earned(asked.answers, texts[key])) if key in texts else 1.0
            for key, asked in gold.items()
        ]
        return judged_share([*gold], np.array(values), self.given.bootstrap)

    def overlap_with_first(self) -> Estimate:
        gold, answers = self._gold_with_first()
        values = [earned(asked.answers, answers[key]).f1 for key, asked in gold.items()]
        return judged_share([*gold], np.array(values), self.given.bootstrap)

    def bem(self) -> Estimate:
        """By its scores of AE-examples as far as they decide, else by asking it."""
        gold, pairs = self._gold(), self.given.files.get(self.name)
        if pairs is None:
            return self._accepted(gold, {})
        scores = self.given.scores("bem", self.name) if pairs.pairs else []
        # of candidates that are accepted beside one of their references, or were compared with all
        accepted = {
            (pair.question_id, pair.candidate)
            for score, pair in zip(scores, pairs.pairs, strict=True)
            if score >= PLAIN
        }
        whole = pairs.by_candidate.keys() - pairs.partial
        return self._accepted(gold, dict.fromkeys(whole, False) | dict.fromkeys(accepted, True))

    def bem_with_first(self) -> Estimate:
        gold, _ = self._gold_with_first(*([] if "bem" in self.given.matchers else [_ASK_BEM]))
        return self._accepted(gold, {})

    def people(self) -> Estimate:
        return accuracy_with_exact(self.judged_answers(), self.given.bootstrap)

    def judged_answers(self) -> SystemAnswers:
        """The answers as far as people have to judge them. Raises Needed."""
        gold, pairs = self._gold(by_people=True), self.given.files[self.name]
        texts: Texts[str] = {
            question: {text: examples} for (question, text), examples in pairs.by_candidate.items()
        }
        exact = set[str]()
        if self.answers is None:
            exact |= gold.keys() - texts.keys()
        else:
            for key, asked in gold.items():
                answer = self.answers[key]
                if answer not in texts.get(key, {}):
                    texts[key] = {answer: []}
                    if self._is_exact(asked, answer):
                        exact.add(key)
        labels = pairs.labels(self.given.bootstrap.seed)
        return answers_of(SYSTEMS[self.name], texts, frozenset(exact), labels, ACCEPTED)

    def _is_exact(self, asked: SquadQuestion, answer: str) -> bool:
        """As the release says, or by its rule."""
        if self.name in self.given.exact:
            return asked.id in self.given.exact[self.name]
        return is_exact(answer, asked.answers, self.rule)

    def _accepted(self, gold: Gold, verdicts: Mapping[tuple[str, str], bool]) -> Estimate:
        """The share of questions whose answer BEM accepts, by its `verdicts` on candidates or by
        asking it. An exact answer is right without being asked, and an empty one wrong."""
        given, texts = self.given, self.texts
        found, open_ = dict.fromkeys(gold, True), dict[str, str]()
        for key, asked in gold.items():
            if key in texts and not is_exact(texts[key], asked.answers, self.rule):
                found[key] = verdicts.get((key, texts[key]), False)
                if (key, texts[key]) not in verdicts and not is_empty(texts[key]):
                    open_[key] = texts[key]
        bem = given.matchers.get("bem")
        if open_ and bem is None:
            unrated = f"{len(open_):,} answers of {SYSTEMS[self.name]} are not all rated"
            raise Needed(needs(f"{_ASK_BEM}, as {unrated}"))
        if lacking := sum(key not in given.texts for key in open_):
            raise Needed(
                f"squad= has no text of {lacking:,} of {len(gold):,} questions, which BEM reads"
            )
        if bem is not None:
            pairs = [
                Pair(*given.texts[key], tuple(gold[key].answers), text)
                for key, text in open_.items()
            ]
            for key, score in zip(open_, bem.score(pairs), strict=True):
                found[key] = score >= PLAIN
        return judged_share([*found], np.array([*found.values()]), given.bootstrap)

    def _gold(self, *, by_people: bool = False) -> Gold:
        """The questions. Raises Needed unless it is known of all how the system answered them, and
        how people judge it."""
        gold, answers = self.given.squad, self.answers
        needs_pairs = by_people or answers is None
        pairs = self.given.files.get(self.name)
        lacking = [named_file(self.name)] if needs_pairs and pairs is None else []
        if gold is None or lacking:
            raise Needed(needs(*lacking, *([_SQUAD] if gold is None else [])))
        if needs_pairs and pairs:
            _check_fit(pairs, gold)
        if answers is not None:
            self._check_gaps(gold, answers)
        return gold

    def _gold_with_first(self, *lacking: str) -> tuple[Gold, Mapping[str, str]]:
        """The questions with their first references, and all answers. Raises Needed unless they are
        known, and if more is `lacking`."""
        gold, answers = self.given.squad, self.answers
        if gold is None or answers is None or lacking:
            known = f"predictions-{self.name}=FILE, {or_release(self.name)}"
            all_answers = f"all answers of {SYSTEMS[self.name]} ({known})"
            raise Needed(
                needs(
                    *([_SQUAD] if gold is None else []),
                    *([all_answers] if answers is None else []),
                    *lacking,
                )
            )
        self._check_gaps(gold, answers)
        if count := len(self.given.unordered):
            raise Needed(
                f"the release does not say which reference of {counted(count, 'question')} is the"
                " first, as no answer was rated beside it; needs squad=FILE of the questions with"
                " references"
            )
        first = {key: SquadQuestion(key, asked.answers[:1]) for key, asked in gold.items()}
        return first, answers

    def _check_gaps(self, gold: Gold, answers: Mapping[str, str]) -> None:
        """Raises Needed if a question has no answer."""
        lacking = sum(key not in answers for key in gold)
        if not lacking:
            return
        questions, file = f"{lacking:,} of {len(gold):,} questions", f"predictions-{self.name}"
        if file in self.given.of_release:
            title = SYSTEMS[self.name]
            raise Needed(f"the release lacks answers of {title} to {questions}")
        raise Needed(f"{file} lacks answers to {questions}")


def _check_fit(pairs: RatedPairs, squad: Gold) -> None:
    """Raises Needed if the two do not belong together."""
    questions = [question for question, _ in pairs.by_candidate]
    if unknown := sum(question not in squad for question in questions):
        raise Needed(
            f"{unknown:,} of the file's candidates are of questions that the SQuAD data lack"
        )
    if len(set(questions)) < len(questions):
        raise Needed("the file has several candidates for a question: it is not of one system")
