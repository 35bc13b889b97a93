"""Places for ratings: how many an item gets, and where each stands in the order.

How many: the highest target among the item's systems, the campaign's where a system has none of
its own (Bulian et al. 2022, §3.2: up to 4 ratings for the system that quality is watched on, 1
for the others), as many more as an admin has asked for, and one for each vote that was set aside.
Where: as the campaign's `item_order` says, reproducibly by its seed.

The open slots of a dismissed item have no place in the order, so that nobody gets them. Nor have
the filled ones whose votes were set aside, so that no progress counts them.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import count, islice
from typing import Any

from django.db import connection, transaction
from django.db.models import Count, Exists, OuterRef, QuerySet

from tasks.models import (
    AuditAction,
    Campaign,
    Item,
    ItemHandling,
    ItemOrder,
    ItemPurpose,
    ItemSystem,
    Rating,
    RatingSetAside,
    Role,
    Slot,
    Suggestion,
    System,
)
from tasks.storing.acts import changes, record
from tasks.storing.database import BATCH, batches, execute, is_one_of
from tasks.storing.plan import Plan, count_change

_TIE_BITS = 41
_STEPS = 1 << 20
_MOVE = "UPDATE tasks_slot SET order_key = %s WHERE id = %s"
# the items that are there whose slots are to fit, the number above which unused ones go, and
# whether they get more
_NOTED = ("planned_fit", "item_id bigint PRIMARY KEY", "most bigint", "gains boolean")
_NOTE = "INSERT INTO planned_fit (item_id) VALUES (%s) ON CONFLICT DO NOTHING"
_NOTE_ALL = f"""
INSERT INTO planned_fit (item_id)
SELECT id FROM tasks_item WHERE campaign_id = %s AND purpose = '{ItemPurpose.LIVE}'
"""  # noqa: S608 - a name of ours only
_NOTE_OF_SYSTEM = f"""
{_NOTE_ALL} AND id IN (SELECT item_id FROM tasks_itemsystem WHERE system_id = %s)
"""  # noqa: S608 - as above
_NEXT_NOTED = "SELECT item_id FROM planned_fit WHERE item_id > %s ORDER BY item_id LIMIT 1000"
# the last of those that can go, as many as are too many; those given to nobody before others
_REMOVE_SURPLUS = """
DELETE FROM tasks_slot WHERE id IN (
    SELECT id FROM (
        SELECT s.id, f.most,
            ROW_NUMBER() OVER (PARTITION BY s.item_id
                ORDER BY s.given_to_id IS NOT NULL, s.number DESC) AS place,
            (SELECT COUNT(*) FROM tasks_slot t WHERE t.item_id = s.item_id) AS there
        FROM planned_fit f JOIN tasks_slot s ON s.item_id = f.item_id
        WHERE f.most IS NOT NULL AND NOT s.is_filled AND s.holder_id IS NULL
          AND NOT EXISTS (SELECT 1 FROM tasks_assignment a WHERE a.slot_id = s.id)
    ) AS unused WHERE place <= there - most
)
"""
# items of which no place was open until now: who could see their votes, or figures that count
# them, has seen them
_NOTE_OPEN_VOTES = f"""
INSERT INTO tasks_seenvotes (item_id, member_id)
SELECT i.id, m.id FROM tasks_item i JOIN tasks_membership m ON m.campaign_id = i.campaign_id
WHERE i.campaign_id = {{campaign}} AND {{among}} AND m.role <> '{Role.RATER}' AND {{readers}}
  AND EXISTS (SELECT 1 FROM tasks_slot s WHERE s.item_id = i.id)
  AND NOT EXISTS (SELECT 1 FROM tasks_slot s
      WHERE s.item_id = i.id AND NOT s.is_filled AND s.order_key IS NOT NULL)
