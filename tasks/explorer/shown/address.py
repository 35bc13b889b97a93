"""The explorer's address, as short as it can be, and its filters as chips."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tasks.explorer.queries.listing import ItemListing
from tasks.web.number_texts import decimals

_DEFAULTS: Final = {field.name: field.default for field in fields(ItemListing)}


@dataclass(frozen=True, slots=True)
class ListAddress:
    """The text after the question mark; `columns` are the names of those that were chosen."""

    listing: ItemListing
    columns: tuple[str, ...] = ()

    def query(self, **changes: Any) -> str:
        """With these parameters instead, from the beginning of the list unless a cursor is one."""
        cursor = changes.get("cursor", "")
        changed = ListAddress(replace(self.listing, **changes), self.columns)
        return urlencode([*changed.parts, *([("cursor", cursor)] if cursor else [])])

    @property
    def parts(self) -> list[tuple[str, Any]]:
        """The parts of a list's beginning in `query`, by name."""
        given = [(name, getattr(self.listing, name)) for name in _DEFAULTS if name != "cursor"]
        named = [(name, value) for name, value in given if value != _DEFAULTS[name]]
        return [*named, ("columns", ",".join(self.columns))] if self.columns else named

    @property
    def here(self) -> str:
        return self.query(cursor=self.listing.cursor)

    @property
    def for_calls(self) -> str:
        """As the API takes it: without columns."""
        return ListAddress(self.listing).query()

    @property
    def for_client(self) -> str:
        """As arguments of the Python client's `items`."""
        return ", ".join(f"{name}={value!r}" for name, value in ListAddress(self.listing).parts)


TitleOf = Callable[[str, Any], str]

_SIMPLE: Final = {
    "label": gettext_noop("Majority: %(value)s"),
    "state": gettext_noop("State: %(value)s"),
    "tag": gettext_noop("Tag: %(value)s"),
    "system": gettext_noop("System: %(value)s"),
    "flagged": gettext_noop("Flags: %(value)s"),
    "purpose": gettext_noop("Purpose: %(value)s"),
    "document": gettext_noop("Document: %(value)s"),
    "question_type": gettext_noop("Type of question: %(value)s"),
    "split": gettext_noop("Split: %(value)s"),
    "key": gettext_noop("Id: %(value)s"),
    "assigned": gettext_noop("Assigned to %(value)s"),
}
_WHETHER: Final = {
    "disputed": gettext_noop("Raters disagree"),
    "unfinished": gettext_noop("Ratings are missing"),
}

_OF_MATCHER: Final = ("matcher", "score_min", "score_max", "accepted", "differs")


class Chip(NamedTuple):
    """A filter in words; `query` is the address without it."""

    text: str
    query: str


def chips_of(address: ListAddress, title_of: TitleOf) -> list[Chip]:
    """Every filter but the words of the search; filters that belong together in one chip.

    `title_of` gives what the form calls a filter's value.
    """
    chips = [
        Chip(text, address.query(**dict.fromkeys(names, nothing)))
        for text, names, nothing in _conditions_in_words(address.listing, title_of)
    ]
    if matcher := address.listing.matcher:
        # it leaves out what it has not scored, and all that is asked of it goes with it
        goes = {name: _DEFAULTS[name] for name in _OF_MATCHER}
        if address.listing.column == "score":
            goes["order"] = _DEFAULTS["order"]
        chips.append(Chip(_("Scored by %(matcher)s") % {"matcher": matcher}, address.query(**goes)))
    return chips


def _conditions_in_words(
    listing: ItemListing, title_of: TitleOf
) -> Iterator[tuple[str, tuple[str, ...], Any]]:
    """Text, names and empty value of each."""
    for name, text in _SIMPLE.items():
        if value := getattr(listing, name):
            yield _(text) % {"value": title_of(name, value)}, (name,), ""
    if listing.vote and listing.rater:
        text = _("%(rater)s voted: %(label)s") % {
            "rater": title_of("rater", listing.rater),
            "label": title_of("vote", listing.vote),
        }
        yield text, ("vote", "rater"), ""
    elif listing.vote:
        text = _("Somebody voted: %(label)s") % {"label": title_of("vote", listing.vote)}
        yield text, ("vote",), ""
    elif listing.rater:
        yield _("Rated by %(rater)s") % {"rater": title_of("rater", listing.rater)}, ("rater",), ""
    if listing.other_vote:
        text = _("Somebody voted: %(label)s") % {"label": title_of("vote", listing.other_vote)}
        yield text, ("other_vote",), ""
    if listing.guideline is not None:
        number = {"number": listing.guideline}
        yield _("Rated under guidelines %(number)s") % number, ("guideline",), None
    for name, text in _WHETHER.items():
        if getattr(listing, name):
            yield _(text), (name,), ""
    yield from _of_matcher(listing)


def _of_matcher(listing: ItemListing) -> Iterator[tuple[str, tuple[str, ...], Any]]:
    if not listing.matcher:
        return
    matcher = {"matcher": listing.matcher}
    low, high = listing.score_min, listing.score_max
    scores = {**matcher, "low": decimals(low, 2), "high": decimals(high, 2)}
    if low is not None and high is not None:
        yield _("%(matcher)s from %(low)s to %(high)s") % scores, ("score_min", "score_max"), None
    elif low is not None:
        yield _("%(matcher)s at least %(low)s") % scores, ("score_min",), None
    elif high is not None:
        yield _("%(matcher)s at most %(high)s") % scores, ("score_max",), None
    if listing.accepted == "yes":
        yield _("%(matcher)s: acceptable") % matcher, ("accepted",), ""
    elif listing.accepted:
        yield _("%(matcher)s: not acceptable") % matcher, ("accepted",), ""
    if listing.differs:
        yield _("%(matcher)s differs from the majority") % matcher, ("differs",), ""
