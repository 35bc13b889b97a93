"""One matcher after the other in processes of their own."""

from pathlib import Path

import pytest

from tests.tomahto.matching.examples import pair
from tomahto.matching.cfmatch import SHIPPED_WEIGHTS
from tomahto.matching.cost import CostError, MatcherCost, measure_cost
from tomahto.matching.registry import load_matcher

PAIRS = [pair("Rhine", "the river Rhine"), pair("Elbe", "the river Rhine", "Rhine")]


def _cost(name: str, runs: int = 1, aliases: Path | None = None) -> MatcherCost:
    return measure_cost(name, PAIRS, runs=runs, models={}, aliases=aliases)


def test_measured_matchers_tell_time_memory_and_disk() -> None:
    em, cfmatch = _cost("em"), _cost("cfmatch", runs=3)
    assert (em.matcher, em.version, em.disk_bytes) == ("em", load_matcher("em").version, 0)
    assert cfmatch.version == load_matcher("cfmatch").version
    assert cfmatch.disk_bytes == SHIPPED_WEIGHTS.stat().st_size
    assert (len(em.seconds), len(cfmatch.seconds)) == (1, 3)
    assert min(cfmatch.seconds) > min(em.seconds) > 0
    assert cfmatch.load_seconds > em.load_seconds
    assert em.peak_bytes is not None
    assert cfmatch.peak_bytes is not None
    assert cfmatch.peak_bytes > max(em.peak_bytes, 1 << 20)  # its weights are not for nothing


def test_a_measured_matcher_reads_what_the_site_has_configured(tmp_path: Path) -> None:
    table = tmp_path / "aliases.jsonl"
    table.write_text('{"name": "Rhine", "aliases": ["Rhein"]}')
    assert _cost("em+aliases", aliases=table).disk_bytes == table.stat().st_size


@pytest.mark.parametrize(
    ("name", "models", "problem"),
    [
        ("bem", {}, "bem could not be measured: TOMAHTO_BEM_MODEL is not set"),
        (
            "bem",
            {"TOMAHTO_BEM_MODEL": "/nowhere"},
            "bem could not be measured: /nowhere: there is no",
        ),
    ],
)
def test_a_matcher_that_cannot_be_loaded_is_named(
    name: str, models: dict[str, str], problem: str
) -> None:
    with pytest.raises(CostError, match=problem):
        measure_cost(name, PAIRS, runs=1, models=models, aliases=None)
