"""A release is read at one moment, as an export of ratings is, whatever others write meanwhile."""

import json
from pathlib import Path

import pytest

from tests.site import running_site

pytestmark = pytest.mark.faults

_RATED = """
import json
import sys
from pathlib import Path
from threading import Thread

from django.db import OperationalError, connection

from annotation_site.sqlite import safe_journals
from exporters.planned_release import ReleasePlan
from tomahto.interchange.reading.records import ItemRow, RatingRow, Source
from tasks.models import Campaign, Rating
from tasks.rating.queries import exported_ratings
from tasks.rating.workflow.exports import export_ratings
from tasks.releases.workflow import release as stage
from tasks.campaigns.workflow.campaign import create_campaign
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings


def rate(rater):
    import_ratings(campaign=campaign, rows=[
        RatingRow(Source("ratings", n), None, f"item-{n}", rater, "equivalent") for n in range(4)
    ])


def meddle():
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        connection.connection.execute("PRAGMA busy_timeout = 50")
    try:
        rate("late")
    except OperationalError:
        pass  # a rollback journal keeps writers out: as good
    finally:
        connection.close()


def meddle_meanwhile():
    other = Thread(target=meddle)
    other.start()
    other.join()


def show(taken):
    keeps_out = connection.vendor == "sqlite" and "WAL" not in safe_journals()
    print(json.dumps({"taken": taken, "stored": Rating.objects.count(), "keeps_out": keeps_out}))


campaign = create_campaign(slug="rivers", protocol="ae", overlap=1)
import_items(campaign=campaign, rows=[
    ItemRow(Source("items", n), f"item-{n}", None, f"document-{n}", f"Question {n}?",
            "A passage.", (f"reference {n}",), f"candidate {n}", ())
    for n in range(4)
])
rate("early")
"""

_PUBLISH = """
def read_slowly(campaign, selection):
    yield from read(campaign, selection)
    meddle_meanwhile()


read, stage.item_records = stage.item_records, read_slowly
plan = ReleasePlan(version="1.0.0", split="document:dev=50,test=50", seed=0)
release = stage.publish_release(campaign=campaign, plan=plan, out=Path(OUT))
show(release.ratings)
"""

_EXPORT = """
exported_ratings._ITEMS_AT_ONCE = 1
lines = export_ratings(campaign=campaign)
first = next(lines)
meddle_meanwhile()
show(len([first, *lines]))
"""


@pytest.mark.parametrize("act", ["publish", "export"])
def test_ratings_that_come_while_others_are_read_are_not_among_them(
    tmp_path: Path, act: str
) -> None:
    code = {"publish": _PUBLISH.replace("OUT", repr(str(tmp_path / "out"))), "export": _EXPORT}[act]
    with running_site(tmp_path / "site", start=False) as site:
        printed = json.loads(site.python(_RATED + code))
    assert printed["taken"] == 4
    assert printed["stored"] == (4 if printed["keeps_out"] else 8)
