"""The ratings of public AE files (Bulian 2022), as far as somebody has the files."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, numbered
from tomahto.estimates.estimate import Estimate
from tomahto.lab.reproduce.comparison import Needed, judged_share
from tomahto.matching.bem.matcher import Bem
from tomahto.matching.interface import Matcher, Pair
from tomahto.matching.scores import RankedAnswers
from tomahto.ranking.system_answers import is_right
from tomahto.scoring.judged_scores import JudgedScores
from tomahto.scoring.squad import SquadQuestion
from tomahto.text.normalisation import ExactRule
from tomahto.types import Flags, Integers
from tomahto.votes.majority import break_tie, majority
from tomahto.votes.patterns import Pattern, VotePatterns
from tomahto.votes.scheme import LabelScheme

SCHEME = LabelScheme(("equivalent", "not-equivalent"), (1, 0))
ACCEPTED = frozenset({"equivalent"})
_NOT_HERE = ""  # stands for the AE-examples of a candidate that are missing


@dataclass(frozen=True, slots=True)
class RatedPair:
    """An AE-example: of its `ratings`, so many found the candidate `equivalent`.

    `scores` are those that its first line gives it, by metric; `label` is the item's in a release,
    whose choice may be adjudicated, and empty in a file, which has ratings only.
    """

    question_id: str
    question: str
    context: str
    reference: str
    candidate: str
    equivalent: int
    ratings: int
    scores: Mapping[str, float] = field(default_factory=dict)
    label: str = ""

    @property
    def pair(self) -> Pair:
        return Pair(self.question, self.context, (self.reference,), self.candidate)

    @property
    def is_tied(self) -> bool:
        return 2 * self.equivalent == self.ratings

    def label_by(self, seed: int) -> str:
        """The label, else the majority's; a tie of that is drawn by the seed (§3.5)."""
        if self.label:
            return self.label
        found = majority(SCHEME, (self.equivalent, self.ratings - self.equivalent))
        key = "\0".join((self.question_id, self.reference, self.candidate))
        return found.winner or break_tie(found.tied, seed=seed, key=key)


@dataclass(frozen=True)
class RatedPairs:
    """The AE-examples of one or more files, each there once.

    `partial` are the candidates, by question and text, of which some AE-example has no rating and
    is not here: whether they are equivalent to any reference is open.
    """

    pairs: tuple[RatedPair, ...]
    partial: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def joined(cls, parts: Iterable["RatedPairs"]) -> "RatedPairs":
        """Of files that share no AE-example."""
        given = tuple(parts)
        return cls(
            tuple(pair for part in given for pair in part.pairs),
            frozenset[tuple[str, str]]().union(*(part.partial for part in given)),
        )

    @property
    def ratings(self) -> int:
        return sum(pair.ratings for pair in self.pairs)

    @cached_property
    def by_candidate(self) -> dict[tuple[str, str], list[str]]:
        """The AE-examples of each candidate of a question, by their keys in `labels`."""
        grouped: dict[tuple[str, str], list[str]] = {}
        for place, pair in enumerate(self.pairs):
            grouped.setdefault((pair.question_id, pair.candidate), []).append(str(place))
        for candidate in self.partial:
            grouped[candidate].append(_NOT_HERE)
        return grouped

    def labels(self, seed: int) -> dict[str, str]:
        """Of every AE-example, ties drawn by the seed."""
        return {str(place): pair.label_by(seed) for place, pair in enumerate(self.pairs)}

    @cached_property
    def patterns(self) -> VotePatterns:
        questions: defaultdict[str, list[Pattern]] = defaultdict(list)
        for pair in self.pairs:
            votes = pair.equivalent, pair.ratings - pair.equivalent
            questions[pair.question_id].append(votes)
        return VotePatterns.of_questions(SCHEME, ((each, 1) for each in questions.values()))

    @cached_property
    def by_rating(self) -> tuple[list[str], Flags, Integers]:
        """Of each rating the question, whether it found the candidate equivalent, and the place of
        its AE-example."""
        places = [place for place, pair in enumerate(self.pairs) for _ in range(pair.ratings)]
        flags = [number < pair.equivalent for pair in self.pairs for number in range(pair.ratings)]
        questions = [self.pairs[place].question_id for place in places]
        return questions, np.array(flags, np.bool_), np.array(places, np.int64)

    def equivalent_ratings(self, bootstrap: Bootstrap) -> Estimate:
        questions, flags, _ = self.by_rating
        return judged_share(questions, flags, bootstrap)

    def equivalent_examples(self, bootstrap: Bootstrap) -> Estimate:
        """Share of the AE-examples that are equivalent."""
        flags = [pair.label_by(bootstrap.seed) in ACCEPTED for pair in self.pairs]
        return judged_share([pair.question_id for pair in self.pairs], np.array(flags), bootstrap)

    def equivalent_candidates(self, bootstrap: Bootstrap) -> Estimate:
        """Share of the candidates that are equivalent to any reference; open ones are left out."""
        labels = self.labels(bootstrap.seed)
        found = [is_right(examples, labels, ACCEPTED) for examples in self.by_candidate.values()]
        is_known = np.array([flag is not None for flag in found])
        questions = [question for question, _ in self.by_candidate]
        return judged_share(questions, np.array(found, np.bool_), bootstrap, is_known)

    @property
    def metrics(self) -> set[str]:
        """The metrics that any line names."""
        return {name for pair in self.pairs for name in pair.scores}

    def judged(self, scores: Sequence[float]) -> JudgedScores:
        """The score of each rating's pair, of which `scores` has one each, beside the rating.

        The published accuracies count ratings: that of EM, which finds nothing equivalent, is
        100 % less the share of equivalent ratings (Tab. 5 and 11).
        """
        questions, flags, places = self.by_rating
        return JudgedScores(np.array(scores, np.float64)[places], flags, numbered(questions))


