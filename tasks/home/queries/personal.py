"""For one person: what to rate next, results of looking for words, a free short name.

Nobody finds what they may not open. Raters find of the items only those that they have rated.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.queries import campaigns_of_site, memberships_of
from tasks.explorer.queries.found import items_with_words, rated_items_with_words
from tasks.explorer.queries.words import beginning_of_key, read_search
from tasks.handbook.queries.documents import sections_with
from tasks.models import Campaign, CampaignState, Item, Membership, Role, User
from tasks.rating.workflow.admission import what_is_missing
from tasks.rating.workflow.assignment import items_left
from tasks.training.queries import standing_of
from tasks.votes.items import is_quota_reached, items_of, ratings_by
from tasks.votes.ratings import history_of
from tasks.web.addresses import Tab, campaign_pages, tab_over, tabs

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise


NextForMember = Literal[
    "archived",
    "consent",
    "calibration",
    "stuck",
    "campaign-paused",
    "paused",
    "quota",
    "nothing",
    "rate",
]
"""Nothing, the campaign is archived; give consent; pass the calibration; an admin decides about it;
wait until the campaign, or the member, is no longer paused; nothing, their quota is reached;
nothing, no item is left; rate."""


@dataclass(frozen=True, slots=True)
class OwnWork:
    """`rated` are the member's items, whatever their purpose. `left` is what `items_left` says
    where the member can rate, else 0."""

    next: NextForMember
    rated: int
    left: int | None = 0


def own_work(member: Membership) -> OwnWork:
    rated = ratings_by(member)
    if waits := _waits_for(member):
        return OwnWork(waits, rated)
    left = items_left(member)
    return OwnWork("nothing" if left == 0 else "rate", rated, left)


def _waits_for(member: Membership) -> NextForMember | None:
    """In the order in which claiming an item asks."""
    if member.campaign.is_archived:
        return "archived"
    missing = what_is_missing(member)
    if missing == "calibration" and standing_of(member) == "stuck":
        return "stuck"
    if missing:
        return missing
    if member.campaign.state != CampaignState.OPEN:
        return "campaign-paused"
    if member.is_paused:
        return "paused"
    return "quota" if is_quota_reached(member) else None


MOST, MOST_HELP = 8, 4  # of a kind
MAX_WORDS = 200  # characters


class Result(NamedTuple):
    title: str
    hint: str
    address: str


class ResultGroup(NamedTuple):
    """Results of one kind. `language` is that of their texts where it is not the page's; `is_cut`
    where there are more, which are all at `address` if it names a page."""

    title: "StrPromise"
    results: list[Result]
    language: str = ""
    is_cut: bool = False
    address: str = ""


def find(user: User, words: str, membership: Membership | None) -> list[ResultGroup]:
    """Results that have every word, without kinds that have none; for no words the pages at hand.

    `membership` is the user's in the campaign that is looked through.
    """
    pages = _matching(_pages(user, membership), words)
    campaigns = _matching(_campaigns(user), words, is_hint_a_name=True)
    most = MOST if words.split() else len(pages)
    groups = [
        _group(gettext_lazy("Pages"), pages, most=most),
        _group(gettext_lazy("Campaigns"), campaigns),
    ]
    if membership and words.split():
        groups += _in_campaign(membership, words)
    sections = [Result(each.title, each.hint, each.address) for each in sections_with(words)]
    address = f"{reverse('documents')}?{urlencode({'q': words})}"
    groups.append(
        _group(gettext_lazy("Help"), sections, most=MOST_HELP, language="en", address=address)
    )
    return [group for group in groups if group.results]


def _group(
    title: "StrPromise",
    results: list[Result],
    *,
    most: int = MOST,
    language: str = "",
    address: str = "",
) -> ResultGroup:
    return ResultGroup(title, results[:most], language, len(results) > most, address)


def _matching(
    candidates: Iterable[Result], words: str, *, is_hint_a_name: bool = False
) -> list[Result]:
    """Those with every word in title or hint and one in the title, each title once; titles that
    begin so come first. Where the hint is another name, it will do alone and tells titles apart."""
    wanted = words.casefold().split()
    begin = words.casefold().strip()
    results: dict[str, Result] = {}
    for each in candidates:
        text = f"{each.title} {each.hint}".casefold()
        name = text if is_hint_a_name else each.title.casefold()
        is_named = not wanted or any(word in name for word in wanted)
        if is_named and all(word in text for word in wanted):
            results.setdefault(name, each)

    def rank(each: Result) -> int:
        title = each.title.casefold()
        return 0 if title.startswith(begin) else 1 if begin in title else 2

    return sorted(results.values(), key=rank)


def _pages(user: User, membership: Membership | None) -> Iterator[Result]:
    if membership is not None:
        yield from _pages_of(membership)
    yield Result(_("My campaigns"), "", reverse("home"))
    if user.has_usable_password():
        yield Result(_("My account"), "", reverse("account"))
    if user.is_staff:
        yield Result(_("New campaign"), "", reverse("campaign-new"))
    yield Result(_("Documentation"), "", reverse("documents"))


def _pages_of(membership: Membership) -> Iterator[Result]:
    """The campaign's pages that the role opens: those with tabs first, then their parts."""
    opened = [page for page in campaign_pages() if membership.role in page.roles]
    positions = {page.name: position for position, (_tab, page) in enumerate(tabs())}
    in_order = sorted(
        opened,
        key=lambda page: (not isinstance(page.tab, Tab), positions[tab_over(page.name)[1].name]),
    )
    slug = membership.campaign.slug
    for page in in_order:
        over, above = tab_over(page.name)
        is_own = above.name == page.name
        under = tab_over(over.under)[0].title if over.under else ""
        hint = str(under if is_own else over.title)
        yield Result(str(page.shown_title), hint, reverse(page.name, args=[slug]))
    for page in in_order:
        for section in page.sections:
            address = f"{reverse(page.name, args=[slug])}#{section.anchor}"
            yield Result(str(section.title), str(page.shown_title), address)