ON CONFLICT DO NOTHING
"""  # noqa: S608 - as above
# on PostgreSQL a last place may be filled, and the votes read, before what adds places is committed
_NOTE_OPENED_MEANWHILE = f"""
INSERT INTO tasks_seenvotes (item_id, member_id)
SELECT DISTINCT i.id, m.id
FROM tasks_rating r
JOIN tasks_item i ON i.id = r.item_id
JOIN tasks_membership m ON m.campaign_id = i.campaign_id
WHERE i.campaign_id = {{campaign}} AND r.slot_id IS NOT NULL AND r.created_at >= %s
  AND m.role <> '{Role.RATER}' AND {{readers}}
  AND EXISTS (SELECT 1 FROM tasks_slot s WHERE s.item_id = i.id AND NOT s.is_filled)
ON CONFLICT DO NOTHING
"""  # noqa: S608 - as above
_EVERYBODY = "true"
_WHO_RATES = "EXISTS (SELECT 1 FROM tasks_assignment a WHERE a.rater_id = m.id)"
_OF_NEW_SLOTS = "i.id IN (SELECT item_id FROM planned_fit WHERE gains)"


@transaction.atomic
def set_overlap(*, campaign: Campaign, overlaps: Mapping[str, int | None]) -> None:
    """Give systems targets of their own, None for the campaign's, and make the slots fit.

    Raises System.DoesNotExist, and ValidationError for a target that cannot be.
    """
    before = dict(campaign.systems.filter(name__in=overlaps).values_list("name", "overlap"))
    change_overlaps(campaign, overlaps)
    if before != overlaps:
        record(AuditAction.OVERLAPS_CHANGED, campaign=campaign, details=changes(before, overlaps))


def change_overlaps(campaign: Campaign, overlaps: Mapping[str, int | None]) -> None:
    """As `set_overlap`, within an act and a transaction of the caller's."""
    count_change(campaign)
    for name, overlap in overlaps.items():
        system = campaign.systems.get(name=name)
        system.overlap = overlap
        system.full_clean()
        system.save(update_fields=["overlap"])
    fit_campaign(campaign=campaign)


def follow_settings(*, campaign: Campaign, changed: Collection[str]) -> None:
    """Make slots follow settings of the campaign that have just been changed."""
    if not {"overlap", "item_order", "suggestion_matcher", "seed"}.isdisjoint(changed):
        count_change(campaign)
    if "adjudicates_blind" in changed and campaign.adjudicates_blind:
        live = "i.purpose = 'live'"
        statement = _NOTE_OPEN_VOTES.format(campaign=campaign.pk, among=live, readers=_EVERYBODY)
        _note_what_opens_meanwhile(campaign, _EVERYBODY)
        execute(statement)
    if "overlap" in changed:
        fit_campaign(campaign=campaign)
    if not {"item_order", "suggestion_matcher", "seed"}.isdisjoint(changed):
        reorder(campaign=campaign)


def fit_campaign(*, campaign: Campaign) -> None:
    """Make the slots of every live item fit the targets as they are now."""
    with Plan(campaign) as plan:
        plan.own_table(*_NOTED)
        plan.execute(_NOTE_ALL, [campaign.pk])
        plan_slots(plan)
        plan.store()


def fit_items(*, campaign: Campaign, items: Collection[int]) -> None:
    """Make the slots of these items fit the targets as they are now, as far as they are live."""
    live = Item.objects.filter(campaign=campaign, purpose=ItemPurpose.LIVE)
    with Plan(campaign) as plan:
        for batch in batches(items):
            _note(plan, live.filter(pk__in=batch).values_list("pk", flat=True))
        plan_slots(plan)
        plan.store()


def withdraw_places(*, campaign: Campaign, items: Collection[int]) -> None:
    """Offer the open slots of these items to nobody any more. One that is held stays held."""
    for batch in batches(items):
        slots = Slot.objects.filter(campaign=campaign, item__in=batch, is_filled=False)
        slots.update(order_key=None)


