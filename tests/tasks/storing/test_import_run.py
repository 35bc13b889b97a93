"""One import at a time in a campaign, planned for the campaign as it is when it is stored."""

from collections.abc import Callable, Iterator

import pytest
from django.db import connection

from tasks.intake.workflow.items import ItemIntake, import_items
from tasks.models import Campaign, Item, Slot
from tasks.storing.import_run import ImportRefused
from tasks.storing.plan import count_change
from tests.tasks.conftest import MakeCampaign, item_row
from tomahto.interchange.reading.records import ItemRow


class Rows:
    """Rows that can be read again, and something that happens while they are."""

    def __init__(self, *happening: Callable[[], object]) -> None:
        self._happening = list(happening)
        self.readings = 0

    def __iter__(self) -> Iterator[ItemRow]:
        self.readings += 1
        yield item_row(1)
        if self._happening:
            self._happening.pop(0)()
        yield item_row(2)


def set_overlap(campaign: Campaign, overlap: int) -> Callable[[], object]:
    """The effect of a change of settings in another process on the campaign's row."""

    def change() -> None:
        count_change(campaign)
        Campaign.objects.filter(pk=campaign.pk).update(overlap=overlap)

    return change


def test_import_follows_settings_that_are_changed_while_it_reads(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=0, overlap=2)
    rows = Rows(set_overlap(campaign, 4))
    assert import_items(campaign=campaign, rows=rows) == ItemIntake(2, 0)
    assert (rows.readings, Slot.objects.count()) == (2, 8)


def test_import_of_a_campaign_that_changes_each_time_is_refused(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=0)
    rows = Rows(*(set_overlap(campaign, overlap) for overlap in (3, 4, 5)))
    with pytest.raises(ImportRefused, match="was changed while the file was read"):
        import_items(campaign=campaign, rows=rows)
    assert (rows.readings, Item.objects.count()) == (3, 0)


def test_import_of_rows_that_are_read_once_is_not_planned_again(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=0)
    with pytest.raises(ImportRefused, match="was changed while the file was read"):
        import_items(campaign=campaign, rows=iter(Rows(set_overlap(campaign, 4))))
    assert Item.objects.count() == 0


def test_plan_leaves_nothing_behind(make_campaign: MakeCampaign) -> None:
    make_campaign(items=3)
    table = "sqlite_temp_master" if connection.vendor == "sqlite" else "pg_class"
    name = "name" if connection.vendor == "sqlite" else "relname"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table} WHERE {name} LIKE 'planned%'")
        assert cursor.fetchone() == (0,)
