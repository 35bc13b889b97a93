"""The rules by which alerts are raised: the usual ones, and how a campaign departs from them."""

from dataclasses import dataclass

from tasks.models import AlertKind, AlertRule, Campaign

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
