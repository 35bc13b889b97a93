"""Pages and calls say where they are; the URL configuration is collected from them.

A page also names the calls that together show and do the same, or says why there is none: whatever
a person can do, a program can.

`<text:…>` in a pattern stands for any text that a database takes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from django.urls import URLPattern, path, register_converter
from django.urls.converters import StringConverter
from django.utils.translation import gettext_lazy

import tasks
from tasks.models import Campaign

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

View = TypeVar("View", bound=Callable[..., Any])
_CAMPAIGN = "c/<slug:slug>/"
_RANKS = ("<int:", "<slug:", "<text:", "<", "<path:")  # a word comes before all of them


class _Text(StringConverter):
    regex = r"[^/\0]+"  # PostgreSQL takes a NUL character for no text at all


register_converter(_Text, "text")


class Section(NamedTuple):
    """A part of a page that people look for by its own lazy title: `anchor` is an id there."""

    anchor: str
    title: "StrPromise"


class TabGroup(NamedTuple):
    """Pages of the side bar under one title, by their names and in their order."""

    title: "StrPromise | str"
    pages: tuple[str, ...]


WORK: Final = TabGroup(gettext_lazy("Work"), ("rate", "history", "adjudicate", "flags"))
SIDE_BAR: Final = (
    TabGroup("", ("overview",)),
    TabGroup(gettext_lazy("Set up"), ("import", "members", "guidelines", "settings", "jobs")),
    WORK,
    TabGroup(gettext_lazy("Results"), ("items", "agreement", "lab", "releases")),
)
_ENTRIES: Final = tuple(name for group in SIDE_BAR for name in group.pages)


class TabRow(NamedTuple):
    """Tabs on the pages below the page `under`, which comes first in it; the other pages by their
    names and in their order."""

    under: str
    pages: tuple[str, ...]


class Tab(NamedTuple):
    """The lazy title of a page in the campaign's side bar (`SIDE_BAR`), or in a row of tabs.

    `roles` see it. `waiting` counts what waits for somebody there, `what` says it in a word.
    """

    title: "StrPromise"
    roles: tuple[str, ...]
    row: TabRow | None = None
    waiting: Callable[[Campaign], int] | None = None
    what: "StrPromise | str" = ""

    @property
    def under(self) -> str:
        return self.row.under if self.row else ""

    @property
    def neighbours(self) -> tuple[str, ...]:
        """The names of the pages in its row or in the side bar, its own among them."""
        return self.row.pages if self.row else _ENTRIES


@dataclass(frozen=True, slots=True)
class Address:
    """`pattern` is Django's. Of a page, `calls` names its calls, or `no_call` says why not; `tab`
    is its own, or names the page whose tab it stands under if that is none of those above it.

    People find it by its `title`, or that of its tab, and its parts by `sections`. `help` names the
    section of the documentation that explains it, as `FILE.md#ANCHOR`; a page without one has that
    of the nearest page above it.
    """

    pattern: str
    name: str
    view: Callable[..., Any]
    calls: tuple[str, ...] = ()
    no_call: str = ""
    is_first: bool = False
    tab: Tab | str = ""
    title: "StrPromise | str" = ""
    sections: tuple[Section, ...] = ()
    help: str = ""

    @property
    def shown_title(self) -> "StrPromise | str":
        """Its title, or that of its tab; empty where people are not meant to look for it."""
        return self.tab.title if isinstance(self.tab, Tab) else self.title

    @property
    def roles(self) -> tuple[str, ...]:
        """Of members that may open it; none outside a campaign."""
        return getattr(self.view, "roles", ())


_pages: dict[str, Address] = {}
_calls: dict[str, Address] = {}


def page_at(
    pattern: str,
    *,
    name: str,
    calls: Sequence[str] = (),
    no_call: str = "",
    tab: Tab | str = "",
    title: "StrPromise | str" = "",
    sections: Sequence[Section] = (),
    help: str = "",  # noqa: A002 - as pages call it in their bar
) -> Callable[[View], View]:
    """The page is there. Raises ValueError without calls or the reason why there are none, and for
    a tab that neither `SIDE_BAR` nor its row lists."""
    if bool(calls) == bool(no_call):
        raise ValueError(f"page {name}: name its calls, or give the reason why there are none")
    if isinstance(tab, Tab) and name not in tab.neighbours:
        raise ValueError(f"page {name}: list it in {'its row of tabs' if tab.row else 'SIDE_BAR'}")

    def register(view: View) -> View:
        address = Address(
            pattern,
            name,
            view,
            tuple(calls),
            no_call,
            tab=tab,
            title=title,
            sections=tuple(sections),
            help=help,
        )
        _add(_pages, address)
        return view

    return register


def add_call(call: Address) -> None:
    _add(_calls, call)


def _add(known: dict[str, Address], address: Address) -> None:
    if address.name in known:
        raise ValueError(f"there are two addresses of the name {address.name}")
    known[address.name] = address


def pages() -> list[Address]:
    """Of all features, in the order in which they are tried."""
    _import_all("pages")
    return sorted(_pages.values(), key=_order)


@cache
def tabs() -> tuple[tuple[Tab, Address], ...]:
    """The pages that have one, in the order of the side bar; a row of tabs follows the first entry,
    for its pages are looked for most."""

    def position(entry: tuple[Tab, Address]) -> tuple[int, int]:
        tab, page = entry
        index = tab.neighbours.index(page.name)
        return (0, 1 + index) if tab.row else (index, 0)

    tabbed = [(page.tab, page) for page in pages() if isinstance(page.tab, Tab)]
    return tuple(sorted(tabbed, key=position))


@cache
def tab_over(name: str) -> tuple[Tab, Address]:
    """The tab under which the page of this name stands: that which it names, or else its own or
    that of the nearest page above it. Raises ValueError outside a campaign."""
    page = _pages[name]
    named = [each for each in tabs() if each[1].name == page.tab]
    above = [each for each in tabs() if page.pattern.startswith(each[1].pattern)]
    return max(named or above, key=lambda each: len(each[1].pattern))


@cache
def help_for(name: str) -> str:
    """The section of the documentation that explains the page of this name, as `FILE.md#ANCHOR`."""
    pattern = _pages[name].pattern
    above = [each for each in pages() if each.help and pattern.startswith(each.pattern)]
    return _pages[name].help or max(above, key=lambda each: len(each.pattern)).help


@cache
def roles_for(name: str) -> tuple[str, ...]:
    return _pages[name].roles


def campaign_pages() -> list[Address]:
    """The pages of a campaign that people find by a title, and reach with its short name alone."""
    return [
        each
        for each in pages()
        if each.shown_title and each.pattern.startswith(_CAMPAIGN) and each.pattern.count("<") == 1
    ]


def calls() -> list[Address]:
    """Of all features, in the order in which they are tried."""
    _import_all("api")
    return sorted(_calls.values(), key=_order)


def patterns(addresses: Sequence[Address]) -> list[URLPattern]:
    return [path(each.pattern, each.view, name=each.name) for each in addresses]


def _order(address: Address) -> tuple[bool, list[tuple[int, str]]]:
    """Words before what stands for any word, so that no address hides another."""
    parts = address.pattern.split("/")
    ranks = [
        next((1 + n for n, start in enumerate(_RANKS) if part.startswith(start)), 0)
        for part in parts
    ]
    return not address.is_first, list(zip(ranks, parts, strict=True))


def _import_all(kind: str) -> None:
    """Import the pages or calls of every feature: one module, or all of a package."""
    for feature in iter_modules(tasks.__path__, "tasks."):
        if not feature.ispkg:
            continue
        parts = iter_modules(import_module(feature.name).__path__)
        if kind in {part.name for part in parts}:
            module = import_module(f"{feature.name}.{kind}")
            for inner in iter_modules(getattr(module, "__path__", ()), f"{module.__name__}."):
                import_module(inner.name)
