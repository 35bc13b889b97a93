"""A small rated campaign, and its releases."""

import itertools
from pathlib import Path
from typing import Any

from exporters.planned_release import ReleasePlan
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Release
from tasks.release_store.files import ObjectPlace
from tasks.releases.workflow.release import publish_release
from tests.factories import make_campaign
from tests.stored_at_once import store_items
from tests.tasks.conftest import item_row, rating_row

SPLIT = "document:dev=40,test=60"
MOVED = "system:test=juniper"  # all into test, some of them from dev: a major change
_numbers = itertools.count(1)


def rated_campaign(items: int = 6, rated: int | None = None) -> Campaign:
    """Items of three documents by one system, each or the first of them rated twice."""
    campaign = make_campaign(f"rated-{next(_numbers)}")
    store_items(campaign, [item_row(n) for n in range(1, items + 1)])
    rate(campaign, *range(1, (rated or items) + 1))
    return campaign


def rate(campaign: Campaign, *items: int, raters: tuple[str, ...] = ("ann", "ben")) -> None:
    rows = [rating_row(n, rater, "equivalent") for n in items for rater in raters]
    import_ratings(campaign=campaign, rows=rows)


def release_plan(version: str = "1.0.0", **changes: Any) -> ReleasePlan:
    return ReleasePlan(**{"version": version, "split": SPLIT, "seed": 0, **changes})


def publish(
    campaign: Campaign, out: Path | ObjectPlace, version: str = "1.0.0", **changes: Any
) -> Release:
    return publish_release(campaign=campaign, plan=release_plan(version, **changes), out=out)