def _campaigns(user: User) -> Iterator[Result]:
    roles = {each.campaign_id: each.get_role_display() for each in memberships_of(user)}
    for membership in memberships_of(user):
        campaign = membership.campaign
        address = reverse("overview", args=[campaign.slug])
        yield Result(campaign.title, f"{campaign.slug} · {roles[campaign.pk]}", address)
    for other in campaigns_of_site(user).filter(role=None):
        yield Result(other.title, other.slug, reverse("campaign-enter", args=[other.slug]))


def _in_campaign(membership: Membership, words: str) -> Iterator[ResultGroup]:
    campaign = membership.campaign
    items, address = _own_items(membership, words), ""
    if membership.role != Role.RATER:
        items = _items(campaign, words)
        if len(items_with_words(campaign, read_search(words), MOST + 1)) > MOST:  # without keys
            address = f"{reverse('items', args=[campaign.slug])}?{urlencode({'q': words})}"
    yield _group(gettext_lazy("Items"), list(items), language=campaign.language, address=address)
    if membership.role != Role.RATER:
        people = _matching(_people(membership), words, is_hint_a_name=True)
        yield _group(gettext_lazy("People"), people)
        yield _group(gettext_lazy("Systems"), _matching(_systems(campaign), words))


def _items(campaign: Campaign, words: str) -> Iterator[Result]:
    search = read_search(words) + beginning_of_key(words)
    items = items_of(campaign).in_bulk(items_with_words(campaign, search, MOST + 1))
    for _pk, item in sorted(items.items()):
        address = reverse("item-votes", args=[campaign.slug, item.pk])
        yield Result(item.question.text, _texts(item), address)


def _own_items(membership: Membership, words: str) -> Iterator[Result]:
    items = rated_items_with_words(membership, read_search(words), MOST + 1)
    rated = history_of(membership).filter(item__in=items, assignment__isnull=False)
    for rating in rated:
        address = reverse("rate-assignment", args=[membership.campaign.slug, rating.assignment_id])
        yield Result(rating.item.question.text, _texts(rating.item), address)


def _texts(item: Item) -> str:
    return " · ".join([item.candidate, *item.references])


def _people(membership: Membership) -> Iterator[Result]:
    """By the names that the pages show: admins see chosen names, researchers pseudonyms."""
    slug = membership.campaign.slug
    people = Membership.objects.filter(campaign=membership.campaign).order_by("name")
    for person in people:
        if membership.is_admin:
            address = reverse("member", args=[slug, person.pk])
            yield Result(person.name, f"{person.get_role_display()} · {person.pseudonym}", address)
        elif person.role == Role.RATER:
            address = reverse("rater", args=[slug, person.pseudonym])
            yield Result(person.pseudonym, str(Role.RATER.label), address)


def _systems(campaign: Campaign) -> Iterator[Result]:
    address = reverse("systems", args=[campaign.slug])
    for name in campaign.systems.order_by("name").values_list("name", flat=True):
        yield Result(name, "", address)


LONGEST = 60


def free_slug(title: str, otherwise: str) -> str:
    """A short name from the title that no campaign has; from `otherwise` where a title has no
    letters that a short name may hold. Taken ones get a number."""
    words = slugify(title).replace("_", "-") or otherwise or "campaign"
    stem = "-".join(filter(None, words.split("-")))[: LONGEST - 4].strip("-")
    taken = set(Campaign.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    candidates = chain([stem], (f"{stem}-{number}" for number in count(2)))
    return next(slug for slug in candidates if slug not in taken)
