"""The public AE files by what they hold, as far as somebody has them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.reproduce.rated_pairs import RatedPairs
from tomahto.matching.admitted import RankedAnswers
from tomahto.matching.bem.matcher import Bem
from tomahto.matching.interface import Matcher
from tomahto.scoring.squad_v2 import SquadQuestion
from tomahto.text.same_answer import ExactRule

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
