"""The history of an item as people read it: one line for everything that happened, in order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from operator import attrgetter

from django.utils.translation import gettext as _

from tasks.explorer.queries.history import SaidOfItem, acts_on, raters_of, releases_with, said_of
from tasks.models import (
    ActKind,
    Adjudication,
    AssignmentState,
    BulkAct,
    Flag,
    Item,
    Membership,
    Rating,
)
from tasks.web.number_texts import decimals

_TELLING = (ActKind.CONTROL, ActKind.SET_ASIDE)
_Named = Callable[[Membership], str]


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that happened: who did what, when.

    `kind` is the class of its mark; `label` the title of a label, in English; `words` are those of
    the person, `aside` says more in ours. A rating or decision that was revised is `is_past`.
    """

    at: datetime
    kind: str
    what: str
    who: str = ""
    label: str = ""
    words: str = ""
    aside: str = ""
    is_past: bool = False


def history_of(item: Item, member: Membership, *, is_withheld: bool) -> list[Entry]:
    """Everything, the oldest first; without what others said of it where that is withheld."""
    entries = [*_known_to_all(item), *_acts(item, member, is_withheld=is_withheld)]
    if not is_withheld:
        entries += _entries(said_of(item, member), member)
    return sorted(entries, key=attrgetter("at"))


def _known_to_all(item: Item) -> Iterator[Entry]:
    systems = ", ".join(item.system_names)
    made = _("Copied to check raters") if item.copied_from_id else _("Imported")
    yield Entry(item.created_at, "import", made, aside=systems)
    for release, split in releases_with(item):
        aside = _("document in the split %(split)s") % {"split": split}
        what = _("Release %(version)s") % {"version": release.version}
        yield Entry(release.created_at, "release", what, aside=aside)


def _acts(item: Item, member: Membership, *, is_withheld: bool) -> Iterator[Entry]:
    """The acts that were done to it together with others; that it was made a control item says
    that its votes agree, that a rating was set aside who has rated it."""
    for act in acts_on(item):
        if is_withheld and act.kind in _TELLING:
            continue
        title, told = {"act": str(ActKind(act.kind).label)}, _options_in_words(act)
        if act.kind == ActKind.ASSIGN:
            raters = raters_of(act, item, is_withheld=is_withheld)
            told = ", ".join(_name(member, rater) for rater in raters)
        yield Entry(act.created_at, "act", _("did: %(act)s") % title, act.member.name, aside=told)
        if act.undone_at and act.undone_by:
            undone = _("undid, except for items in use: %(act)s") % title
            yield Entry(act.undone_at, "act", undone, act.undone_by.name, aside=told)


def _options_in_words(act: BulkAct) -> str:
    """The options of an act, as short as they can be."""
    match act.options:
        case {"tag": tag}:
            return str(tag)
        case {"reason": reason}:
            return str(reason)
        case {"more": more}:
            return f"+{more}"
    return ""


def _entries(said: SaidOfItem, member: Membership) -> Iterator[Entry]:
    named = partial(_name, member)
    titles = member.campaign.annotation_protocol.titles
    for assignment in said.assignments:
        is_skipped = assignment.state == AssignmentState.SKIPPED
        kind, what = ("skip", _("skipped it")) if is_skipped else ("claim", _("took it to rate"))
        words = assignment.skip_reason if is_skipped else ""
        yield Entry(assignment.claimed_at, kind, what, named(assignment.rater), words=words)
    superseded = {each.supersedes_id for each in said.ratings}
    for rating in said.ratings:
        yield _rating(rating, named, titles, is_past=rating.pk in superseded)
    for one in said.suggestions:
        verdict = _("acceptable") if one.is_correct else _("not acceptable")
        score = f"{decimals(one.score, 2)}, {verdict}"
        yield Entry(one.created_at, "matcher", _("scored it"), who=one.matcher, aside=score)
    for flag in said.flags:
        yield from _flag(flag, named)
    yield from _judged(said, titles)


def _name(viewer: Membership, rater: Membership) -> str:
    return rater.name if viewer.is_admin else rater.pseudonym


def _rating(rating: Rating, named: _Named, titles: dict[str, str], *, is_past: bool) -> Entry:
    surplus = "" if rating.is_counted else _("surplus, not counted")
    # an imported one has the time of its file; of others `rated_at` has whole seconds on SQLite
    imported_at = None if rating.assignment_id else rating.rated_at
    return Entry(
        at=imported_at or rating.created_at,
        kind="rating",
        what=_("revised the rating to") if rating.supersedes_id else _("rated it as"),
        who=named(rating.rater),
        label=titles.get(rating.outcome.label, rating.outcome.label),
        words=" · ".join(rating.typed_remarks),
        aside=_("set aside, not counted") if rating.is_set_aside else surplus,
        is_past=is_past,
    )


def _flag(flag: Flag, named: _Named) -> Iterator[Entry]:
    who = named(flag.rater)
    yield Entry(flag.created_at, "flag", _("flagged it"), who, words=flag.reason)
    if flag.settled_at and flag.settled_by:
        settled = _("settled the flag of %(rater)s") % {"rater": who}
        name = flag.settled_by.name
        yield Entry(flag.settled_at, "settled", settled, name, words=flag.settlement)


def _judged(said: SaidOfItem, titles: dict[str, str]) -> Iterator[Entry]:
    """The acts of adjudicators; they go by their names."""
    for look in said.first_looks:
        label = titles.get(look.outcome.label, look.outcome.label)
        what, who = _("judged blind as"), look.adjudicator.name
        yield Entry(look.created_at, "look", what, who, label=label)
    superseded = {each.supersedes_id for each in said.adjudications}
    for decision in said.adjudications:
        yield _decision(decision, titles, is_past=decision.pk in superseded)
    for seen in said.seen:
        yield Entry(seen.created_at, "look", _("saw the votes"), seen.member.name)


def _decision(decision: Adjudication, titles: dict[str, str], *, is_past: bool) -> Entry:
    return Entry(
        at=decision.created_at,
        kind="decision",
        what=_("revised the decision to") if decision.supersedes_id else _("decided that it is"),
        who=decision.adjudicator.name,
        label=titles.get(decision.outcome.label, decision.outcome.label),
        words=decision.reason,
        is_past=is_past,
    )
