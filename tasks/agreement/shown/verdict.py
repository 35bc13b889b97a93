"""How far the raters agree and what holds alpha down, in a few sentences computed from figures."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _

from tasks.models import Campaign
from tasks.web.number_texts import decimals
from tomahto.votes.questions import question_parts

MIN_GAIN: Final = 0.01
"""Less is not told: it would not show in two decimals."""

Figures = Mapping[str, Any]
NameOf = Callable[[str], str]


def counts(gain: Figures) -> bool:
    """Whether chance does not explain that alpha would be higher, by as much as is told."""
    return gain["low"] is not None and gain["low"] > 0 and gain["value"] >= MIN_GAIN


def verdict_of(
    campaign: Campaign, figures: Figures, goal: float | None, name_of: NameOf
) -> list[str]:
    """The first sentence says alpha and whether the goal is reached. The others name the question,
    the rater, the pair of labels and the version of the guidelines that hold it down, as far as
    their intervals leave no doubt; where none does, the last says so. Nothing without ratings.
    """
    alpha = figures["agreement"]["alpha"]
    if not figures["agreement"]["ratings"]:
        return []
    if alpha["value"] is None:
        return [_("Krippendorff’s α is undefined: %(reason)s.") % {"reason": alpha["reason"]}]
    causes = list(_causes(campaign, figures, goal, name_of))
    if not causes and alpha["low"] is not None:
        causes = [
            _(
                "No question, rater, pair of labels or version of the guidelines holds it down by"
                " more than chance explains."
            )
        ]
    return [_whole(alpha, goal), *causes]


def _whole(alpha: Figures, goal: float | None) -> str:
    if alpha["low"] is None:
        return _("Krippendorff’s α is %(value)s, without an interval yet.") % _numbers(alpha)
    if goal is None:
        return _("Krippendorff’s α is %(value)s, between %(low)s and %(high)s.") % _numbers(alpha)
    facts = _numbers(alpha) | {"goal": decimals(goal, 3)}
    if alpha["high"] < goal:
        text = _(
            "Krippendorff’s α is %(value)s, between %(low)s and %(high)s: below the goal of"
            " %(goal)s."
        )
    elif alpha["low"] >= goal:
        text = _(
            "Krippendorff’s α is %(value)s, between %(low)s and %(high)s: the goal of %(goal)s is"
            " reached."
        )
    else:
        text = _(
            "Krippendorff’s α is %(value)s, between %(low)s and %(high)s: it may lie above the goal"
            " of %(goal)s or below it."
        )
    return text % facts


def _causes(
    campaign: Campaign, figures: Figures, goal: float | None, name_of: NameOf
) -> Iterator[str]:
    alpha, titles = figures["alpha"], campaign.annotation_protocol.titles
    yield from _question(campaign, figures["agreement"]["questions"], goal)
    if gains := [each for each in alpha["without_raters"] if counts(each["gain"])]:
        greatest = max(gains, key=lambda each: each["gain"]["value"])
        yield _(
            "Without %(rater)s it would be %(alpha)s, higher by %(gain)s (%(low)s to %(high)s)."
        ) % {
            "rater": name_of(greatest["rater"]),
            **_gain(greatest),
        }
    if gains := [each for each in alpha["label_pairs"] if counts(each["gain"])]:
        greatest = max(gains, key=lambda each: each["gain"]["value"])
        one, other = (titles[label] for label in greatest["labels"])
        yield _(
            "“%(one)s” and “%(other)s” get mixed up: without the difference between them it would"
            " be %(alpha)s, higher by %(gain)s (%(low)s to %(high)s)."
        ) % {"one": one, "other": other, **_gain(greatest)}
    yield from _guidelines(figures["time"]["versions"])


def _question(campaign: Campaign, questions: Figures, goal: float | None) -> Iterator[str]:
    """The question on which they agree least, if that is surely below the goal."""
    known = {
        key: each["alpha"] for key, each in questions.items() if each["alpha"]["low"] is not None
    }
    if goal is None or len(questions) < 2 or not known:
        return
    key = min(known, key=lambda each: known[each]["value"])
    if known[key]["high"] < goal:
        yield _("They agree least on %(question)s: α is %(value)s there (%(low)s to %(high)s).") % {
            "question": names_of_parts(campaign)[key],
            **_numbers(known[key]),
        }


def _guidelines(versions: list[Figures]) -> Iterator[str]:
    """The newest version under which raters agree less than under the one before."""
    changed = [each for each in versions if each["change"] is not None]
    if (
        changed
        and (latest := changed[-1])["change"]["high"] is not None
        and latest["change"]["high"] < 0
    ):
        change = latest["change"]
        yield _(
            "Under version %(version)d of the guidelines it is lower by %(fall)s (%(low)s to"
            " %(high)s) than under the one before."
        ) % {
            "version": latest["version"],
            "fall": decimals(-change["value"], 2),
            "low": decimals(-change["high"], 2),
            "high": decimals(-change["low"], 2),
        }


def _gain(part: Figures) -> dict[str, str]:
    gain = part["gain"]
    return {
        "alpha": decimals(part["alpha"]["value"], 2),
        "gain": decimals(gain["value"], 2),
        "low": decimals(gain["low"], 2),
        "high": decimals(gain["high"], 2),
    }


def _numbers(estimate: Figures) -> dict[str, str]:
    return {name: decimals(estimate[name], 3) for name in ("value", "low", "high")}


def names_of_parts(campaign: Campaign) -> dict[str, str]:
    """By key what each part of the form is called: its question's number, or the answer chosen
    where a question takes several."""
    protocol = campaign.annotation_protocol
    titles = {
        (question.key, choice.value): choice.title
        for question in protocol.questions
        for choice in question.choices
    }
    return {
        part.key: part.key.upper() if part.value is None else titles[part.question, part.value]
        for part in question_parts(protocol.question_schemes)
    }
