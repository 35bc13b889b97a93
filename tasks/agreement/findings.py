"""The tests of a look at a campaign, the rules that read them, and the alerts they raise.

A test is called with the campaign and a `Chance`: it may raise a false alarm at most that often,
over everything it tests. Which looks there are is decided in tasks/agreement/workflow/alerts.py.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet

from tasks.agreement.figures.agreement_figures import in_full
from tasks.agreement.figures.suggestion_figures import Chance, steering_finding
from tasks.models import Alert, AlertKind, AlertRule, Campaign, Look, Membership, Role
from tasks.votes.blindness import leaves_out_votes
from tasks.votes.item_votes import control_answers
from tasks.votes.patterns import rating_sequence, vote_patterns
from tomahto.estimates.estimate import estimate_as_json
from tomahto.raters.agreement_with_others import WINDOW
from tomahto.raters.checks import MIN_CONTROLS, control_accuracies, speeds
from tomahto.raters.confused_class import confusions
from tomahto.raters.drift import drift
from tomahto.reliability.alpha import alpha_with_interval
from tomahto.types import JsonObject


def alpha_finding(campaign: Campaign, chance: Chance) -> dict[str, Any]:
    """Alpha between two bounds, each of which it is beyond with a chance of at most the level."""
    patterns = vote_patterns(campaign)
    draws = chance.draws
    estimate = alpha_with_interval(
        patterns,
        seed=draws.seed,
        replicates=draws.replicates,
        confidence=1 - 2 * chance.level,
    )
    return {"level": patterns.scheme.level, **estimate_as_json(estimate)}


def drift_findings(campaign: Campaign, chance: Chance) -> JsonObject:
    """Every rater's change of agreement with the others over time, `from_rating` on (from 1)."""
    sequence = rating_sequence(campaign)
    found = (
        drift(sequence.rows, bootstrap=chance.draws, window=WINDOW, level=chance.level)
        if sequence
        else ()
    )
    return {
        "window": WINDOW,
        "raters": [
            {
                "rater": one.rater,
                "verdict": one.verdict,
                "ratings": one.ratings,
                "compared": one.compared,
                "from_rating": None if one.position is None else one.position + 1,
                "change": one.change,
                "p_value": one.p_value,
            }
            for one in found
        ],
    }


def speed_findings(campaign: Campaign, chance: Chance) -> JsonObject:
    """Every rater's pace: how many times as long as the others on the same items."""
    sequence = rating_sequence(campaign)
    found = (
        speeds(sequence.rows, sequence.seconds, bootstrap=chance.draws, level=chance.level)
        if sequence
        else ()
    )
    return {
        "raters": in_full(found),
    }


def control_findings(campaign: Campaign, chance: Chance) -> JsonObject:
    """Every rater's accuracy on control items against that of all the others."""
    found = control_accuracies(control_answers(campaign), level=chance.level)
    return {
        "least_answers": MIN_CONTROLS,
        "raters": in_full(found),
    }


def confusion_findings(campaign: Campaign, chance: Chance) -> JsonObject:
    """Every label and every pair of labels, most striking first, or why there are none."""
    found = confusions(vote_patterns(campaign), bootstrap=chance.draws, level=chance.level)
    return {
        "items": found.n,
        "labels": in_full(found.labels),
        "pairs": in_full(found.pairs),
        **({"reason": found.reason} if found.reason else {}),
    }


FINDINGS: Mapping[str, Callable[[Campaign, Chance], JsonObject]] = {
    "alpha": alpha_finding,
    "drift": drift_findings,
    "speed": speed_findings,
    "controls": control_findings,
    "confusions": confusion_findings,
    "steering": steering_finding,
}

# Krippendorff (2004, "Content Analysis", chapter 11): below it not even tentative conclusions
LOWEST_ALPHA = 0.667
STALLED_HOURS = 72


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in force; `threshold` and `hours` are None where its kind has none."""

    kind: AlertKind
    is_active: bool = True
    threshold: float | None = None
    hours: int | None = None


USUAL_RULES = (
    Rule(AlertKind.ALPHA, threshold=LOWEST_ALPHA),
    Rule(AlertKind.DRIFT),
    Rule(AlertKind.CONTROLS),
    Rule(AlertKind.SPEED),
    Rule(AlertKind.CONFUSION),
    Rule(AlertKind.STEERING),
    Rule(AlertKind.STALLED, hours=STALLED_HOURS),
)


def rules_of(campaign: Campaign) -> list[Rule]:
    """Every rule of the campaign in a fixed order, active or not."""
    own = {rule.kind: rule for rule in AlertRule.objects.filter(campaign=campaign)}
    return [_in_force(usual, own.get(usual.kind)) for usual in USUAL_RULES]


def alpha_rule(campaign: Campaign) -> Rule:
    """The rule whose threshold is the goal: the alpha that the campaign is to reach."""
    (rule,) = (rule for rule in rules_of(campaign) if rule.kind == AlertKind.ALPHA)
    return rule


def _in_force(usual: Rule, own: AlertRule | None) -> Rule:
    if own is None:
        return usual
    return Rule(usual.kind, own.is_active, own.threshold, own.hours)


Findings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Alarm:
    """`subject` is a pseudonym, labels joined by " / ", or "" for the campaign as a whole."""

    subject: str
    evidence: Mapping[str, Any]


def alarms(rule: Rule, findings: Findings) -> list[Alarm]:
    """The rule's alarms in the findings of a look; none if its test was not made."""
    if rule.kind not in _READERS:
        return []
    test, read = _READERS[rule.kind]
    return list(read(rule, findings[test])) if test in findings else []


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


def alerts_of(campaign: Campaign) -> QuerySet[Alert]:
    """Every alert, open ones first, then the newest first; with who acknowledged it."""
    return (
        Alert.objects.filter(campaign=campaign)
        .select_related("acknowledged_by", "look")
        .prefetch_related("deliveries")
        .order_by(F("acknowledged_at").desc(nulls_first=True), "-id")
    )


def open_alerts(campaign: Campaign) -> int:
    """The number of open alerts that the campaign's reader may know of."""
    return newest_open_alerts(campaign).count()


def newest_open_alerts(campaign: Campaign) -> QuerySet[Alert]:
    """Those that are open, the newest first; none while the campaign's reader may know of none."""
    if campaign.reader and are_alerts_withheld(campaign.reader):
        return Alert.objects.none()
    return Alert.objects.filter(campaign=campaign, acknowledged_at=None)


def are_alerts_withheld(member: Membership) -> bool:
    """Whether alerts come of votes on items that the member may still rate."""
    if not member.has_claimed:
        return False
    look = Look.objects.filter(campaign=member.campaign_id).first()
    return look is not None and leaves_out_votes(member, look.made_at)


def mailed_admins(campaign: Campaign) -> list[Membership]:
    """The campaign's active admins, as far as they gave an e-mail address."""
    admins = Membership.objects.filter(campaign=campaign, role=Role.ADMIN, is_active=True)
    with_address = admins.filter(user__is_active=True).exclude(user__email="")
    return list(with_address.select_related("user", "campaign").order_by("user__email"))
