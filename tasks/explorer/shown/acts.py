"""Acts on many items in words: what they are going to do, and what they have done."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from django.utils.translation import ngettext, ngettext_lazy

from tasks.explorer.workflow.plan import LeftOut, Plan
from tasks.models import ActKind, BulkAct
from tasks.web.number_texts import count

_NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})

_WORDS: Final = {
    ActKind.TAG: ngettext_lazy(
        "%(n)s item gets the tag “%(tag)s”.", "%(n)s items get the tag “%(tag)s”.", "items"
    ),
    ActKind.UNTAG: ngettext_lazy(
        "%(n)s item loses the tag “%(tag)s”.", "%(n)s items lose the tag “%(tag)s”.", "items"
    ),
    ActKind.SEND: ngettext_lazy(
        "%(n)s item goes to the adjudicators, whatever its votes, unless it is already decided.",
        "%(n)s items go to the adjudicators, whatever their votes, unless they are already "
        "decided.",
        "items",
    ),
    ActKind.MORE: ngettext_lazy(
        "%(n)s item is handed out for more ratings: %(more)s more.",
        "%(n)s items are handed out for more ratings: %(more)s more for each.",
        "items",
    ),
    ActKind.ASSIGN: ngettext_lazy(
        "%(n)s item is next for %(raters)s; the place is reserved for %(days)s.",
        "%(n)s items are next for %(raters)s; the places are reserved for %(days)s.",
        "items",
    ),
    ActKind.CONTROL: ngettext_lazy(
        "A copy of %(n)s item becomes a control item. The item itself is no longer judged blind.",
        "Copies of %(n)s items become control items. The items themselves are no longer judged "
        "blind.",
        "items",
    ),
    ActKind.SET_ASIDE: ngettext_lazy(
        "%(n)s rating by %(rater)s does not count any more, and another rater gets its place.",
        "%(n)s ratings by %(rater)s do not count any more, and other raters get their places.",
        "items",
    ),
    ActKind.DISMISS: ngettext_lazy(
        "%(n)s item gets no more ratings. Existing ratings are kept and count.",
        "%(n)s items get no more ratings. Existing ratings are kept and count.",
        "items",
    ),
    ActKind.TAKE_BACK: ngettext_lazy(
        "%(n)s item is handed out again.", "%(n)s items are handed out again.", "items"
    ),
}


def _in_words(kind: ActKind, items: int, given: Mapping[str, Any]) -> str:
    words = {**given, "items": items, "n": count(items)}
    if kind == ActKind.MORE:
        words["more"] = count(given["more"])
    if kind == ActKind.ASSIGN:
        raters, days = len(given["raters"]), given["days"]
        words["raters"] = ngettext("%(n)s rater", "%(n)s raters", raters) % {"n": count(raters)}
        words["days"] = ngettext("%(n)s day", "%(n)s days", days) % {"n": count(days)}
    return _WORDS[kind] % words


@dataclass(frozen=True, slots=True)
class ShownPlan:
    """The plan of an act in a sentence, and how many items it leaves out for which reasons.

    `parts` are the items by rater, or by the answer that is expected. `is_short` where somebody
    gets fewer items than the act is to give them; `withheld` items could be acted on if their votes
    were seen.
    """

    what: str
    items: int
    parts: list[tuple[str, int]]
    is_short: bool
    withheld: int
    left_out: list[tuple[int, str]]
    digest: str


def shown_plan(kind: ActKind, plan: Plan, titles: Mapping[str, str]) -> ShownPlan:
    items = len(plan.items)
    parts = [(share.name, share.items) for share in plan.shares]
    told = {**plan.told, "raters": [share.rater for share in plan.shares if share.items]}
    answers = Counter(known.label for _item, known in plan.answers)
    return ShownPlan(
        what=_in_words(kind, items, told) if plan.items else "",
        items=items,
        parts=parts or [(titles.get(label, label), n) for label, n in answers.most_common()],
        is_short=plan.told.get("is_divided") is False and any(n < items for _name, n in parts),
        withheld=len(plan.withheld),
        left_out=_left(plan.left_out),
        digest=plan.digest,
    )


@dataclass(frozen=True, slots=True)
class ShownAct:
    """An act that was done: what it did, by whom, and what undoing it came to, if it was undone;
    `parts` are the items by rater."""

    act: BulkAct
    title: str
    what: str
    parts: list[tuple[str, int]]
    left_out: list[tuple[int, str]]
    undone: str


def shown_act(act: BulkAct | None, names: Mapping[str, str] = _NO_NAMES) -> ShownAct | None:
    """None for none. The act comes with the number of its items; raters are called by `names`."""
    if act is None:
        return None
    kind, items = ActKind(act.kind), act.items  # type: ignore[attr-defined]  # of `acts_of`
    left = {LeftOut(reason): number for reason, number in act.left_out.items()}
    shares: Mapping[str, int] = act.result.get("shares", {})
    what = _in_words(kind, items, {**act.options, **({"raters": list(shares)} if shares else {})})
    parts = [(names[rater], number) for rater, number in shares.items() if rater in names]
    return ShownAct(act, str(kind.label), what, parts, _left(left), _undone(act))


def _undone(act: BulkAct) -> str:
    if not act.undone_at:
        return ""
    done, kept = act.result["undone"], act.result["kept"]
    if act.kind == ActKind.CONTROL:
        text = ngettext("%(n)s copy is deleted.", "%(n)s copies are deleted.", done)
        more = ngettext(
            "%(n)s is kept because it has already been used, but no longer checks raters.",
            "%(n)s are kept because they have already been used, but no longer check raters.",
            kept,
        )
    else:
        text = ngettext("%(n)s item has been restored.", "%(n)s items have been restored.", done)
        more = ngettext(
            "%(n)s has not, because somebody has worked on it since.",
            "%(n)s have not, because somebody has worked on them since.",
            kept,
        )
    undone = text % {"n": count(done)}
    return f"{undone} {more % {'n': count(kept)}}" if kept else undone


def _left(left_out: Mapping[LeftOut, int]) -> list[tuple[int, str]]:
    """The most frequent reason first."""
    listed = sorted(left_out.items(), key=lambda each: -each[1])
    return [(number, str(reason.label)) for reason, number in listed]
