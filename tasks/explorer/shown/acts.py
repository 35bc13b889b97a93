"""Acts on many items in words: what they are going to do, and what they have done."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import ngettext

from tasks.explorer.workflow.acts.plan import (
    LeftOut,
    Plan,
    Share,
)
from tasks.models import ActKind, BulkAct
from tasks.web.number_texts import count

Words = Callable[[int, Mapping[str, Any]], str]


def _tagged(items: int, given: Mapping[str, Any]) -> str:
    text = ngettext(
        "%(n)s item gets the tag “%(tag)s”.", "%(n)s items get the tag “%(tag)s”.", items
    )
    return text % {"n": count(items), "tag": given["tag"]}


def _untagged(items: int, given: Mapping[str, Any]) -> str:
    text = ngettext(
        "%(n)s item loses the tag “%(tag)s”.", "%(n)s items lose the tag “%(tag)s”.", items
    )
    return text % {"n": count(items), "tag": given["tag"]}


def _sent(items: int, _given: Mapping[str, Any]) -> str:
    text = ngettext(
        "%(n)s item waits for an adjudicator, whatever its votes are, unless it is decided.",
        "%(n)s items wait for an adjudicator, whatever their votes are, unless they are decided.",
        items,
    )
    return text % {"n": count(items)}


def _more(items: int, given: Mapping[str, Any]) -> str:
    text = ngettext(
        "%(n)s item is handed out for more ratings: %(more)s more.",
        "%(n)s items are handed out for more ratings: %(more)s more for each.",
        items,
    )
    return text % {"n": count(items), "more": count(given["more"])}


def _assigned(items: int, given: Mapping[str, Any]) -> str:
    text = ngettext(
        "%(n)s item goes to %(raters)s before any other; its place is theirs for %(days)s.",
        "%(n)s items go to %(raters)s before any other; their places are theirs for %(days)s.",
        items,
    )
    number, days = len(given["raters"]), given["days"]
    raters = ngettext("%(n)s rater", "%(n)s raters", number) % {"n": count(number)}
    span = ngettext("%(n)s day", "%(n)s days", days) % {"n": count(days)}
    return text % {"n": count(items), "raters": raters, "days": span}


def _made_controls(items: int, _given: Mapping[str, Any]) -> str:
    text = ngettext(
        "A copy of %(n)s item checks raters from now on; nobody judges the item itself blind any"
        " more.",
        "Copies of %(n)s items check raters from now on; nobody judges the items themselves blind"
        " any more.",
        items,
    )
    return text % {"n": count(items)}


def _dismissed(items: int, _given: Mapping[str, Any]) -> str:
    text = ngettext(
        "%(n)s item gets no more ratings. Those it has stay and count.",
        "%(n)s items get no more ratings. Those they have stay and count.",
        items,
    )
    return text % {"n": count(items)}


def _taken_back(items: int, _given: Mapping[str, Any]) -> str:
    text = ngettext("%(n)s item is handed out again.", "%(n)s items are handed out again.", items)
    return text % {"n": count(items)}


_WORDS: Final[Mapping[ActKind, Words]] = {
    ActKind.TAG: _tagged,
    ActKind.UNTAG: _untagged,
    ActKind.SEND: _sent,
    ActKind.MORE: _more,
    ActKind.ASSIGN: _assigned,
    ActKind.CONTROL: _made_controls,
    ActKind.DISMISS: _dismissed,
    ActKind.TAKE_BACK: _taken_back,
}


@dataclass(frozen=True, slots=True)
class ShownPlan:
    """The plan of an act in a sentence, how many items each rater gets, and how many it leaves out
    for which reasons."""

    what: str
    items: int
    shares: Sequence[Share]
    left_out: list[tuple[int, str]]
    digest: str


def shown_plan(kind: ActKind, plan: Plan) -> ShownPlan:
    what = _WORDS[kind](len(plan.items), plan.told) if plan.items else ""
    return ShownPlan(what, len(plan.items), plan.shares, _left(plan.left_out), plan.digest)


@dataclass(frozen=True, slots=True)
class ShownAct:
    """An act that was done: what it did, by whom, and what undoing it came to, if it was undone."""

    act: BulkAct
    title: str
    what: str
    left_out: list[tuple[int, str]]
    undone: str


def shown_act(act: BulkAct | None) -> ShownAct | None:
    """None for none. The act comes with the number of its items."""
    if act is None:
        return None
    kind, items = ActKind(act.kind), act.items  # type: ignore[attr-defined]  # of `acts_of`
    left = {LeftOut(reason): number for reason, number in act.left_out.items()}
    what = _WORDS[kind](items, act.options)
    return ShownAct(act, str(kind.label), what, _left(left), _undone(act))


def _undone(act: BulkAct) -> str:
    if not act.undone_at:
        return ""
    done, kept = act.result["undone"], act.result["kept"]
    text = ngettext("%(n)s item is as it was.", "%(n)s items are as they were.", done)
    undone = text % {"n": count(done)}
    if not kept:
        return undone
    more = ngettext(
        "%(n)s is not: somebody has worked on it since.",
        "%(n)s are not: somebody has worked on them since.",
        kept,
    )
    return f"{undone} {more % {'n': count(kept)}}"


def _left(left_out: Mapping[LeftOut, int]) -> list[tuple[int, str]]:
    """The most frequent reason first."""
    listed = sorted(left_out.items(), key=lambda each: -each[1])
    return [(number, str(reason.label)) for reason, number in listed]
