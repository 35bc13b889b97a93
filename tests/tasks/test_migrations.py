"""A database that is in use already is brought to the next schema, and back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site import Site, running_site

BEFORE_TRAINED_MATCHERS = ("migrate", "tasks", "0006", "--verbosity", "0")
_FILL = """
from tasks.models import Campaign, Job, JobKind, Suggestion, TrainedMatcher
from tasks.workflow.campaign import change_settings
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
from tasks.workflow.campaign import change_settings
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
print(Campaign.objects.get().suggestion_matcher)
print(*Suggestion.objects.values_list("matcher", flat=True))
print(*Job.objects.order_by("id").values_list("state", flat=True))
print(TrainedMatcher.objects.count(), Rating.objects.count())
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


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with running_site(tmp_path, start=False) as site:
        yield site


def test_a_used_database_goes_back_before_trained_matchers_and_forward_again(site: Site) -> None:
    site.python(_FILL)
    site.manage(*BEFORE_TRAINED_MATCHERS)
    site.manage("migrate", "--verbosity", "0")
    # what cannot be loaded without them is gone or failed, the rest is as it was
    assert site.python(_LOOK).splitlines() == [
        "cfmatch",
        "f1",
        "failed failed queued",
        "0 2",
        "True",
    ]


def test_a_used_database_goes_back_before_matchers_in_folders_and_forward_again(
    site: Site,
) -> None:
    site.python(_FILL_BEM)
    site.manage("migrate", "tasks", "0007", "--verbosity", "0")
    site.manage("migrate", "--verbosity", "0")
    # what is in a folder is gone or failed, the rest is as it was
    assert site.python(_LOOK).splitlines() == [
        "cfmatch",
        "feather@lakes",
        "failed failed queued queued",
        "1 2",
        "True",
    ]
    # the rows are guarded again, and new campaigns have the new default
    assert site.python(_ADD).splitlines() == ["True", "feather"]
