"""The filters of the explorer as conditions on summaries."""

from collections.abc import Iterator
from typing import Any, Final

from django.db import connection

from tasks.explorer.queries.listing import ItemListing
from tasks.explorer.queries.rows import withheld_matchers
from tasks.explorer.queries.sets import (
    NOTHING,
    SMALL,
    Condition,
    ItemSet,
    count_at_most,
    together,
    votes_open_to,
)
from tasks.explorer.queries.words import Search, for_postgres, for_sqlite, read_search
from tasks.models import Campaign, Guideline, ItemState, Membership, Outcome, System, Tag
from tasks.models.summary_triggers import TABLE
from tasks.storing.database import execute
from tasks.votes.ratings import IS_COUNTED

_RATED = f"""
FROM tasks_rating n WHERE {{by}} = %s AND {IS_COUNTED.format(rating="n")} {{more}}
  AND NOT EXISTS (SELECT 1 FROM tasks_rating newer WHERE newer.supersedes_id = n.id)
"""  # noqa: S608 - a condition of our own
_GIVEN = """
FROM tasks_slot n
WHERE n.given_to_id = %s AND NOT n.is_filled AND n.given_until > {now}
"""
_NOW = {"postgresql": "clock_timestamp()", "sqlite": "STRFTIME('%%Y-%%m-%%d %%H:%%M:%%f', 'now')"}
_EQUAL = ("label", "purpose", "question_type", "split")
_COMPLETE = "(s.purpose = 'live' AND s.unfilled = 0 AND s.ratings > 0 AND s.state <> 'dismissed')"
_WITHOUT_VOTES: Final = {
    ItemState.OPEN: "s.purpose = 'live' AND s.unfilled > 0",
    ItemState.APART: (
        "s.purpose = 'live' AND s.unfilled = 0 AND s.ratings = 0 AND s.state <> 'dismissed'"
    ),
}  # what the state is to somebody who may not see the votes and decisions


def conditions_of(
    member: Membership, listing: ItemListing, *, is_open: bool = True
) -> list[Condition]:
    """All that is asked, and that nothing of it gives away votes that the member may not see. Not
    so if it need not be `is_open`: of votes that are to be shown."""
    conditions = [
        Condition("s.campaign_id = %s", (member.campaign_id,)),
        *_of_summaries(member, listing),
        *together(_of_other_tables(member.campaign, listing)),
    ]
    if listing.tells_votes and is_open:
        conditions.append(votes_open_to(member))
    if listing.matcher and listing.matcher in withheld_matchers(member):
        conditions.append(NOTHING)
    return conditions


def words_found(search: Search, campaign: Campaign) -> Condition:
    """That the texts of an item have what is searched for."""
    (found,) = together([_set_of_words(search, campaign)])
    return found


def _set_of_words(search: Search, campaign: Campaign) -> Condition | ItemSet:
    if not search:
        return NOTHING
    matching = words_matching(search, campaign)
    named = f"FROM {TABLE} n WHERE {matching.sql}"
    item = "n.item_id" if connection.vendor == "postgresql" else "n.rowid"
    return ItemSet(item, named, matching.parameters)


def words_matching(search: Search, campaign: Campaign) -> Condition:
    """As `words_found`, of rows `n` of the words."""
    if connection.vendor == "postgresql":
        return Condition("n.words @@ %s::tsquery", (for_postgres(search),))
    # each by itself: for both at once SQLite looks at every row
    ends = (
        f"(SELECT {end}(item_id) FROM tasks_itemsummary WHERE campaign_id = %s)"  # noqa: S608 - ours
        for end in ("MIN", "MAX")
    )
    ((first, last),) = execute(f"SELECT {', '.join(ends)}", [campaign.pk] * 2)
    # rows of other campaigns are mostly before or behind
    return Condition(
        "n.words MATCH %s AND n.rowid BETWEEN %s AND %s", (for_sqlite(search), first, last)
    )


def finds_few(campaign: Campaign, listing: ItemListing) -> bool:
    """Whether SQLite, which would rather walk the whole list in its order, is to look up the items
    of a filter and put these in order."""
    if connection.vendor != "sqlite":
        return False
    for name in _EQUAL:
        if value := getattr(listing, name):
            few = f"SELECT 1 FROM tasks_itemsummary WHERE campaign_id = %s AND {name} = %s"  # noqa: S608 - ours
            if count_at_most(few, [campaign.pk, value], SMALL + 1) <= SMALL:
                return True
    return False


def _of_summaries(member: Membership, listing: ItemListing) -> Iterator[Condition]:
    for name in _EQUAL:
        if value := getattr(listing, name):
            yield Condition(f"s.{name} = %s", (value,))
    for label in filter(None, (listing.vote, listing.other_vote)):
        place = member.campaign.annotation_protocol.scheme.index_of.get(label)
        yield NOTHING if place is None else Condition("(s.labels & %s) <> 0", (1 << place,))
    if listing.document:
        documents = "SELECT id FROM tasks_document WHERE campaign_id = %s AND key = %s"
        yield Condition(f"s.document_id = ({documents})", (member.campaign_id, listing.document))
    if listing.key:
        items = "SELECT id FROM tasks_item WHERE campaign_id = %s AND key = %s"
        yield Condition(f"s.item_id = ({items})", (member.campaign_id, listing.key))
    if listing.state:
        yield _in_state(member, listing.state)
    if listing.disputed:
        yield Condition("s.is_disputed")
    if listing.unfinished:
        yield Condition("s.unfilled > 0 AND s.purpose = 'live'")
    if listing.flagged:
        yield Condition(
            "s.flags > 0" + (" AND s.open_flags > 0" if listing.flagged == "open" else "")
        )


