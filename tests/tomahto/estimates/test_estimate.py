from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from tomahto.estimates.estimate import (
    Estimate,
    estimate_as_json,
    estimate_from_json,
    fields_as_json,
    undefined,
)


@dataclass(frozen=True)
class Part:
    share: Estimate
    reason: str | None = None


@dataclass(frozen=True)
class Named:
    def as_json(self) -> str:
        return "by its own rule"


@dataclass(frozen=True)
class Whole:
    name: str
    missing: int | None
    parts: tuple[Part, ...]
    by_number: Mapping[int, Named]


def test_undefined_has_a_reason_and_no_value() -> None:
    assert undefined("no item has two ratings", n=0) == Estimate(
        value=None, n=0, reason="no item has two ratings"
    )


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"value": None}, "an undefined value needs a reason"),
        ({"value": float("nan")}, "value nan is not finite"),
        ({"value": 0.5, "low": 0.1}, "half an interval: 0.1 to None"),
        ({"value": 0.5, "low": 0.9, "high": 0.1}, "interval from 0.9 to 0.1"),
        ({"value": 0.5, "low": 0.1, "high": float("inf")}, "interval from 0.1 to inf"),
        ({"value": 0.5, "low": float("nan"), "high": 0.9}, "interval from nan to 0.9"),
        ({"value": None, "reason": "none", "low": 0.1, "high": 0.9}, "belongs to a defined value"),
        ({"value": 0.5, "reason": "none", "low": 0.1, "high": 0.9}, "without a reason"),
        ({"value": 0.5, "low": 0.1, "high": 0.9, "confidence": 95}, "confidence 95 is not between"),
        ({"value": 0.5, "n": -1}, "n is -1"),
        ({"value": 0.5, "replicates": 5}, "without a seed"),
        (
            {"value": 0.5, "replicates": 5, "undefined_replicates": 6, "seed": 1},
            "6 of 5 replicates are undefined",
        ),
    ],
)
def test_estimate_refuses_parts_that_contradict_each_other(
    parts: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Estimate(**({"n": 9} | parts))


@pytest.mark.parametrize(
    "estimate",
    [
        Estimate(value=0.5, n=9, low=0.1, high=0.9, replicates=5, undefined_replicates=1, seed=3),
        Estimate(value=0.5, n=9, reason="one item cannot speak for others"),
        Estimate(value=0.5, n=1),
        # a percentile interval is not built around the value
        Estimate(value=1.0, n=9, low=0.1, high=0.9, replicates=5, seed=1),
        undefined("no rating", n=0),
    ],
)
def test_an_estimate_comes_back_from_json(estimate: Estimate) -> None:
    assert estimate_from_json(estimate_as_json(estimate)) == estimate
    at_99 = {**estimate_as_json(estimate), "confidence": 0.99}
    assert estimate_from_json(at_99) == replace(estimate, confidence=0.99)


def test_a_report_is_json_by_its_fields() -> None:
    share = Estimate(value=0.5, n=4)
    report = Whole("all", None, (Part(share), Part(share, "of four")), {1: Named()})
    assert fields_as_json(report) == {
        "name": "all",
        "missing": None,
        "parts": [
            {"share": estimate_as_json(share)},
            {"share": estimate_as_json(share), "reason": "of four"},
        ],
        "by_number": {"1": "by its own rule"},
    }
    assert list(fields_as_json(report)) == ["name", "missing", "parts", "by_number"]
