"""What the findings of a look amount to: whom an alert would be about, and the numbers to show."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tasks.agreement.findings.alert_rules import Rule
from tasks.models import AlertKind

Findings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Alarm:
    """`subject` is a pseudonym, labels joined by " / ", or "" for the campaign as a whole."""

    subject: str
    evidence: Mapping[str, Any]


def alarms(rule: Rule, findings: Findings) -> list[Alarm]:
    """What the rule finds in the findings of a look; nothing where its test was not made."""
    test, read = _READERS.get(rule.kind, ("", _nothing))
    return list(read(rule, findings[test])) if test in findings else []


def _nothing(_rule: Rule, _found: Findings) -> Iterator[Alarm]:
    return iter(())


def _alpha(rule: Rule, found: Findings) -> Iterator[Alarm]:
    high = found.get("high")
    if high is not None and rule.threshold is not None and high < rule.threshold:
        numbers = _part(found, "value", "low", "high", "n")
        yield Alarm("", numbers | {"threshold": rule.threshold})


def _drift(_rule: Rule, found: Findings) -> Iterator[Alarm]:
    for rater in found["raters"]:
        if rater["verdict"] in ("declines", "improves"):
            yield Alarm(rater["rater"], _part(rater, "verdict", "change", "p_value"))


def _controls(_rule: Rule, found: Findings) -> Iterator[Alarm]:
    for rater in found["raters"]:
        if rater["verdict"] == "low":
            accuracy = _part(rater["accuracy"], "value", "n")
            yield Alarm(rater["rater"], accuracy | _part(rater, "others", "p_value"))


def _speed(_rule: Rule, found: Findings) -> Iterator[Alarm]:
    for rater in found["raters"]:
        if rater["verdict"] in ("fast", "slow"):
            yield Alarm(rater["rater"], _part(rater, "verdict", "pace", "p_value"))


def _confusion(_rule: Rule, found: Findings) -> Iterator[Alarm]:
    for one in (*found["labels"], *found["pairs"]):
        if one["is_confused"]:
            yield Alarm(" / ".join(one["labels"]), _part(one, "observed", "expected", "p_value"))


def _steering(_rule: Rule, found: Findings) -> Iterator[Alarm]:
    if found["verdict"] in ("steers", "steers-away"):
        yield Alarm("", _part(found, "verdict", "bound"))


def _part(found: Findings, *names: str) -> dict[str, Any]:
    return {name: found[name] for name in names}


_READERS: Mapping[AlertKind, tuple[str, Callable[[Rule, Findings], Iterator[Alarm]]]] = {
    AlertKind.ALPHA: ("alpha", _alpha),
    AlertKind.DRIFT: ("drift", _drift),
    AlertKind.CONTROLS: ("controls", _controls),
    AlertKind.SPEED: ("speed", _speed),
    AlertKind.CONFUSION: ("confusions", _confusion),
    AlertKind.STEERING: ("steering", _steering),
}
