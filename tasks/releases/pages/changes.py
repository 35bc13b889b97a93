"""Changes from one release to another, item by item, and whether the number says so."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from tasks.access.guards import RESULTS
from tasks.access.guards.pages import member_page
from tasks.models import Campaign, Item, Membership
from tasks.releases.pages.releases import withdrawn_page
from tasks.releases.queries.changes import changes_between, comparable_releases, pair_of
from tasks.releases.shown import found_release
from tasks.votes.all_votes import votes_warning_page
from tasks.web.addresses import page_at
from tasks.web.page import told_while_store_is_down
from tomahto.releases.comparison.diff import ChangeSample, FieldChange, OpinionChanges, ReleaseDiff
from tomahto.releases.records.fields import ReleaseError


@dataclass(frozen=True, slots=True)
class Line:
    """An item, with the number of its page if the campaign still has it, and what of it changed."""

    item: str
    page: int | None
    before: str = ""
    after: str = ""
    what: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    count: int
    lines: tuple[Line, ...]

    @property
    def more(self) -> int:
        return self.count - len(self.lines)


@page_at(
    "c/<slug:slug>/releases/<text:version>/changes/",
    name="release-changes",
    calls=("api-release-changes",),
    help="releases.md#version-numbers",
)
@told_while_store_is_down
@member_page(RESULTS)
def changes(request: HttpRequest, membership: Membership, version: str) -> HttpResponseBase:
    """Against the release before, or the one that `to` names; whichever is lower comes first."""
    release = found_release(membership.campaign, version)
    if release.withdrawn:
        return withdrawn_page(request, membership, release, is_download=True)
    to = request.GET.get("to", "")
    pair = pair_of(release, to)
    if to and pair is None:
        raise Http404
    others = [each for each in comparable_releases(release.campaign) if each != release]
    context: dict[str, Any] = {
        "membership": membership,
        "release": release,
        "others": others,
        "pair": pair,
    }
    if pair:
        if asked := votes_warning_page(request, membership, max(each.created_at for each in pair)):
            return asked
        other = pair.after if pair.before == release else pair.before
        try:
            diff = changes_between(pair)
        except ReleaseError as error:
            context |= {"other": other, "error": error}
        else:
            pages = _pages(diff, release.campaign)
            sections = [section for section in _sections(diff, pages) if section.count]
            context |= {"other": other, "diff": diff, "sections": sections}
    return render(request, "releases/changes.html", context)


def _sections(diff: ReleaseDiff, pages: Mapping[str, int]) -> Iterator[Section]:
    items = diff.items
    for title, ids in ((_("Removed items"), items.removed), (_("New items"), items.added)):
        lines = tuple(Line(id_, pages.get(id_)) for id_ in ids.first)
        yield Section(title, ids.count, lines)
    for title, found in ((_("Changed labels"), items.labels), (_("Changed splits"), items.splits)):
        lines = tuple(Line(id_, pages.get(id_), old, new) for id_, old, new in found.first)
        yield Section(title, found.count, lines)
    yield _fields(_("Changed texts"), items.texts, pages)
    yield _fields(_("Changed details"), items.details, pages)
    ratings = (_("New ratings"), _("Removed ratings"), _("Changed ratings"))
    yield from _opinions(ratings, diff.ratings, pages)
    decisions = (_("New adjudications"), _("Removed adjudications"), _("Changed adjudications"))
    yield from _opinions(decisions, diff.adjudications, pages)
    answers = (_("New answers of systems"), _("Removed answers"), _("Changed answers"))
    yield from _opinions(answers, diff.answers, {})


def _fields(title: str, found: ChangeSample[FieldChange], pages: Mapping[str, int]) -> Section:
    lines = (Line(id_, pages.get(id_), what=", ".join(names)) for id_, names in found.first)
    return Section(title, found.count, tuple(lines))


def _opinions(
    titles: tuple[str, str, str], changes: OpinionChanges, pages: Mapping[str, int]
) -> Iterator[Section]:
    groups = (changes.added, changes.removed, changes.changed)
    for title, found in zip(titles, groups, strict=True):
        lines = tuple(Line(id_, pages.get(id_), what=": ".join(who)) for id_, *who in found.first)
        yield Section(title, found.count, lines)


def _pages(diff: ReleaseDiff, campaign: Campaign) -> dict[str, int]:
    """The number of the page of every item that is listed, by the item's id in releases."""
    items = diff.items
    keys = {*items.added.first, *items.removed.first}
    for found in (items.labels, items.splits, items.texts, items.details):
        keys |= {change.id for change in found.first}
    for changes in (diff.ratings, diff.adjudications):
        for who in (changes.added, changes.removed, changes.changed):
            keys |= {item for item, _who in who.first}
    found_items = Item.objects.filter(campaign=campaign, key__in=keys)
    return dict(found_items.values_list("key", "pk"))
