"""Findings of the looks at a campaign, in sentences and in a word."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from tasks.agreement.workflow.alerts import next_look_at
from tasks.models import Campaign, Look
from tasks.web.number_texts import decimals, percent


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence, and the address where there is more of it."""

    text: str
    address: str


_SMALLEST = 0.0001

Sentences = Callable[[Mapping[str, Any]], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class LookFindings:
    """A look and what it found of the things in question."""

    look: Look
    found: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    """The latest look, None before the first, and earlier looks that found something.

    The next look is made at `next_at` ratings.
    """

    latest: LookFindings | None
    earlier: tuple[LookFindings, ...]
    next_at: int


def findings_of(looks: Sequence[Look], sentences: Sentences) -> Findings:
    """`sentences` says in words what it finds in the findings of a look; looks newest first."""
    told = [LookFindings(look, tuple(sentences(look.as_json()["findings"]))) for look in looks]
    return Findings(
        latest=told[0] if told else None,
        earlier=tuple(each for each in told[1:] if each.found),
        next_at=next_look_at(looks[0] if looks else None),
    )


def p_value(p: float) -> str:
    """As in "= 0.0012", to be put after the letter p."""
    return f"= {decimals(p, 4)}" if p >= _SMALLEST else f"< {decimals(_SMALLEST, 4)}"


def sentences_about_raters(campaign: Campaign, names: Mapping[str, str]) -> Sentences:
    """Whoever drifts, is unlike the others in speed, or less accurate on control items."""

    def sentences(findings: Mapping[str, Any]) -> Iterator[Finding]:
        for test, tell in _TELLERS.items():
            for each in findings.get(test, {}).get("raters", []):
                if each["verdict"] in tell:
                    text = tell[each["verdict"]](each, names.get(each["rater"], each["rater"]))
                    address = reverse("rater", args=[campaign.slug, each["rater"]])
                    yield Finding(text, address)

    return sentences


def words_about_raters(latest: LookFindings | None) -> dict[str, list[str]]:
    """The latest look's findings about each rater, in a word or two."""
    words: dict[str, list[str]] = defaultdict(list)
    findings = latest.look.as_json()["findings"] if latest else {}
    short = {
        "declines": _("agreement declines"),
        "improves": _("agreement improves"),
        "fast": _("unusually fast"),
        "slow": _("unusually slow"),
        "low": _("control items"),
    }
    for test in _TELLERS:
        for each in findings.get(test, {}).get("raters", []):
            if each["verdict"] in short:
                words[each["rater"]].append(short[each["verdict"]])
    return dict(words)


_Teller = Callable[[Mapping[str, Any], str], str]


def _declines(each: Mapping[str, Any], name: str) -> str:
    return _(
        "From rating %(place)d on, %(rater)s agrees less with the others: %(points)s percentage "
        "points lower than the items explain (p %(p)s)."
    ) % _of_drift(each, name)


def _improves(each: Mapping[str, Any], name: str) -> str:
    return _(
        "From rating %(place)d on, %(rater)s agrees more with the others: %(points)s percentage "
        "points higher than the items explain (p %(p)s)."
    ) % _of_drift(each, name)


def _of_drift(each: Mapping[str, Any], name: str) -> dict[str, object]:
    return {
        "rater": name,
        "place": each["from_rating"],
        "points": decimals(100 * abs(each["change"]), 0),
        "p": p_value(each["p_value"]),
    }


def _pace(each: Mapping[str, Any], name: str) -> str:
    return _(
        "%(rater)s takes %(pace)s times as long as the others on the same items (p %(p)s)."
    ) % {"rater": name, "pace": decimals(each["pace"], 2), "p": p_value(each["p_value"])}


def _low(each: Mapping[str, Any], name: str) -> str:
    return _(
        "%(rater)s is right on %(share)s of %(answers)d control items, all others on %(others)s"
        " (p %(p)s)."
    ) % {
        "rater": name,
        "share": percent(each["accuracy"]["value"]),
        "answers": each["accuracy"]["n"],
        "others": percent(each["others"]),
        "p": p_value(each["p_value"]),
    }


# by the names of the tests (tasks/agreement/findings.py) and of their verdicts
_TELLERS: Mapping[str, Mapping[str, _Teller]] = {
    "drift": {"declines": _declines, "improves": _improves},
    "speed": {"fast": _pace, "slow": _pace},
    "controls": {"low": _low},
}
