"""The overview's sentence and its one next step, in every state a campaign can be in."""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse

from tasks.home.queries.situation import AvailableRaters, CampaignContents, Situation
from tasks.home.shown import next_step, state_of
from tasks.models import JobKind, Role
from tasks.votes.items import Progress
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
BUSY = replace(READY, have_rated=2, ratings=12)
RATED = replace(BUSY, ratings=20)
NOBODY = AvailableRaters({})
NEW = AvailableRaters({"able": 2}, has_work=True)
AT_WORK = replace(NEW, begun=2)
DONE = AvailableRaters({"able": 2}, begun=2)


def facts(
    contents: CampaignContents = EMPTY,
    done: int = 0,
    raters: AvailableRaters = AT_WORK,
    **changes: Any,
) -> Situation:
    """Of a campaign with two ratings wanted for each item."""
    usual: dict[str, Any] = {
        "progress": Progress(done, 2 * contents.items),
        "is_paused": False,
        "is_archived": False,
        "shows_suggestions": False,
        "invitations": 0,
        "last_rating": YESTERDAY if done else None,
        "now": NOW,
    }
    return Situation(contents=contents, raters=raters, **{**usual, **changes})


def of(**states: int) -> AvailableRaters:
    return AvailableRaters(states, begun=1)  # type: ignore[arg-type]  # names of states


READY_TEXT = "10 items are ready, and nobody has rated one yet."
QUESTIONS_TEXT = "10 questions have been imported, but there is nothing to rate yet."
BUSY_TEXT = "12 of 20 ratings are in."
ALL: dict[str, Any] = {"failed_jobs": 1, "alerts": 1, "flags": 1, "ties": 1, "waiting": 1}
QUESTIONS = replace(EMPTY, questions=10)
STATES = [
    (
        "archived",
        facts(READY, 12, is_archived=True, is_paused=True, **ALL),
        "settings",
        "The campaign is archived, with 12 of 20 ratings in.",
    ),
    ("empty", facts(), "import", "This campaign is empty."),
    ("questions", facts(QUESTIONS), "import", QUESTIONS_TEXT),
    (
        "failed",
        facts(replace(EMPTY, questions=1), failed_jobs=2, generated=1),
        "job-failures",
        "One question has been imported, but there is nothing to rate yet.",
    ),
    ("generated", facts(QUESTIONS, generated=3), "generated", QUESTIONS_TEXT),
    ("working", facts(QUESTIONS, jobs=[JobKind.ANSWER]), "jobs", QUESTIONS_TEXT),
    ("questions", facts(QUESTIONS, jobs=[JobKind.SUGGEST]), "import", QUESTIONS_TEXT),
    (
        "dismissed",
        facts(READY, progress=Progress(0, 0)),
        "items-acts",
        "Every item has been dismissed, so no rating is wanted.",
    ),
    ("suggestions", facts(READY, 0, NOBODY, shows_suggestions=True), "jobs", READY_TEXT),
    (  # a job is making them
        "no-raters",
        facts(READY, 0, NOBODY, shows_suggestions=True, jobs=[JobKind.SUGGEST]),
        "members",
        READY_TEXT,
    ),
    (
        "no-raters",
        facts(replace(READY, suggested=10), 0, NOBODY, shows_suggestions=True),
        "members",
        READY_TEXT,
    ),
    ("invited", facts(READY, 0, NOBODY, invitations=1), "members", READY_TEXT),
    ("not-begun", facts(READY, 0, NEW), "rate", READY_TEXT),
    ("rating", facts(BUSY, 12), "agreement", BUSY_TEXT),
    ("rating", facts(BUSY, 12, AvailableRaters({}, others=1)), "agreement", BUSY_TEXT),
    (
        "stalled",
        facts(BUSY, 12, last_rating=LONG_AGO),
        "raters",
        "12 of 20 ratings are in, and the last one came on 12 May 2026.",
    ),
    # the ratings were imported, with times and without
    ("no-raters", facts(BUSY, 12, NOBODY), "members", BUSY_TEXT),
    ("no-raters", facts(BUSY, 12, NOBODY, last_rating=None), "members", BUSY_TEXT),
    ("no-rater-left", facts(BUSY, 12, DONE, alerts=1), "members", BUSY_TEXT),
    ("stuck", facts(BUSY, 12, of(stuck=1, consent=1)), "settings", BUSY_TEXT),
    ("not-admitted", facts(BUSY, 12, of(calibration=1, at_quota=1)), "members", BUSY_TEXT),
    ("at-quota", facts(BUSY, 12, of(at_quota=2, paused=1)), "members", BUSY_TEXT),
    ("raters-paused", facts(BUSY, 12, of(paused=2)), "members", BUSY_TEXT),
    (
        "paused",
        facts(BUSY, 12, is_paused=True, last_rating=LONG_AGO, alerts=1),
        "settings",
        "The campaign is paused, with 12 of 20 ratings in.",
    ),
    ("failed", facts(BUSY, 12, **ALL), "job-failures", BUSY_TEXT),
    ("alerts", facts(BUSY, 12, **{**ALL, "failed_jobs": 0}), "alerts", BUSY_TEXT),
    ("flags", facts(BUSY, 12, flags=3, ties=1), "flags", BUSY_TEXT),
    ("decisions", facts(BUSY, 12, ties=1, waiting=1), "adjudicate", BUSY_TEXT),
    (
        "ties",
        facts(RATED, 20, DONE, ties=3, waiting=5, last_rating=LONG_AGO),
        "adjudicate",
        "All 20 ratings are in, but 3 items have no majority label.",
    ),
    ("not-released", facts(RATED, 20, waiting=2), "release-new", "All 20 ratings are in."),
    # paused or not: nothing is missing
    ("not-released", facts(RATED, 20, is_paused=True), "release-new", "All 20 ratings are in."),
    ("releasing", facts(RATED, 20, jobs=["release"]), "releases", "All 20 ratings are in."),
    (
        "released",
        facts(RATED, 20, latest_release="1.0.0", ties=1),
        "releases",
        "All 20 ratings are in release 1.0.0.",
    ),
    (
        "new-data",
        facts(RATED, 20, latest_release="1.0.0", has_new_data=True),
        "release-new",
        "All 20 ratings are in, but the data have changed since release 1.0.0.",
    ),
    ("rating", facts(BUSY, 12, latest_release="1.0.0", has_new_data=True), "agreement", BUSY_TEXT),
    (
        "alerts",
        facts(RATED, 20, latest_release="1.0.0", alerts=2),
        "alerts",
        "All 20 ratings are in release 1.0.0.",
    ),
    (
        "alerts",
        facts(BUSY, 12, alerts=1, is_agreement_low=True),
        "alerts",
        "12 of 20 ratings are in, and agreement is below the goal.",
    ),
    (
        "alerts",
        facts(RATED, 20, latest_release="1.0.0", alerts=1, is_agreement_low=True),
        "alerts",
        "All 20 ratings are in, but agreement is below the goal.",
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
    assert all(reverse(page, args=["rivers"]) for page in pages)
    assert {page for page in pages if Role.ADMIN not in roles_for(page)} == set()


def test_the_documentation_names_every_step_and_no_other() -> None:
    text = Path(settings.BASE_DIR, "docs", "pages.md").read_text(encoding="utf-8")
    table = text.partition("| next step |")[2].partition("\n\n")[0]
    documented = re.findall(r"\| `([a-z-]+)` \|", table)
    assert sorted(documented) == sorted({key for key, *_rest in STATES})
