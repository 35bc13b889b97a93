"""The ratings of a public AE file (Bulian 2022), item by item."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate
from tomahto.lab.reproduce.shares import judged_share
from tomahto.matching.interface import Pair
from tomahto.ranking.system_answers import is_right
from tomahto.scoring.judged_scores import JudgedScores
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
