"""Examples that a model is shown of a rule before it writes more (CFMatch §3.2)."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

_GUIDELINES: Final = Path(__file__).with_name("rule_seeds.toml")


@dataclass(frozen=True, slots=True)
class Seed:
    """A pair that the rule decides, with its verdict. `name` is what provenance calls it."""

    name: str
    rule: str
    question: str
    reference: str
    candidate: str
    label: str

    @property
    def shown(self) -> dict[str, str]:
        """As a model is shown it."""
        values = asdict(self)
        return {key: values[key] for key in ("question", "reference", "candidate", "label")}


def seeds_from(rows: Iterable[Mapping[str, Any]]) -> tuple[Seed, ...]:
    """From objects with the fields of a seed but its name, which is its place from 1."""
    return tuple(Seed(name=f"seed {place}", **row) for place, row in enumerate(rows, start=1))


GUIDELINE_SEEDS: Final = seeds_from(tomllib.loads(_GUIDELINES.read_text("utf-8"))["seeds"])
"""The worked examples of the guidelines of the protocol `rules`."""
