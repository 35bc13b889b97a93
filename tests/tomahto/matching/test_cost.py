"""One matcher after the other in processes of their own."""

from pathlib import Path

import pytest

from tests.tomahto.matching.examples import pair
from tomahto.matching.cfmatch import SHIPPED_WEIGHTS
from tomahto.matching.cost import CostError, MatcherCost, measure_cost
from tomahto.matching.em import ExactMatch
from tomahto.matching.registry import load_matcher

PAIRS = [pair("Rhine", "the river Rhine"), pair("Elbe", "the river Rhine", "Rhine")]


def _cost(name: str, runs: int = 1, aliases: Path | None = None) -> MatcherCost:
    return measure_cost(name, PAIRS, runs=runs, models={}, aliases=aliases)


def test_measured_matchers_tell_time_memory_and_disk(tmp_path: Path) -> None:
    table = tmp_path / "aliases.jsonl"
    table.write_text('{"name": "Rhine", "aliases": ["Rhein"]}')
    em, cfmatch = _cost("em+aliases", aliases=table), _cost("cfmatch", runs=3)
    assert (em.matcher, em.disk_bytes) == ("em+aliases", table.stat().st_size)
    assert ExactMatch.version in em.version
    assert cfmatch.version == load_matcher("cfmatch").version
    assert cfmatch.disk_bytes == SHIPPED_WEIGHTS.stat().st_size
    assert (len(em.seconds), len(cfmatch.seconds)) == (1, 3)
    assert min(cfmatch.seconds) > min(em.seconds) > 0
    assert cfmatch.load_seconds > em.load_seconds
    assert em.peak_bytes is not None
    assert cfmatch.peak_bytes is not None
    assert cfmatch.peak_bytes > max(em.peak_bytes, 1 << 20)  # its weights are not for nothing


def test_a_matcher_that_cannot_be_loaded_is_named() -> None:
    models = {"TOMAHTO_BEM_MODEL": "/nowhere"}
    with pytest.raises(CostError, match="bem could not be measured: /nowhere: no such"):
        measure_cost("bem", PAIRS, runs=1, models=models, aliases=None)
