"""The overview's sentence and its one next step, in every state a campaign can be in."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse

from tasks.home.pages.next_step import next_step, state_of
from tasks.home.queries.contents import CampaignContents
from tasks.home.queries.situation import Situation
from tasks.models import Role
from tasks.votes.progress import Progress
from tasks.web.addresses import roles_for

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
YESTERDAY, LONG_AGO = NOW - timedelta(days=1), NOW - timedelta(days=8)
EMPTY = CampaignContents(
    questions=0,
    unanswerable=0,
    candidates=0,
    exact_matches=0,
    items=0,
    suggested=0,
    raters=0,
    have_rated=0,
    ratings=0,
    releases=0,
)
READY = replace(EMPTY, questions=10, items=10)
STAFFED = replace(READY, raters=2)
BUSY = replace(STAFFED, have_rated=2, ratings=12)
RATED = replace(BUSY, ratings=20)


def facts(contents: CampaignContents = EMPTY, done: int = 0, **changes: Any) -> Situation:
    """Of a campaign with two ratings wanted for each item."""
    usual: dict[str, Any] = {
        "is_paused": False,
        "shows_suggestions": False,
        "begun": 2 if done else 0,
        "invitations": 0,
        "last_rating": YESTERDAY if done else None,
        "now": NOW,
    }
    progress = Progress(done, 2 * contents.items)
    return Situation(contents=contents, progress=progress, **{**usual, **changes})


ALL = {"failed_jobs": 1, "alerts": 1, "flags": 1, "ties": 1, "waiting": 1}
STATES = [
    ("empty", facts(), "import", "This campaign is empty."),
    (
        "questions",
        facts(replace(EMPTY, questions=10)),
        "import",
        "10 questions have been imported, but there is nothing to rate yet.",
    ),
    (
        "failed",
        facts(replace(EMPTY, questions=1), failed_jobs=2),
        "job-failures",
        "One question has been imported, but there is nothing to rate yet.",
    ),
    ("no raters", facts(READY), "members", "10 items are ready, and nobody has rated one yet."),
    (
        "suggestions",
        facts(READY, shows_suggestions=True),
        "jobs",
        "10 items are ready, and nobody has rated one yet.",
    ),
    (
        "no raters",
        facts(replace(READY, suggested=10), shows_suggestions=True),
        "members",
        "10 items are ready, and nobody has rated one yet.",
    ),
    (
        "invited",
        facts(READY, invitations=1),
        "members",
        "10 items are ready, and nobody has rated one yet.",
    ),
    ("not begun", facts(STAFFED), "rate", "10 items are ready, and nobody has rated one yet."),
    ("rating", facts(BUSY, 12), "agreement", "12 of 20 ratings are in."),
    (
        "stalled",
        facts(BUSY, 12, last_rating=LONG_AGO),
        "raters",
        "12 of 20 ratings are in. The last one came on 12 May 2026.",
    ),
    (
        "no raters",  # the ratings were imported, without times
        facts(replace(READY, ratings=12), 12, begun=0, last_rating=None),
        "members",
        "12 of 20 ratings are in.",
    ),
    (
        "paused",
        facts(BUSY, 12, is_paused=True, last_rating=LONG_AGO, alerts=1),
        "settings",
        "12 of 20 ratings are in. The campaign is paused.",
    ),
    ("failed", facts(BUSY, 12, **ALL), "job-failures", "12 of 20 ratings are in."),
    ("alerts", facts(BUSY, 12, **{**ALL, "failed_jobs": 0}), "alerts", "12 of 20 ratings are in."),
    ("flags", facts(BUSY, 12, flags=3, ties=1), "flags", "12 of 20 ratings are in."),
    ("rating", facts(BUSY, 12, ties=1, waiting=1), "agreement", "12 of 20 ratings are in."),
    (
        "ties",
        facts(RATED, 20, ties=3, waiting=5, last_rating=LONG_AGO),
        "adjudicate",
        "All 20 ratings are in. 3 items have no majority label.",
    ),
    ("not released", facts(RATED, 20, waiting=2), "release-new", "All 20 ratings are in."),
    (
        "not released",  # paused or not: nothing is missing
        facts(RATED, 20, is_paused=True),
        "release-new",
        "All 20 ratings are in.",
    ),
    (
        "released",
        facts(RATED, 20, latest_release="1.0.0", ties=1),
        "releases",
        "All 20 ratings are in. Release 1.0.0 contains them.",
    ),
    (
        "new data",
        facts(RATED, 20, latest_release="1.0.0", has_new_data=True),
        "release-new",
        "All 20 ratings are in. Release 1.0.0 does not contain all of them.",
    ),
    (
        "rating",
        facts(BUSY, 12, latest_release="1.0.0", has_new_data=True),
        "agreement",
        "12 of 20 ratings are in.",
    ),
    (
        "alerts",
        facts(RATED, 20, latest_release="1.0.0", alerts=2),
        "alerts",
        "All 20 ratings are in. Release 1.0.0 contains them.",
    ),
]


@pytest.mark.parametrize(("key", "situation", "page", "sentence"), STATES)
def test_there_is_one_next_step_and_a_sentence_in_every_state(
    key: str, situation: Situation, page: str, sentence: str
) -> None:
    step = next_step(situation)
    assert (step.key, step.page, state_of(situation)) == (key, page, sentence)
    assert step.title
    assert step.why


def test_admins_may_take_every_step() -> None:
    pages = {page for _key, _situation, page, _sentence in STATES}
    assert {page for page in pages if Role.ADMIN not in roles_for(page)} == set()
    assert all(reverse(page, args=["rivers"]) for page in pages)