def _in_state(member: Membership, state: str) -> Condition:
    """The states that tell votes are asked of items alone whose votes are open to the member; to
    all others a decided item is one that is complete, unfinished or without votes."""
    if state == "complete":
        return Condition(_COMPLETE)
    if state not in _WITHOUT_VOTES:
        return Condition("s.state = %s", (state,))
    opened = votes_open_to(member)
    without = _WITHOUT_VOTES[ItemState(state)]
    sql = f"(s.state = %s OR ({without} AND NOT {opened.sql}))"
    return Condition(sql, (state, *opened.parameters))


def _of_other_tables(campaign: Campaign, listing: ItemListing) -> Iterator[Condition | ItemSet]:
    if listing.q:
        yield _set_of_words(read_search(listing.q), campaign)
    if listing.system:
        systems = System.objects.filter(campaign=campaign, name=listing.system)
        system = systems.values_list("pk", flat=True).first()
        yield _of_one(system, "FROM tasks_itemsystem n WHERE n.system_id = %s")
    if listing.tag:
        tags = Tag.objects.filter(campaign=campaign, name=listing.tag).values_list("pk", flat=True)
        yield _of_one(tags.first(), "FROM tasks_itemtag n WHERE n.tag_id = %s")
    if listing.assigned:
        given = _GIVEN.format(now=_NOW[connection.vendor])
        rater = _rater(campaign, listing.assigned)
        yield NOTHING if rater is None else ItemSet("n.item_id", given, (rater,))
    if listing.rater:
        yield _rated_by(campaign, listing.rater, listing.vote)
    if listing.guideline is not None:
        versions = Guideline.objects.filter(campaign=campaign, version=listing.guideline)
        guideline = versions.values_list("pk", flat=True).first()
        yield NOTHING if guideline is None else _rated("guideline_id", (guideline,))
    if listing.matcher and listing.column != "score":
        yield _scored(campaign, listing)


def _rated_by(campaign: Campaign, pseudonym: str, vote: str) -> Condition | ItemSet:
    rater = _rater(campaign, pseudonym)
    outcomes: list[str] = []
    if vote:
        known = Outcome.objects.filter(protocol=campaign.protocol, label=vote)
        outcomes = list(known.values_list("pk", flat=True))
    if rater is None or (vote and not outcomes):
        return NOTHING
    more = f"AND n.outcome_id IN ({', '.join(['%s'] * len(outcomes))})" if outcomes else ""
    return _rated("rater_id", (rater, *outcomes), more)


def _rater(campaign: Campaign, pseudonym: str) -> int | None:
    known = campaign.memberships.filter(pseudonym=pseudonym)
    return known.values_list("pk", flat=True).first()


def _rated(column: str, parameters: tuple[Any, ...], more: str = "") -> ItemSet:
    """The items with a current rating that has the first parameter in this column."""
    return ItemSet(
        "n.item_id",
        _RATED.format(by=f"n.{column}", more=more),
        parameters,
        asked=_RATED.format(by=f"+n.{column}", more=more),
        counted=f"FROM tasks_rating n WHERE n.{column} = %s",
    )


def _of_one(pk: int | None, named: str) -> Condition | ItemSet:
    return NOTHING if pk is None else ItemSet("n.item_id", named, (pk,), asked=named)


def _scored(campaign: Campaign, listing: ItemListing) -> Condition | ItemSet:
    named, one = (
        f"FROM tasks_itemscore n WHERE {score_conditions(campaign, listing, sign).sql}"
        for sign in ("", "+")
    )
    parameters = score_conditions(campaign, listing).parameters
    return ItemSet("n.item_id", named, parameters, asked=one)


def score_conditions(campaign: Campaign, listing: ItemListing, sign: str = "") -> Condition:
    """The condition on scores, of rows under the alias `n`; with a sign before all columns but the
    matcher, see ItemSet."""
    parts = [f"{sign}n.campaign_id = %s", "n.matcher = %s"]
    parameters: list[Any] = [campaign.pk, listing.matcher]
    for comparison, bound in ((">=", listing.score_min), ("<=", listing.score_max)):
        if bound is not None:
            parts.append(f"{sign}n.score {comparison} %s")
            parameters.append(bound)
    if listing.accepted:
        is_correct = "true" if listing.accepted == "yes" else "false"
        parts.append(f"{sign}n.is_correct = {is_correct}")
    if listing.differs:
        parts.append(f"{sign}n.differs = true")
    return Condition(" AND ".join(parts), tuple(parameters))
