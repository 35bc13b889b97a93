"""A database that is in use already is brought to the next schema, and back."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from tests.extent import IS_LONG
from tests.factories import make_campaign, make_labelled_items
from tests.site import Site, running_site
from tests.table_hashes import Hashes, table_hashes

RATINGS = 100_000 if IS_LONG else 3_000
OVERLAP = 4
FIRST, BEFORE_TRAINED_MATCHERS, BEFORE_FOLDERS = "0001", "0006", "0010"
# what people gave, and what it hangs on: no migration may touch it
KEPT = (
    "tasks_rating",
    "tasks_outcome",
    "tasks_slot",
    "tasks_assignment",
    "tasks_item",
    "tasks_guideline",
    "tasks_membership",
)
_THERE_AND_BACK = """
import json
from django.core.management import call_command
from tests.table_hashes import table_hashes

def look(*tables):
    return table_hashes(*{kept!r})

before = look()
call_command("migrate", "tasks", {target!r}, verbosity=0)
between = look()
call_command("migrate", verbosity=0)
print(json.dumps([before, between, look()]))
"""
_RATED = """
from tests.bulk import make_large_campaign
make_large_campaign("rated", items={items}, rated={items}, overlap={overlap}, raters=20)
"""
_FILL = """
from tasks.models import Campaign, Job, JobKind, Suggestion, TrainedMatcher
from tasks.campaigns.workflow.campaign import change_settings
from tests.factories import make_campaign, make_labelled_items
campaign = make_campaign("r" * 60, overlap=1)
make_labelled_items(campaign, items=2)
name = "feather@" + campaign.slug
change_settings(campaign=campaign, changes=dict(suggestion_matcher=name))
item = campaign.items.first()
for matcher in (name, "f1"):
    Suggestion.objects.create(item=item, matcher=matcher, version="1", score=0.5, is_correct=True)
job = Job.objects.create(campaign=campaign, kind=JobKind.TRAIN, input_hash="1")
Job.objects.create(
    campaign=campaign, kind=JobKind.SUGGEST, input_hash="2", parameters=dict(name=name)
)
Job.objects.create(
    campaign=campaign, kind=JobKind.SUGGEST, input_hash="3", parameters=dict(name="f1")
)
TrainedMatcher.objects.create(
    campaign=campaign, kind="feather", weights="{}", digest="1", labels=2, correct=1, ties=0,
    documents=2, seed=0, learning_curve={}, job=job,
)
"""
_FILL_BEM = """
from tasks.models import Campaign, Job, JobKind, Suggestion, TrainedMatcher
from tasks.campaigns.workflow.campaign import change_settings
from tests.factories import make_campaign, make_labelled_items
campaign = make_campaign("lakes", overlap=1)
make_labelled_items(campaign, items=2)
change_settings(campaign=campaign, changes=dict(suggestion_matcher="bem@lakes"))
item = campaign.items.first()
for number, kind in enumerate(("bem", "feather")):
    name = kind + "@lakes"
    Suggestion.objects.create(item=item, matcher=name, version="1", score=0.5, is_correct=True)
    job = Job.objects.create(
        campaign=campaign, kind=JobKind.TRAIN, input_hash=kind, parameters=dict(name=kind)
    )
    Job.objects.create(
        campaign=campaign, kind=JobKind.SUGGEST, input_hash=name, parameters=dict(name=name)
    )
    TrainedMatcher.objects.create(
        campaign=campaign, kind=kind, digest="1", labels=2, correct=1, ties=0, documents=2, seed=0,
        learning_curve={}, job=job,
        **(dict(folder="lakes/1") if kind == "bem" else dict(weights="{}")),
    )
"""
_LOOK = """
from django.db import DatabaseError
from tasks.models import Campaign, Job, Rating, Suggestion, TrainedMatcher
print(Campaign.objects.earliest("id").suggestion_matcher)
print(*Suggestion.objects.values_list("matcher", flat=True))
print(*Job.objects.order_by("id").values_list("state", flat=True))
ratings = Rating.objects.exclude(rater__name__startswith="rater-")
print(TrainedMatcher.objects.count(), ratings.count())
try:
    Rating.objects.update(comment="changed")
except DatabaseError as error:
    print("append-only" in str(error))
"""


_ADD = """
from django.db import DatabaseError
from tasks.models import TrainedMatcher
try:
    TrainedMatcher.objects.update(digest="changed")
except DatabaseError as error:
    print("append-only" in str(error))
from tests.factories import make_campaign
print(make_campaign("seas").suggestion_matcher)
"""

_UNGUARD = {
    "sqlite": "DROP TRIGGER tasks_rating_no_UPDATE",
    "postgresql": "DROP TRIGGER tasks_rating_no_change ON tasks_rating",
}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with running_site(tmp_path, start=False) as site:
        yield site


def go_there_and_back(
    site: Site, fill: str, target: str, look: str
) -> tuple[list[Hashes], list[str]]:
    """Fill the database, migrate it to that schema and forward again, all in one process.

    Returns the hashes before, between and after, and what the last look printed.
    """
    trip = _THERE_AND_BACK.format(kept=KEPT, target=target)
    hashes, *printed = site.python(fill + trip + look).splitlines()
    return json.loads(hashes), printed


def test_a_used_database_goes_back_before_trained_matchers_and_forward_again(site: Site) -> None:
    fill = _FILL + _RATED.format(items=RATINGS // OVERLAP, overlap=OVERLAP)
    target = FIRST if IS_LONG else BEFORE_TRAINED_MATCHERS
    (before, between, after), printed = go_there_and_back(site, fill, target, _LOOK)
    # what cannot be loaded without them is gone or failed, the rest is as it was
    assert printed == ["cfmatch", "f1", "failed failed queued", "0 2", "True"]
    assert set(before) >= {"tasks_rating", "tasks_outcome"}
    assert after == before
    # a schema of before has fewer columns
    for table, columns in between.items():
        assert columns.items() <= before[table].items()


def test_a_used_database_goes_back_before_matchers_in_folders_and_forward_again(
    site: Site,
) -> None:
    _hashes, printed = go_there_and_back(site, _FILL_BEM, BEFORE_FOLDERS, _LOOK + _ADD)
    # what is in a folder is gone or failed, the rest is as it was
    assert printed[:5] == ["cfmatch", "feather@lakes", "failed failed queued queued", "1 2", "True"]
    # the rows are guarded again, and new campaigns have the new default
    assert printed[5:] == ["True", "feather"]


@pytest.mark.django_db
def test_a_changed_rating_is_noticed() -> None:
    make_labelled_items(make_campaign("rivers", overlap=1), items=2)
    before = table_hashes("tasks_rating")["tasks_rating"]
    with connection.cursor() as cursor:
        cursor.execute(_UNGUARD[connection.vendor])
        cursor.execute("UPDATE tasks_rating SET comment = 'x'")
    after = table_hashes("tasks_rating")["tasks_rating"]
    assert [name for name in before if before[name] != after[name]] == ["comment"]