def offer_places(*, campaign: Campaign, items: Collection[int]) -> None:
    """Give the slots of these live items their places back, and make them fit."""
    for batch in batches(items):
        _note_open_votes(campaign, batch)
        slots = Slot.objects.filter(campaign=campaign, item__in=batch, order_key=None)
        _put_in_order(campaign, slots.exclude(Exists(_set_aside(slot=OuterRef("pk")))))
    fit_items(campaign=campaign, items=items)


def give_up_places(*, campaign: Campaign, items: Collection[int], slots: Collection[int]) -> None:
    """Let others have what the votes in these filled slots of the items were to be."""
    for batch in batches(slots):
        Slot.objects.filter(pk__in=batch).update(order_key=None)
    fit_items(campaign=campaign, items=items)


def take_places_back(*, campaign: Campaign, items: Collection[int], slots: Collection[int]) -> None:
    """Count these filled slots of the items again. Of those that others were offered instead, the
    ones that nobody has claimed go."""
    for batch in batches(slots):
        _put_in_order(campaign, Slot.objects.filter(pk__in=batch))
    fit_items(campaign=campaign, items=items)


def _put_in_order(campaign: Campaign, slots: QuerySet[Slot]) -> None:
    live = slots.filter(item__purpose=ItemPurpose.LIVE)
    found = {item.pk: item for item in Item.objects.filter(pk__in=live.values("item"))}
    scores = _scores_for_order(campaign, found)
    moves = [
        (_order_key(campaign, item, found[item].key, number, scores.get(item)), slot)
        for slot, item, number in live.values_list("pk", "item", "number")
    ]
    with connection.cursor() as cursor:
        cursor.executemany(_MOVE, moves)


def _set_aside(**those: Any) -> QuerySet[RatingSetAside]:
    """The votes that do not count any more, and have a slot."""
    return RatingSetAside.objects.filter(holds=True, slot__isnull=False, **those)


def _note_open_votes(campaign: Campaign, items: Collection[int]) -> None:
    """Of items that are to be handed out again: who could see their votes has seen them."""
    listed = ", ".join(str(int(item)) for item in items)
    among, readers = f"i.id IN ({listed})", _readers(campaign)
    execute(_NOTE_OPEN_VOTES.format(campaign=campaign.pk, among=among, readers=readers))


def _readers(campaign: Campaign) -> str:
    """Those to whom votes were open. Where first looks are blind, figures alone told who rates."""
    return _WHO_RATES if campaign.adjudicates_blind else _EVERYBODY


def note_items(plan: Plan, items: Iterable[Item]) -> None:
    """Let `plan_slots` look after these items, which are there, as far as they are live."""
    _note(plan, (item.pk for item in items if item.purpose == ItemPurpose.LIVE))


def _note(plan: Plan, items: Iterable[int]) -> None:
    plan.noted.update(items)
    if len(plan.noted) > BATCH:
        _note_in_table(plan)


def _note_in_table(plan: Plan) -> None:
    plan.own_table(*_NOTED)
    plan.execute_many(_NOTE, [(item,) for item in sorted(plan.noted)])
    plan.noted.clear()


def note_items_of(plan: Plan, system: System) -> None:
    """Let `plan_slots` look after the items that a system has."""
    plan.own_table(*_NOTED)
    plan.execute(_NOTE_OF_SYSTEM, [plan.campaign.pk, system.pk])


def plan_slots(plan: Plan) -> None:
    """Plan the slots of new items and those that noted ones lack, and that open ones which nobody
    has ever claimed go.

    What is held or filled stays: a target can be lowered, work done cannot be undone.
    """
    targets = _Targets(plan)
    for batch in plan.new_values(Item, "key", "purpose"):
        keys = {pk: key for pk, key, purpose in batch if purpose == ItemPurpose.LIVE}
        wanted = targets.of_new(keys)
        plan.add_slots(_slots(plan.campaign, keys, wanted, {}, {}))
    has_surplus = has_gains = False
    for noted in _noted(plan):
        # those that are planned are not there yet
        there = Item.objects.filter(is_one_of("id", noted))
        surplus, gains = _fit(plan, dict(there.values_list("pk", "key")), targets)
        has_surplus |= surplus
        has_gains |= gains
    if has_surplus:
        plan.before(Rating, _REMOVE_SURPLUS)
    if has_gains:
        readers = _readers(plan.campaign)
        statement = _NOTE_OPEN_VOTES.format(
            campaign=plan.campaign.pk, among=_OF_NEW_SLOTS, readers=readers
        )
        plan.before(Slot, statement)
        plan.when_stored(partial(_note_what_opens_meanwhile, plan.campaign, readers))


