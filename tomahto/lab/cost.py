"""The cost of matchers, as a section of a report (CFMatch paper, Tab. 3)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median

from tomahto.charts.rows import number, table_of, text
from tomahto.charts.table import PaperTable
from tomahto.lab.report import Section
from tomahto.matching.cost import MatcherCost
from tomahto.types import JsonObject

_MEBIBYTE = 2**20
_MEGABYTE = 10**6
_NO_PEAK = "the system does not report the peak memory of a process"


@dataclass(frozen=True, slots=True)
class Machine:
    """The measured machine. Of its `cores` one was used. `versions` are those of Python and of the
    libraries that matchers compute with."""

    processor: str
    cores: int
    system: str
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PairSet:
    """The scored pairs: a name for readers, how many pairs, and a digest of their content."""

    name: str
    pairs: int
    digest: str


@dataclass(frozen=True)
class CostReport:
    """The costs of some matchers, measured one after the other on one machine, `runs` times."""

    machine: Machine
    pairs: PairSet
    runs: int
    costs: tuple[MatcherCost, ...]

    @property
    def signature(self) -> str:
        machine = self.machine
        parts = [
            "cost",
            f"processor:{machine.processor}",
            f"cores:1of{machine.cores}",
            f"system:{machine.system}",
            *(f"{name}:{version}" for name, version in machine.versions.items()),
            f"pairs:{self.pairs.name},{self.pairs.pairs},{self.pairs.digest}",
            f"runs:{self.runs}",
            "v1",
        ]
        return "|".join(parts)

    def as_json(self) -> JsonObject:
        machine, pairs = self.machine, self.pairs
        return {
            "machine": {
                "processor": machine.processor,
                "cores": machine.cores,
                "cores_used": 1,
                "system": machine.system,
                "versions": dict(machine.versions),
            },
            "pairs": {"name": pairs.name, "count": pairs.pairs, "digest": pairs.digest},
            "runs": self.runs,
            "signature": self.signature,
            "matchers": [_as_json(cost) for cost in self.costs],
        }


def _as_json(cost: MatcherCost) -> JsonObject:
    unknown = {"reason": _NO_PEAK} if cost.peak_bytes is None else {}
    return {
        "matcher": cost.matcher,
        "version": cost.version,
        "seconds_per_1000_pairs": {
            "median": median(cost.seconds),
            "fastest": min(cost.seconds),
            "slowest": max(cost.seconds),
        },
        "load_seconds": cost.load_seconds,
        "peak_memory_bytes": cost.peak_bytes,
        "disk_bytes": cost.disk_bytes,
        **unknown,
    }


def cost_section(report: CostReport) -> Section:
    """The costs as a table; a Section with a reason if no matcher was measured."""
    lead = "What do matchers take in time, memory and disk on one core of this machine?"
    tables = (_table(report),) if report.costs else ()
    reason = "" if tables else "no matcher was measured"
    return Section("cost", "Cost of matchers", lead, tables, reason=reason)


def _table(report: CostReport) -> PaperTable:
    return table_of(
        "cost",
        "Time, memory and disk of matchers",
        report.costs,
        text("matcher", "Matcher", lambda cost: cost.matcher),
        number("median", "Per 1,000 pairs (ms), median", lambda cost: 1000 * median(cost.seconds)),
        number("fastest", "fastest", lambda cost: 1000 * min(cost.seconds)),
        number("slowest", "slowest", lambda cost: 1000 * max(cost.seconds)),
        number("load", "Loading (s)", lambda cost: cost.load_seconds),
        number(
            "memory",
            "Peak memory (MiB)",
            lambda cost: None if cost.peak_bytes is None else cost.peak_bytes / _MEBIBYTE,
        ),
        number("disk", "On disk (MB)", lambda cost: cost.disk_bytes / _MEGABYTE),
        notes=_notes(report),
        reasons={_NO_PEAK for cost in report.costs if cost.peak_bytes is None},
        source=f"{report.signature}; after the CFMatch paper, Tab. 3",
    )


def _notes(report: CostReport) -> Iterator[str]:
    machine, pairs = report.machine, report.pairs
    yield (
        f"n = {pairs.pairs:,} pairs ({pairs.name}), scored in {report.runs} runs after one that"
        " does not count; the processor's time on one core, every matcher in a process of its own."
    )
    yield f"Machine: {machine.processor}, one of {machine.cores} cores, {machine.system}."
    yield (
        "Loading is the time that passes, libraries included. Peak memory is beyond what the"
        " process had before. On disk are weights, models and tables, without libraries."
    )
