from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.tomahto.matching.examples import pair
from tomahto.matching import cost
from tomahto.matching.interface import Pair


class Slow:
    """Takes 0.04 s for every call, 0.06 s for the first, by the clock it holds."""

    name = "slow"
    version = "slow|1"
    threshold = 0.5

    def __init__(self) -> None:
        self.now, self.calls = 0.0, 0

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        self.now += 0.04 if self.calls else 0.06
        self.calls += 1
        return [0.0] * len(pairs)


def test_a_run_repeats_the_pairs_until_it_is_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow()
    monkeypatch.setattr("time.process_time", lambda: slow.now)
    seconds = cost.time_runs(slow, [pair("a", "a")] * 20, 3)
    # ceil(0.1 / 0.06) = 2 passes of 20 pairs in 0.08 s: 2 ms a pair, 2 s a thousand
    assert seconds == pytest.approx([2.0] * 3)
    assert slow.calls == 1 + 3 * 2


def test_memory_is_read_from_the_status_of_the_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    status = tmp_path / "status"
    monkeypatch.setattr(cost, "_STATUS", status)
    assert cost.memory("VmHWM") is None
    status.write_text("Name:\tpython\nVmHWM:\t  123 kB\nVmRSS:\t   45 kB\n")
    assert cost.memory("VmHWM") == 123 * 1024
    assert cost.memory("VmRSS") == 45 * 1024
    assert cost.memory("VmNone") is None


def test_idle_memory_is_where_the_peak_begins_anew() -> None:
    spent = b"x" * (64 << 20)
    del spent
    idle, peak = cost.idle_bytes(), cost.memory("VmHWM")
    assert idle is not None
    assert peak is not None
    assert abs(peak - idle) < 32 << 20  # the 64 MiB that were freed are forgotten
