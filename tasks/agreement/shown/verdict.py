"""The raters' agreement and the causes of a low alpha, in a few sentences computed from figures."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from django.utils.translation import gettext as _

from tasks.models import Campaign
from tasks.web.number_texts import decimals
from tomahto.estimates.bootstrap import FEW
from tomahto.votes.scheme import question_parts

MIN_GAIN: Final = 0.01
"""Less is not named: it would not show in two decimals."""
_SHOWS: Final = 0.005  # what two decimals show beside 0

Figures = Mapping[str, Any]
NameOf = Callable[[str], str]


def counts(gain: Figures) -> bool:
    """Whether alpha would be higher by as much as is named, and its interval is seen to be above
    0."""
    return gain["low"] is not None and gain["low"] >= _SHOWS and gain["value"] >= MIN_GAIN


def verdict_of(
    campaign: Campaign, figures: Figures, goal: float | None, name_of: NameOf
) -> list[str]:
    """The first sentence says alpha and whether the goal is reached. The others name the question,
    the rater, the pair of labels and the version of the guidelines that hold it down, as far as
    their intervals leave no doubt; where none does, the last says what was compared. Nothing
    without ratings.
    """
    alpha = figures["agreement"]["alpha"]
    if not figures["agreement"]["ratings"]:
        return []
    if alpha["value"] is None:
        return [_("Krippendorff’s α is undefined: %(reason)s.") % {"reason": alpha["reason"]}]
    causes = list(_causes(campaign, figures, goal, name_of))
    if not causes and (compared := list(_compared(figures, goal))):
        causes = [
            _("Nothing that was compared (%(compared)s) lowers α by 0.01 or more beyond chance.")
            % {"compared": ", ".join(compared)}
        ]
    return [_whole(alpha, goal), *_caution(alpha), *causes]


def _caution(alpha: Figures) -> Iterator[str]:
    """A word of caution if an interval rests on so few questions that it may not hold the true
    value."""
    if alpha["low"] is not None and alpha["clusters"] < FEW:
        yield _("This rests on only %(number)d questions: interpret it with care.") % {
            "number": alpha["clusters"]
        }


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
            "Krippendorff’s α is %(value)s, between %(low)s and %(high)s: it may be above or "
            "below the goal of %(goal)s."
        )
    return text % facts


def _causes(
    campaign: Campaign, figures: Figures, goal: float | None, name_of: NameOf
) -> Iterator[str]:
    alpha, titles = figures["alpha"], campaign.annotation_protocol.titles
    yield from _question(campaign, figures["agreement"]["questions"], goal)
    if greatest := _greatest(alpha["without_raters"]):
        yield _(
            "Without %(rater)s α would be %(alpha)s, higher by %(gain)s (%(low)s to %(high)s)."
        ) % {"rater": name_of(greatest["rater"]), **_gain(greatest)}
    if greatest := _greatest(alpha["label_pairs"]):
        first, second = (titles[label] for label in greatest["labels"])
        yield _(
            "“%(one)s” and “%(other)s” are confused: without the difference between them α would "
            "be %(alpha)s, higher by %(gain)s (%(low)s to %(high)s)."
        ) % {"one": first, "other": second, **_gain(greatest)}
    yield from _guidelines(figures["time"]["versions"])


def _greatest(parts: Sequence[Figures]) -> Figures | None:
    gains = [part for part in parts if counts(part["gain"])]
    return max(gains, key=lambda part: part["gain"]["value"], default=None)


def _question(campaign: Campaign, questions: Figures, goal: float | None) -> Iterator[str]:
    """The question on which they agree least, if alpha is surely below the goal there."""
    defined = {key: part["alpha"] for key, part in questions.items()}
    defined = {key: alpha for key, alpha in defined.items() if alpha["value"] is not None}
    if goal is None or len(questions) < 2 or not defined:
        return
    key = min(defined, key=lambda part: defined[part]["value"])
    if defined[key]["high"] is not None and defined[key]["high"] < goal:
        text = _("Raters agree least on %(question)s: there α is %(value)s (%(low)s to %(high)s).")
        yield text % {"question": names_of_parts(campaign)[key], **_numbers(defined[key])}


def _guidelines(versions: Sequence[Figures]) -> Iterator[str]:
    """The newest version under which raters agreed less than under the one before, unless they
    agreed more under a later one."""
    numbered = [version for version in versions if version["version"] is not None]
    for before, version in reversed(list(pairwise(numbered))):
        change = version["change"]
        if change["high"] is None or change["low"] >= _SHOWS:
            return
        if change["high"] <= -_SHOWS and change["value"] <= -MIN_GAIN:
            yield _(
                "Under version %(version)d of the guidelines α is lower by %(fall)s (%(low)s to"
                " %(high)s) than under version %(before)d."
            ) % {
                "version": version["version"],
                "before": before["version"],
                "fall": decimals(-change["value"], 2),
                "low": decimals(-change["high"], 2),
                "high": decimals(-change["low"], 2),
            }
            return


def _compared(figures: Figures, goal: float | None) -> Iterator[str]:
    """The kinds of causes of which at least one has an interval, so that it could be named."""
    alpha, questions = figures["alpha"], figures["agreement"]["questions"]
    if goal is not None and len(questions) > 1:
        yield _("questions")
    if any(part["gain"]["low"] is not None for part in alpha["without_raters"]):
        yield _("raters")
    if any(part["gain"]["low"] is not None for part in alpha["label_pairs"]):
        yield _("pairs of labels")
    changes = [version["change"] for version in figures["time"]["versions"] if version["change"]]
    if any(change["low"] is not None for change in changes):
        yield _("versions of the guidelines")


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
