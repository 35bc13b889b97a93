"""The demo: every page of it has something to show, and a newcomer can rate at once."""

import json
from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from http import HTTPStatus
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.utils import timezone

from tasks.demo.workflow import load_demo
from tasks.jobs.work import run_job
from tasks.models import (
    Adjudication,
    Alert,
    Campaign,
    ExpectedAnswer,
    Flag,
    Guideline,
    Job,
    JobKind,
    JobState,
    Membership,
    Question,
    Rating,
    Slot,
    User,
)
from tasks.people.workflow.members import give_consent
from tasks.rating.workflow.assignment import claim_item
from tasks.web.addresses import pages
from tests.factories import make_user
from tests.tasks.browsers import signed_in
from tests.tasks.whole.routes import ROWS, filled

DEMO = settings.BASE_DIR / "demo"
TIMES_OF = {"demo-ae": "ratings_ae.jsonl", "demo-cap": "ratings_cap.jsonl"}

# pages of what the demo has none of, and files that have to be named
NOT_ASKED = {
    *("webhook", "calibration-item", "rate-assignment", "release-submission-withdraw"),
    *("items-file", "evaluation-file"),
    *("thread", "thread-new", "answer-share", "answers"),
}
# what visitors do themselves, or what takes a model, a receiver, a failure or a running worker
MAY_BE_EMPTY = {
    *("history", "members", "release-leaderboard"),
    *("generated", "webhooks", "job-failures", "jobs", "set-asides", "invitees"),
}


def test_demo_campaigns_are_ready_for_consent_and_calibration(db: None) -> None:
    load_demo(DEMO)
    campaigns = Campaign.objects.order_by("slug").select_related("consent_text")
    assert [
        (
            campaign.slug,
            campaign.consent_text is not None,
            campaign.requires_calibration,
            ExpectedAnswer.objects.filter(
                item__campaign=campaign, item__purpose="calibration"
            ).count(),
        )
        for campaign in campaigns
    ] == [("demo-ae", True, False, 6), ("demo-cap", True, False, 8)]
    assert not Slot.objects.filter(item__purpose="calibration").exists()


def test_newcomer_can_rate_once_they_have_consented(db: None) -> None:
    load_demo(DEMO)
    for membership in Membership.objects.filter(user__username="rater"):
        give_consent(membership=membership, version=1)
        assert claim_item(membership=membership)


@pytest.mark.parametrize(
    ("day", "zone"),
    [("2024-03-01", "UTC"), ("2026-10-26", "Europe/Berlin"), ("2026-10-26", "Pacific/Auckland")],
)
def test_imported_ratings_end_yesterday_at_their_times_of_day(
    db: None, monkeypatch: pytest.MonkeyPatch, day: str, zone: str
) -> None:
    today, site = date.fromisoformat(day), ZoneInfo(zone)
    monkeypatch.setattr(timezone, "localdate", lambda **_: today)
    monkeypatch.setattr(timezone, "get_default_timezone", lambda: site)
    load_demo(DEMO)
    for slug, name in TIMES_OF.items():
        imported = Rating.objects.filter(item__campaign__slug=slug, rater__user=None)
        times = [each.rated_at.astimezone(site) for each in imported if each.rated_at]
        lines = map(json.loads, (DEMO / name).read_text(encoding="utf-8").splitlines())
        stated = [datetime.fromisoformat(line["created_at"]).astimezone(site) for line in lines]
        assert max(times).date() == today - timedelta(days=1)
        assert _from_their_last_day(times) == _from_their_last_day(stated)


def _from_their_last_day(times: Iterable[datetime]) -> Counter[tuple[int, str]]:
    times = list(times)
    last = max(times).date()
    return Counter(((last - each.date()).days, f"{each:%H:%M:%S}") for each in times)