SPLITS = {"train": "AE Train", "dev": "AE Dev", "test": "AE Test"}
SYSTEMS = {"bidaf": "BiDAF", "xlnet": "XLNet", "luke": "Luke"}
PREDICTIONS = {f"predictions-{name}": name for name in SYSTEMS}
NBEST, SQUAD = "nbest", "squad"
METRICS = {
    "EM": "em",
    "F1": "f1",
    "BertScore": "bertscore",
    "BERTScore": "bertscore",
    "Bleurt 2.0": "bleurt",
    "LERC": "lerc",
    "BEM": "bem",
    "BEM (symmetrized)": "bem-symmetrised",
    "Only answers": "bem-answers",
    "Question and answers": "bem",
    "Context, question and answers": "bem-context",
}
"""The names of the paper's metrics in files and in `AeFiles.matchers`."""
ELSEWHERE = tuple(dict.fromkeys(name for name in METRICS.values() if name not in ("em", "f1")))
"""Metrics whose scores of a release's items may come in a file of their own."""
PLAIN = 0.5
"""The threshold where none was tuned (§4.1.2)."""
_TITLES = {**SPLITS, **SYSTEMS}
_OPTIONS = {
    **{name: f"--matcher {name}" for name in ("em", "f1", "bertscore", "bem")},
    "bem-symmetrised": "--matcher bem, whose model reads the question",
    "bem-answers": "--bem FOLDER of a model of the variant answers",
    "bem-context": "--bem FOLDER of a model of the variant context",
}
"""The options by which a metric is computed."""


def bem_by_input(bem: Bem) -> dict[str, Matcher]:
    """The model under the name of what it reads. One that reads the question is also there asked in
    both directions (§4.1.2)."""
    options = bem.options
    name = "bem" if options.variant == "question" else f"bem-{options.variant}"
    if options.symmetrised:
        return {f"{name}-symmetrised": bem}
    both: dict[str, Matcher] = {"bem-symmetrised": bem.symmetrised()} if name == "bem" else {}
    return {name: bem, **both}


class WeighedAnswers(NamedTuple):
    """A system's best answers to a question: their nonconformity, and which are labelled right."""

    ranked: RankedAnswers
    nonconformity: Sequence[float]
    is_right: Sequence[bool]


def needs(*inputs: str) -> str:
    """Why a cell is empty: the inputs that would fill it."""
    return f"needs {' and '.join(inputs)}"