def _noted(plan: Plan) -> Iterator[list[int]]:
    if not plan.has_own_table("planned_fit"):
        if plan.noted:
            yield sorted(plan.noted)
        return
    _note_in_table(plan)
    last = 0
    while noted := [item for (item,) in plan.execute(_NEXT_NOTED, [last])]:
        last = noted[-1]
        yield noted


def _note_what_opens_meanwhile(campaign: Campaign, readers: str) -> None:
    """Note once more when this transaction, which writes from now on, is committed."""
    if connection.vendor != "postgresql":
        return  # nobody else writes meanwhile
    statement = _NOTE_OPENED_MEANWHILE.format(campaign=campaign.pk, readers=readers)
    (begun,) = execute("SELECT now()")
    transaction.on_commit(partial(execute, statement, begun))


def _fit(plan: Plan, keys: Mapping[int, str], targets: "_Targets") -> tuple[bool, bool]:
    """Whether any of the items has more slots than it is to have, and whether any has fewer."""
    wanted = targets.of_noted(keys)
    taken = defaultdict[int, set[int]](set)
    slots = Slot.objects.filter(is_one_of("item", keys))
    for item, number in slots.values_list("item", "number"):
        taken[item].add(number)
    scores = _scores_for_order(plan.campaign, keys)
    plan.add_slots(_slots(plan.campaign, keys, wanted, taken, scores))
    surplus = [(most, pk) for pk, most in wanted.items() if len(taken[pk]) > most]
    gains = [(True, pk) for pk, most in wanted.items() if len(taken[pk]) < most]
    if surplus or gains:
        _note_in_table(plan)
        plan.execute_many("UPDATE planned_fit SET most = %s WHERE item_id = %s", surplus)
        plan.execute_many("UPDATE planned_fit SET gains = %s WHERE item_id = %s", gains)
    return bool(surplus), bool(gains)


def _slots(
    campaign: Campaign,
    keys: Mapping[int, str],
    wanted: Mapping[int, int],
    taken: Mapping[int, Collection[int]],
    scores: Mapping[int, float],
) -> Iterator[tuple[Any, ...]]:
    """The slots that the items lack, as values of SLOT_COLUMNS."""
    for pk, most in wanted.items():
        key, score, numbers = keys[pk], scores.get(pk), taken.get(pk, ())
        # one in the middle may have gone
        free = (n for n in count(1) if n not in numbers)
        for number in islice(free, max(0, most - len(numbers))) if numbers else range(1, most + 1):
            place = _order_key(campaign, pk, key, number, score)
            yield campaign.pk, pk, number, place, False


def reorder(*, campaign: Campaign) -> None:
    """Give every open slot its place again, after the order or what it rests on has changed."""
    scores = _scores(campaign) if campaign.item_order == ItemOrder.UNCERTAIN else {}
    for moves in batches(_moves(campaign, scores)):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(_MOVE, moves)


def _moves(campaign: Campaign, scores: Mapping[int, float]) -> Iterator[tuple[int, int]]:
    """New place and id of each open slot whose place changes."""
    slots = Slot.objects.filter(campaign=campaign, is_filled=False, order_key__isnull=False)
    # read before the first move is written: a list of numbers, not of objects
    rows = list(slots.order_by("pk").values_list("pk", "item", "item__key", "number", "order_key"))
    for pk, item, key, number, present in rows:
        place = _order_key(campaign, item, key, number, scores.get(item))
        if place != present:
            yield place, pk


