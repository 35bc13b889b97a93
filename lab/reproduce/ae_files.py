"""The public AE files by what they hold, as far as somebody has them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from inference.matchers.interface import Matcher
from lab.reproduce.rated_pairs import RatedPairs
from measures.bootstrap import Bootstrap
from measures.estimate import Estimate, undefined
from measures.squad_v2 import SquadQuestion

SPLITS = {"train": "AE Train", "dev": "AE Dev", "test": "AE Test"}
SYSTEMS = {"bidaf": "BiDAF", "xlnet": "XLNet", "luke": "Luke"}
METRICS = {"EM": "em", "F1": "f1", "BertScore": "bertscore", "BERTScore": "bertscore", "BEM": "bem"}
"""The matcher that is each of the paper's metrics, where there is one."""


@dataclass(frozen=True, slots=True)
class Part:
    """AE-examples of one or more files; None where a file is not there, which `needs` names."""

    pairs: RatedPairs | None
    needs: str

    def find(self, compute: Callable[[RatedPairs], Estimate]) -> Estimate:
        if self.pairs is None:
            return undefined(f"needs the AE files of {self.needs}", n=0)
        return compute(self.pairs)


@dataclass(frozen=True)
class AeFiles:
    """Files by the keys of `SPLITS` and `SYSTEMS`. `squad` is SQuAD 1.1 dev by question id.

    `matchers` are those that may be asked, by their names.
    """

    files: Mapping[str, RatedPairs]
    matchers: Mapping[str, Matcher]
    bootstrap: Bootstrap
    squad: Mapping[str, SquadQuestion] | None = None

    def part(self, *names: str) -> Part:
        """The AE-examples of these files, which share none."""
        titles = {**SPLITS, **SYSTEMS}
        needs = ", ".join(titles[name] for name in names if name not in self.files)
        if needs:
            return Part(None, needs)
        pairs = tuple(pair for name in names for pair in self.files[name].pairs)
        return Part(RatedPairs(pairs), "")

    def matcher(self, metric: str) -> Matcher | str:
        """What computes a metric of the paper, or why nothing does."""
        name = METRICS.get(metric)
        if name is None:
            return f"{metric} is not among our matchers"
        return self.matchers.get(name) or f"ask for it with --matcher {name}"