@dataclass(frozen=True)
class AeFiles:
    """Files by the keys of `SPLITS` and `SYSTEMS`.

    `matchers` are those that may be asked, by the names in `METRICS` or their own. `squad` is SQuAD
    1.1 dev by question id, `texts` the questions and contexts where it has them; `predictions` are
    all answers of a system by question id, and `exact` the questions that it answered exactly where
    a release says so; elsewhere the `exact_rules` of the system say it, or SQuAD's rule.
    `unordered` are questions of which it is not known which of their references is the first;
    `nbest` is Luke's best answers. `of_release` names the files, and as in `PREDICTIONS` the
    answers, that are a release's.
    """

    files: Mapping[str, RatedPairs]
    matchers: Mapping[str, Matcher]
    bootstrap: Bootstrap
    squad: Mapping[str, SquadQuestion] | None = None
    texts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    predictions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    exact: Mapping[str, frozenset[str]] = field(default_factory=dict)
    exact_rules: Mapping[str, ExactRule] = field(default_factory=dict)
    unordered: frozenset[str] = frozenset()
    nbest: Sequence[WeighedAnswers] | None = None
    of_release: frozenset[str] = frozenset()
    _scores: dict[tuple[str, str], list[float]] = field(default_factory=dict, init=False)

    def part(self, *names: str) -> RatedPairs:
        """The AE-examples of these files, which share none. Raises Needed."""
        missing = [name for name in names if name not in self.files]
        if missing:
            raise Needed(needs(*map(named_file, missing)))
        if len(names) == 1:
            return self.files[names[0]]
        return RatedPairs.joined(self.files[name] for name in names)

    def of(self, compute: Callable[[RatedPairs], Estimate], *names: str) -> Callable[[], Estimate]:
        """A computation on the AE-examples of these files, which raises Needed."""
        return lambda: compute(self.part(*names))

    @property
    def metrics(self) -> tuple[str, ...]:
        """Those of the matchers and of the files' lines."""
        lines = {name for pairs in self.files.values() for name in pairs.metrics}
        return tuple(dict.fromkeys((*self.matchers, *sorted(lines))))

    def scores(self, metric: str, name: str) -> list[float]:
        """Of a file's AE-examples, of their lines or else of a matcher, which is asked once. Raises
        Needed."""
        if (metric, name) in self._scores:
            return self._scores[metric, name]
        pairs, title = self.part(name).pairs, _TITLES[name]
        scores = [pair.scores[metric] for pair in pairs if metric in pair.scores]
        if scores and (lacking := len(pairs) - len(scores)):
            raise Needed(f"{lacking:,} of {len(pairs):,} AE-examples of {title} lack a {metric!r}")
        if not scores and metric not in self.matchers:
            raise Needed(self._needs_scores(metric, name))
        if not scores:
            scores = self.matchers[metric].score([pair.pair for pair in pairs])
        return self._scores.setdefault((metric, name), scores)

    def judged(self, metric: str, name: str) -> JudgedScores:
        """The scores beside the ratings of a file. Raises Needed."""
        scores = self.scores(metric, name)
        if not scores:
            raise Needed("there is nothing to count")
        return self.files[name].judged(scores)

    def accuracy(self, metric: str, name: str, *, tuned: bool = False) -> Estimate:
        """At the plain threshold, or at the one that AE train tells. Raises Needed."""
        judged = self.judged(metric, name)
        threshold = self.judged(metric, "train").tuned_threshold() if tuned else PLAIN
        return judged.accuracy(threshold, self.bootstrap)

    def spearman(self, metric: str, name: str) -> Estimate:
        return self.judged(metric, name).order(self.bootstrap).spearman

    def threshold(self, metric: str) -> Estimate:
        """That of highest accuracy on the ratings of AE train. Raises Needed."""
        judged = self.judged(metric, "train")
        return Estimate(value=judged.tuned_threshold(), n=judged.n)

    def _needs_scores(self, metric: str, name: str) -> str:
        option = _OPTIONS.get(metric)
        if name in self.of_release:
            of_items = f"scores of the release's items ({metric}=FILE)"
            return needs(f"{of_items}, or {option}" if option else of_items)
        option = option or f"{metric}=FILE beside a release"
        return needs(f'"scores": {{"{metric}": …}} on the lines of {_TITLES[name]}, or {option}')


def named_file(name: str) -> str:
    """The title of a file, and how the command takes it."""
    file = f"{name}=FILE, {or_release(name)}" if name in SYSTEMS else f"{name}=FILE"
    return f"{_TITLES[name]} ({file})"


def or_release(name: str) -> str:
    """A hint at the other source of a system of the paper."""
    return f"or a release's system with {name} in its name"