class _Targets:
    """The numbers of slots that items of a plan are to have."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._overlaps: dict[int, int] = {}  # of systems

    def of_new(self, items: Collection[int]) -> Mapping[int, int]:
        """The target of each item that nobody can have handled yet."""
        pairs = self._plan.planned(ItemSystem, item_id=items).values()
        return self._highest(items, [(each.item_id, each.system_id) for each in pairs])

    def of_noted(self, items: Collection[int]) -> Mapping[int, int]:
        """The target of each item; none of those that are to get no more ratings."""
        done = set(copied_items().filter(is_one_of("pk", items)).values_list("pk", flat=True))
        more = Counter[int]()
        handled = ItemHandling.objects.filter(is_one_of("item", items))
        for item, is_dismissed, ratings in handled.values_list(
            "item", "is_dismissed", "more_ratings"
        ):
            more[item] += ratings
            if is_dismissed:
                done.add(item)
        aside = _set_aside().filter(is_one_of("item", items))
        more.update(dict(aside.values_list("item").annotate(votes=Count("pk"))))
        pairs = self._plan.find(ItemSystem.objects.all(), item_id=items).values()
        highest = self._highest(
            [item for item in items if item not in done],
            [(each.item_id, each.system_id) for each in pairs],
        )
        return {item: target + more[item] for item, target in highest.items()}

    def _highest(self, items: Iterable[int], pairs: Collection[tuple[int, int]]) -> dict[int, int]:
        """The highest overlap of each item's systems, the campaign's for one without."""
        usual, overlaps = self._plan.campaign.overlap, self._overlaps
        if unknown := {pk for _, pk in pairs} - overlaps.keys():
            systems = self._plan.planned(System, id=unknown)
            if stored := unknown - systems.keys():
                systems |= System.objects.in_bulk(stored)
            for pk, system in systems.items():
                overlaps[pk] = usual if system.overlap is None else system.overlap
        highest: dict[int, int] = {}
        for item, pk in pairs:
            highest[item] = max(highest.get(item, 0), overlaps[pk])
        return {item: highest.get(item, usual) for item in items}


def copied_items() -> QuerySet[Item]:
    """Items of which a copy checks raters: those who were checked have judged the same texts."""
    copies = Item.objects.filter(copied_from=OuterRef("pk")).exclude(handling__is_dismissed=True)
    return Item.objects.filter(Exists(copies))


def _scores_for_order(campaign: Campaign, items: Collection[int]) -> dict[int, float]:
    """The scores by item, where the order goes by them."""
    is_uncertain = campaign.item_order == ItemOrder.UNCERTAIN
    return _scores(campaign, items) if is_uncertain else {}


def _scores(campaign: Campaign, items: Collection[int] | None = None) -> dict[int, float]:
    """The newest score of the campaign's matcher, by item."""
    found = Suggestion.objects.filter(
        item__campaign=campaign, matcher=campaign.suggestion_matcher
    ).order_by("pk")
    if items is not None:
        found = found.filter(item__in=items)
    return dict(found.values_list("item", "score"))


def _order_key(campaign: Campaign, item: int, key: str, number: int, score: float | None) -> int:
    """A slot's place: a whole number from 0 to 2**63, lower first."""
    if campaign.item_order == ItemOrder.OLDEST:
        return item
    if campaign.item_order == ItemOrder.RANDOM:
        return _shuffled(f"order {campaign.seed} {key} {number}")
    together = _shuffled(f"order {campaign.seed} {key}")
    if campaign.item_order == ItemOrder.COMPLETE:
        return together
    # 0 for a score of one half, the last step but one for 0 and 1, the last without a score
    step = _STEPS if score is None else int(abs(score - 0.5) * 2 * (_STEPS - 1))
    return step << _TIE_BITS | together >> (63 - _TIE_BITS)


def _shuffled(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 1
