"""The table of costs says what was measured, and nothing is lost where something is unknown."""

from tomahto.charts.table_text import markdown_table
from tomahto.lab.cost import CostReport, Machine, PairSet, cost_section
from tomahto.matching.cost import MatcherCost

EM = MatcherCost("em", "em|v1", (0.004, 0.001, 0.002), 0.0, 1 << 20, 0)
BEM = MatcherCost("bem", "bem|v1", (30.0,), 4.5, None, 440_000_000)
MACHINE = Machine("Quantum 9", 64, "Linux x86_64", {"python": "3.11.7", "numpy": "2.4.6"})


def _report(*costs: MatcherCost) -> CostReport:
    return CostReport(MACHINE, PairSet("demo", 1234, "abcdef"), 3, costs)


def test_cost_is_a_table_with_a_row_for_every_matcher() -> None:
    [table] = cost_section(_report(EM, BEM)).tables
    # the median of 4, 1 and 2 ms is 2 ms
    assert table.rows == (
        ("em", 2.0, 1.0, 4.0, 0.0, 1.0, 0.0),
        ("bem", 30_000.0, 30_000.0, 30_000.0, 4.5, None, 440.0),
    )
    text = markdown_table(table)
    assert "n = 1,234 pairs (demo), scored in 3 runs after one that does not count" in text
    assert "Quantum 9, one of 64 cores, Linux x86\\_64" in text
    assert "– is undefined: the system does not report the peak memory of a process" in text


def test_cost_of_no_matcher_has_a_reason() -> None:
    section = cost_section(_report())
    assert (section.tables, section.reason) == ((), "no matcher was measured")


def test_cost_as_json_names_machine_and_pairs() -> None:
    values = _report(EM, BEM).as_json()
    assert values["signature"] == (
        "cost|processor:Quantum 9|cores:1of64|system:Linux x86_64|python:3.11.7|numpy:2.4.6"
        "|pairs:demo,1234,abcdef|runs:3|v1"
    )
    assert values["machine"] == {
        "processor": "Quantum 9",
        "cores": 64,
        "cores_used": 1,
        "system": "Linux x86_64",
        "versions": {"python": "3.11.7", "numpy": "2.4.6"},
    }
    assert values["pairs"] == {"name": "demo", "count": 1234, "digest": "abcdef"}
    em, bem = values["matchers"]
    assert em == {
        "matcher": "em",
        "version": "em|v1",
        "seconds_per_1000_pairs": {"median": 0.002, "fastest": 0.001, "slowest": 0.004},
        "load_seconds": 0.0,
        "peak_memory_bytes": 1 << 20,
        "disk_bytes": 0,
    }
    assert bem["peak_memory_bytes"] is None
    assert bem["reason"] == "the system does not report the peak memory of a process"