def test_something_waits_for_those_who_look(db: None) -> None:
    load_demo(DEMO)
    assert [(alert.kind, alert.acknowledged_at) for alert in Alert.objects.all()] == [
        ("alpha", None)
    ]
    assert {flag.settled_by and flag.settled_by.name for flag in Flag.objects.all()} == {
        "admin",
        None,
    }
    assert Adjudication.objects.values("item").distinct().count() == 2
    rated = Rating.objects.filter(rater__user__isnull=False)
    given = Counter(rated.values_list("rater__name", "guideline__version", "item__purpose"))
    assert given == {
        (f"demo-rater-{rater}", version, purpose): number
        for rater in (4, 5)
        for version in (1, 2)
        for purpose, number in (("live", 4), ("control", 3))
    }
    questions = Question.objects.filter(campaign__slug="demo-cap").exclude(split="")
    assert set(questions.values_list("split", flat=True)) == {"dev", "test"}
    assert len(set(questions.values_list("question_type", flat=True))) == 4


def test_demo_is_loaded_once(db: None) -> None:
    assert len(load_demo(DEMO)) == 3
    before = (Rating.objects.count(), Job.objects.count(), Guideline.objects.count())
    assert load_demo(DEMO) == []
    assert (Rating.objects.count(), Job.objects.count(), Guideline.objects.count()) == before


@pytest.mark.slow
def test_every_page_of_the_demo_has_something_to_show(db: None) -> None:
    load_demo(DEMO)
    for job in Job.objects.order_by("pk"):
        run_job(job.pk)
    assert not Job.objects.exclude(state=JobState.DONE).exists()
    campaign = Campaign.objects.get(slug="demo-ae")
    parts = {
        "pseudonym": campaign.memberships.get(name="demo-rater-1").pseudonym,
        "version": campaign.releases.get().version,
        "job_id": campaign.jobs.get(kind=JobKind.EVALUATE).pk,
        "section": "data",
        "evaluation_id": campaign.evaluations.get().pk,
    }
    faults = []
    for role in ("admin", "researcher"):
        member = campaign.memberships.get(name=role)
        for page in pages():
            row = ROWS[page.name]
            if not (page.pattern.startswith("c/<slug:slug>/") and row.admits(role, "GET")):
                continue
            if "GET" not in row.methods or page.name in NOT_ASKED:
                continue
            response = signed_in(member).get(filled(page.pattern, member, **parts), follow=True)
            content = response.getvalue() if response.streaming else response.content
            is_empty = b'class="empty"' in content and page.name not in MAY_BE_EMPTY
            if response.status_code != HTTPStatus.OK or is_empty:
                faults.append((role, page.name, response.status_code))
    assert not faults, faults


def test_an_operator_of_an_empty_site_loads_the_demo_and_is_its_admin(db: None) -> None:
    operator = make_user(is_superuser=True, is_staff=True)
    browser = signed_in(operator)
    assert 'action="/demo/"' in browser.get("/").content.decode()
    assert browser.post("/demo/")["Location"] == "/"
    own = Membership.objects.filter(user=operator).order_by("campaign__slug")
    assert list(own.values_list("campaign__slug", "role")) == [
        ("demo-ae", "admin"),
        ("demo-cap", "admin"),
    ]
    assert not User.objects.filter(username__in=["admin", "researcher", "rater"]).exists()
    home = browser.post("/demo/", follow=True).content.decode()
    assert "The demo is for sites without campaigns." in home
    assert 'action="/demo/"' not in home
    assert Campaign.objects.count() == 2


@pytest.mark.parametrize("name", ["demo-rater-1", "demo-rater-4"])
def test_an_operator_with_a_name_of_the_demo_is_told_so(db: None, name: str) -> None:
    browser = signed_in(make_user(username=name, is_superuser=True))
    home = browser.post("/demo/", follow=True).content.decode()
    assert "the demo needs names that are taken here" in home
    assert not Campaign.objects.exists()


def test_nobody_else_loads_the_demo(db: None) -> None:
    assert signed_in(make_user(is_staff=True)).post("/demo/").status_code == 403
    assert not Campaign.objects.exists()
