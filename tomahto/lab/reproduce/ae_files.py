"""The ratings of public AE files (Bulian 2022), as far as somebody has the files."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.reproduce.comparison import judged_share
from tomahto.matching.bem.matcher import Bem
from tomahto.matching.interface import Matcher, Pair
from tomahto.matching.scores import RankedAnswers
from tomahto.ranking.system_accuracy import is_right
from tomahto.scoring.judged_scores import JudgedScores
from tomahto.scoring.squad import SquadQuestion
from tomahto.text.normalisation import ExactRule
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

    def is_equivalent(self, seed: int) -> bool:
        return self.label_by(seed) in ACCEPTED


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

    def equivalent_ratings(self, bootstrap: Bootstrap) -> Estimate:
        return judged_share(
            [(pair.question_id, flag) for pair in self.pairs for flag in _ratings(pair)], bootstrap
        )

    def equivalent_examples(self, bootstrap: Bootstrap) -> Estimate:
        """Share of the AE-examples that are equivalent."""
        return judged_share(
            [(pair.question_id, pair.is_equivalent(bootstrap.seed)) for pair in self.pairs],
            bootstrap,
        )

    def equivalent_candidates(self, bootstrap: Bootstrap) -> Estimate:
        """Share of the candidates that are equivalent to any reference; open ones are left out."""
        labels = self.labels(bootstrap.seed)
        found = (
            (question, is_right(examples, labels, ACCEPTED))
            for (question, _), examples in self.by_candidate.items()
        )
        return judged_share([(each, flag) for each, flag in found if flag is not None], bootstrap)

    @property
    def metrics(self) -> set[str]:
        """The metrics that any line names."""
        return {name for pair in self.pairs for name in pair.scores}

    def judged(self, scores: Sequence[float]) -> JudgedScores:
        """The score of each rating's pair, of which `scores` has one each, beside the rating.

        The published accuracies count ratings: that of EM, which finds nothing equivalent, is
        100 % less the share of equivalent ratings (Tab. 5 and 11).
        """
        rows = [
            (score, flag, pair.question_id)
            for score, pair in zip(scores, self.pairs, strict=True)
            for flag in _ratings(pair)
        ]
        return JudgedScores.of(*map(list, zip(*rows, strict=True)))


def _ratings(pair: RatedPair) -> Iterator[bool]:
    """Whether each rating found the candidate equivalent."""
    for place in range(pair.ratings):
        yield place < pair.equivalent


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
"""What files and `AeFiles.matchers` call each of the paper's metrics."""
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
"""What computes a metric."""


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


@dataclass(frozen=True, slots=True)
class Part:
    """AE-examples of one or more files; None where a file is not there, which `needs` says."""

    pairs: RatedPairs | None
    needs: str

    def find(self, compute: Callable[[RatedPairs], Estimate]) -> Estimate:
        return undefined(self.needs, n=0) if self.pairs is None else compute(self.pairs)


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

    def part(self, *names: str) -> Part:
        """The AE-examples of these files, which share none."""
        missing = [name for name in names if name not in self.files]
        if missing:
            return Part(None, needs(*map(_file, missing)))
        return Part(RatedPairs.joined(self.files[name] for name in names), "")

    @property
    def metrics(self) -> tuple[str, ...]:
        """Those of the matchers and of the files' lines."""
        lines = {name for pairs in self.files.values() for name in pairs.metrics}
        return tuple(dict.fromkeys((*self.matchers, *sorted(lines))))

    def scores(self, metric: str, name: str) -> list[float] | str:
        """The scores of a file's AE-examples, of their lines or else of a matcher; or what is
        needed for them."""
        pairs, title = self.files.get(name), _TITLES[name]
        if pairs is None:
            return needs(_file(name))
        there = [pair.scores[metric] for pair in pairs.pairs if metric in pair.scores]
        if there and (lacking := len(pairs.pairs) - len(there)):
            return f"{lacking:,} of {len(pairs.pairs):,} AE-examples of {title} lack a {metric!r}"
        if there:
            return there
        if metric in self.matchers:
            return self.matchers[metric].score([pair.pair for pair in pairs.pairs])
        return self._needs_scores(metric, name)

    def _needs_scores(self, metric: str, name: str) -> str:
        option = _OPTIONS.get(metric)
        if name in self.of_release:
            of_items = f"scores of the release's items ({metric}=FILE)"
            return needs(f"{of_items}, or {option}" if option else of_items)
        option = option or f"{metric}=FILE beside a release"
        return needs(f'"scores": {{"{metric}": …}} on the lines of {_TITLES[name]}, or {option}')


def needs(*inputs: str) -> str:
    """Why a cell is empty: the inputs that would fill it."""
    return f"needs {' and '.join(inputs)}"


def _file(name: str) -> str:
    file = f"{name}=FILE, {or_release(name)}" if name in SYSTEMS else f"{name}=FILE"
    return f"{_TITLES[name]} ({file})"


def or_release(name: str) -> str:
    """How else a system of the paper comes."""
    return f"or a release's system with {name} in its name"
