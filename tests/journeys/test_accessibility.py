"""WCAG 2.2 AA by axe-core, on every page, in both themes; no sideways scrolling; and the rating
form as a screen reader meets it."""

import json
import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.extent import IS_WHOLE
from tests.journeys.conftest import OpenPage, Person, Tomahto, item, violations

pytestmark = pytest.mark.browser

# by the names of their addresses, as the admin of a campaign sees them
PAGES = {
    "home": "/",
    "account": "/account/",
    "two-factor": "/account/two-factor/",
    "password_change": "/password/",
    "password_change_done": "/password/changed/",
    "password_reset": "/password/reset/",
    "password_reset_done": "/password/reset/sent/",
    "password_reset_complete": "/password/reset/done/",
    "password_reset_confirm": "/password/reset/nobody/no-token/",
    "join": "/join/no-such-secret/",
    "crowd": "/crowd/no-such-secret/",
    "campaign-new": "/campaigns/new/",
    "campaign-enter": "/c/{closed}/enter/",
    "overview": "/c/{slug}/",
    "rate": "/c/{slug}/rate/",
    "rate-assignment": "/c/{slug}/rate/{rated}/",
    "history": "/c/{slug}/history/",
    "guidelines": "/c/{slug}/guidelines/",
    "flags": "/c/{slug}/flags/",
    "agreement": "/c/{slug}/agreement/",
    "alerts": "/c/{slug}/agreement/alerts/",
    "labels": "/c/{slug}/agreement/labels/",
    "adjudicate": "/c/{slug}/adjudicate/",
    "adjudicate-decided": "/c/{slug}/adjudicate/decided/",
    "suggestion": "/c/{slug}/agreement/suggestion/",
    "more": "/c/{slug}/agreement/more/",
    "progress": "/c/{slug}/agreement/progress/",
    "time": "/c/{slug}/agreement/time/",
    "systems": "/c/{slug}/agreement/systems/",
    "raters": "/c/{slug}/agreement/raters/",
    "rater": "/c/{slug}/agreement/raters/{pseudonym}/",
    "classes": "/c/{slug}/agreement/classes/",
    "class-pair": "/c/{slug}/agreement/classes/equivalent/not-equivalent/",
    "item-votes": "/c/{slug}/items/{item}/",
    "audit": "/c/{slug}/settings/audit/",
    "generated": "/c/{slug}/generated/",
    "import": "/c/{slug}/import/",
    "jobs": "/c/{slug}/jobs/",
    "job": "/c/{slug}/jobs/{job}/",
    "matchers": "/c/{slug}/matchers/",
    "job-failures": "/c/{slug}/jobs/failed/",
    "lab": "/c/{slug}/lab/",
    "evaluation": "/c/{slug}/lab/{evaluation}/",
    "releases": "/c/{slug}/releases/",
    "datasheet": "/c/{slug}/releases/datasheet/",
    "release-new": "/c/{slug}/releases/new/",
    "release": "/c/{slug}/releases/1.0.0/",
    "release-changes": "/c/{slug}/releases/2.0.0/changes/",
    "release-withdraw": "/c/{slug}/releases/1.0.0/withdraw/",
    "release-leaderboard": "/c/{slug}/releases/1.0.0/leaderboard/",
    "release-submission-withdraw": "/c/{slug}/releases/1.0.0/leaderboard/{submission}/withdraw/",
    "settings": "/c/{slug}/settings/",
    "members": "/c/{slug}/settings/members/",
    "member": "/c/{slug}/settings/members/{member}/",
    "webhooks": "/c/{slug}/settings/webhooks/",
    "webhook": "/c/{slug}/settings/webhooks/{webhook}/",
}
MAIN_PAGES = (
    *("home", "overview", "rate-assignment", "agreement", "adjudicate"),
    *("import", "jobs", "releases", "lab", "settings"),
)
# the same pages when there is something else to show
OTHER_STATES = [
    "/c/{slug}/jobs/{waiting}/",
    "/c/{slug}/jobs/failed/?left=1",
    "/c/{slug}/releases/2.0.1/",  # withdrawn
    "/c/{steered}/lab/",  # nothing is evaluated there
    "/c/{slug}/releases/2.0.1/leaderboard/",
    "/c/{slug}/releases/2.0.0/leaderboard/?by=f1",  # being worked out
    "/c/{steered}/agreement/suggestion/",
    "/c/{steered}/agreement/more/?quantity=accuracy/juniper&width=0.02",
]
FOR_RATERS = ["/", "/c/{slug}/rate/", "/c/{slug}/history/", "/c/{slug}/guidelines/"]
# pages that take a way to get to: looked at on that way
ELSEWHERE = {
    *("login", "login-code", "join-form"),  # below, and in test_people
    *("consent", "calibration", "calibration-item", "calibration-start"),  # in test_training
    "adjudicate-item",  # in test_adjudication
}
NO_PAGES = {
    *("logout", "two-factor-qr", "draft", "following", "flag", "flag-settle", "rate-go-on"),
    *("adjudicate-next", "demo-load"),
    *("job-cancel", "job-retry", "job-leave", "matcher-train", "matcher-use"),
    *("release-download", "release-file", "settings-guidelines", "settings-overlaps"),
    *("evaluation-download", "evaluation-file"),
    *("settings-consent", "settings-calibration", "calibration-decide", "settings-completion"),
    *("member-new", "member-add", "invite", "invitation-revoke"),
    *("alert-acknowledge", "alert-rules", "alert-channels", "alert-trial"),
    *("webhook-trial", "webhook-switch", "webhook-delete", "webhook-retry"),
    *("token-new", "token-revoke", "ratings-export"),
}
MESSAGES = ["404.html", "500.html", "400.html", "403.html", "csrf.html", "access/locked.html"]
LONG = "A passage about rivers that goes on for a good while. " * 30


@dataclass(frozen=True)
class Places:
    """A campaign in which every page has something to show."""

    admin: Person
    rater: Person
    ids: dict[str, str]

    def address(self, path: str) -> str:
        return path.format(**self.ids)

    def every(self) -> Iterator[str]:
        """All pages in all states, or where all behaviour is run once the main ones."""
        whole = (*PAGES.values(), *OTHER_STATES)
        return map(self.address, whole if IS_WHOLE else [PAGES[name] for name in MAIN_PAGES])


@pytest.fixture(scope="module")
def places(tomahto: Tomahto) -> Places:
    slug = f"axe-{uuid.uuid4().hex[:8]}"
    items = [
        item(number, document=f"document-{number}", context=LONG + "in the northern hills")
        for number in range(1, 5)
    ]
    rater = tomahto.campaign(slug, items=items, rater=f"pine-{slug}")
    admin = tomahto.person(f"oak-{slug}", slug, "admin")
    folder = str(tomahto.site.folder / f"release-{slug}")
    printed = tomahto.site.python(_FILL.format(slug=slug, admin=admin.username, folder=folder))
    return Places(admin, rater, {"slug": slug, **json.loads(printed)})


_FILL = """
import json
from pathlib import Path
from datetime import timedelta
from django.db.models.functions import Now
from exporters.plan import ReleasePlan
from tasks.models import (
    Assignment, Campaign, GeneratedText, Job, JobFailure, JobKind, Look, Membership,
    TrainedMatcher, User, Worker,
)
from tasks.jobs.work import run_job
from tasks.evaluations.queries.benchmark import known_questions
from tasks.agreement.workflow.alerts import raise_after_look, raise_trial
from tasks.rating.workflow.assignment import claim_item
from tasks.campaigns.workflow.campaign import add_member
from tasks.rating.workflow.flags import raise_flag, settle_flag
from tasks.agreement.workflow.looks import look_if_due
from tasks.rating.workflow.rating import submit_rating
from tasks.releases.workflow.release import publish_release
from tasks.evaluations.workflow.submissions import submit_predictions, withdraw_submission
from tasks.events.workflow.webhooks import add_webhook, try_webhook
from tasks.releases.workflow.withdrawal import withdraw_release
from tests.evaluations import sample_report, store
from tests.extent import IS_WHOLE
from tests.factories import make_campaign
from tests.simulated_suggestions import simulate

campaign = Campaign.objects.get(slug={slug!r})
User.objects.filter(username={admin!r}).update(is_staff=True, is_superuser=True)
closed = make_campaign({slug!r} + "-closed", title="Of somebody else")
for member in campaign.memberships.all():
    for number in range(3):
        claim = claim_item(membership=member)
        submit_rating(
            assignment_id=claim.assignment_id, membership=member, seconds=20,
            answers={{"q1": "yes"}}, idempotency_key=str(number), comment="a close call",
        )
        rated = Assignment.objects.get(pk=claim.assignment_id)
        if member.role == "rater" and number:
            flag = raise_flag(assignment=rated, reason="The passage stops short.")
admin = campaign.memberships.get(role="admin")
settle_flag(flag=flag, by=admin, settlement="It was completed.")
raise_trial(campaign=campaign, by=admin)
low = {{"value": 0.5, "low": 0.4, "high": 0.6, "n": 80, "level": 0.025}}
raise_after_look(look=Look.objects.create(
    campaign=campaign, number=1, ratings=160, level=0.025, findings=json.dumps({{"alpha": low}}),
))
releases = {{
    version: publish_release(
        campaign=campaign, out=Path({folder!r}, version),
        plan=ReleasePlan(version=version, split=split, seed=0, formats=formats),
    )
    for version, split, formats in (
        ("1.0.0", "document:dev=50,test=50", None if IS_WHOLE else ()),
        ("2.0.0", "document:train=100", ()),
        ("2.0.1", "document:train=100", ()),
    )
}}
submissions = [
    submit_predictions(
        release=releases["1.0.0"], name=name, description="a large one " * 20, split="test",
        content=json.dumps({{question: name for question in known}}).encode(), by=admin,
        file_name="predictions.json",
    )
    for known in [known_questions(releases["1.0.0"], "test")]
    for name in ("far from the sea", "in the northern hills", "withdrawn " * 10)
]
withdraw_submission(submission=submissions[2], reason="It was trained on it.", by=admin)
for queued in Job.objects.filter(campaign=campaign, kind=JobKind.SUBMISSION):
    run_job(queued.pk)
withdraw_release(release=releases["2.0.1"], reason="Names are in it.", by=admin)
GeneratedText.objects.bulk_create(
    GeneratedText(
        campaign=campaign, kind="candidates", target="partial", question="Where does it rise?",
        reference="in the northern hills", candidate=f"in hills {{number}}", system="finch-7b",
        provenance={{"raw_reply": "in hills " * 200, "prompt": "candidate"}}, fingerprint=number,
    )
    for number in range(30)
)
job = Job.objects.create(campaign=campaign, kind=JobKind.SUGGEST, input_hash="x", state="done")
Job.objects.create(
    campaign=campaign, kind=JobKind.SUGGEST, input_hash="y", state="failed",
    error="TOMAHTO_BEM_MODEL is not set", finished_at=Now(),
)
waiting = Job.objects.create(
    campaign=campaign, kind=JobKind.ANSWER, input_hash="z", failures=2, error="endpoint down",
    parameters=dict(name="lexical"), not_before=Now() + timedelta(hours=1),
)
for item in campaign.items.all()[:3]:
    JobFailure.objects.create(job=job, item=item, reason="ValueError: " + "cannot read it " * 20)
def accuracy(value):
    return dict(value=value, low=value - 0.1, high=value + 0.05, n=64, replicates=1000, seed=0)
undefined = dict(value=None, low=None, high=None, n=64, reason="all labels are correct")
TrainedMatcher.objects.create(
    campaign=campaign, kind="feather", weights="none", digest="0123456789ab", labels=64, correct=40,
    ties=3, documents=12, seed=0, job=job, learning_curve=dict(
        folds=5,
        points=[
            dict(labels=25, accuracy=undefined),
            *(dict(labels=n, accuracy=accuracy(0.6 + n / 500)) for n in (50, 100)),
        ],
        baselines=dict(shipped=accuracy(0.7), token_f1=accuracy(0.65)),
    ),
)
Worker.objects.create(name="celery@somewhere-on-a-machine-with-a-long-name", host="x", pid=7)
hooks = [
    add_webhook(campaign=campaign, url=f"https://{{name}}.example.org/hook", events=["job.failed"])
    for name in ("meadow", "a-long-name-of-a-host-" * 3 + "x")
]
try_webhook(webhook=hooks[1])
steered = simulate({slug!r} + "-steered", items=60, effect=0.3)
add_member(campaign=steered, user=admin.user, role="admin")
look_if_due(campaign=steered, ratings=180)
own = Assignment.objects.filter(rater=admin, state="submitted").first()
other = campaign.memberships.get(role="rater")
print(json.dumps(dict(
    rated=str(own.pk), job=str(job.pk), waiting=str(waiting.pk), member=str(other.pk),
    steered=steered.slug, closed=closed.slug, submission=str(submissions[0].pk),
    webhook=str(hooks[1].pk),
    evaluation=str(store(campaign, sample_report()).pk),
    pseudonym=other.pseudonym, item=str(own.item_id),
)))
"""


def test_every_page_of_the_site_is_looked_at() -> None:
    own = get_resolver("tasks.urls").url_patterns
    assert set(_names(own)) == set(PAGES) | ELSEWHERE | NO_PAGES


def _names(patterns: Sequence[URLPattern | URLResolver]) -> Iterator[str | None]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _names(pattern.url_patterns)
        else:
            yield pattern.name


@pytest.mark.parametrize(
    "theme",
    [
        pytest.param("light", marks=pytest.mark.representative("axe on the main pages")),
        "dark",
    ],
)
def test_no_page_violates_wcag(open_page: OpenPage, places: Places, theme: str) -> None:
    page = open_page(places.admin, "/login/?next=/", color_scheme=theme)
    found = []
    for address in places.every():
        page.goto(address)
        found += violations(page, of_colours=theme == "dark")
    assert found == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_of_a_rater_violates_wcag(open_page: OpenPage, places: Places, theme: str) -> None:
    page = open_page(places.rater, "/login/?next=/", color_scheme=theme)
    found = []
    for path in FOR_RATERS:
        page.goto(places.address(path))
        found += violations(page)
    assert found == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_login_violates_nothing(open_page: OpenPage, theme: str) -> None:
    assert violations(open_page(None, "/login/", color_scheme=theme)) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_message_in_place_of_a_page_violates_wcag(
    tomahto: Tomahto, open_page: OpenPage, theme: str
) -> None:
    page = open_page(None, "/login/", color_scheme=theme)
    found = []
    for name, html in messages(tomahto).items():
        page.route(f"**/{name}", partial(fulfil, html=html))
        page.goto(f"/{name}")
        found += violations(page)
    assert found == []


def fulfil(route: Route, *, html: str) -> None:
    route.fulfill(body=html, content_type="text/html")


def messages(tomahto: Tomahto) -> dict[str, str]:
    """What takes the place of a page when something is wrong, as the site would send it."""
    printed = tomahto.site.python(
        "import json\nfrom django.template.loader import render_to_string\n"
        f"print(json.dumps({{name: render_to_string(name) for name in {MESSAGES!r}}}))"
    )
    found: dict[str, str] = json.loads(printed)
    return found


def open_everything(page: Page) -> None:
    """A rating form in the middle, with every panel beside it open."""
    for key in "nn":
        page.keyboard.press(key)
    page.get_by_text("Show the whole passage").click()
    for panel in ("comment", "flag", "skip"):
        page.locator(f"details.{panel} summary").click()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_rating_with_everything_open_violates_nothing(
    open_page: OpenPage, places: Places, theme: str
) -> None:
    page = open_page(
        places.admin, places.address("/login/?next=/c/{slug}/rate/"), color_scheme=theme
    )
    open_everything(page)
    found = violations(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Keys").click()
    found += violations(page)
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    assert found + violations(page) == []


def test_no_page_scrolls_sideways(open_page: OpenPage, places: Places) -> None:
    """320 px is a 1280 px window at 400 % zoom."""
    page = open_page(places.admin, "/login/?next=/", viewport=_narrow(360))
    too_wide = []
    for address in places.every():
        page.set_viewport_size(_narrow(360))
        page.goto(address)
        if page.evaluate("document.documentElement.scrollWidth") > 360 or _width_at_320(page) > 320:
            too_wide.append(address)
    page.goto(places.address("/c/{slug}/rate/"))
    open_everything(page)
    assert _width_at_320(page) == 320
    assert too_wide == []


# charts follow in the frames after
_SETTLED_WIDTH = """
async () => {
  for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
  return document.documentElement.scrollWidth;
}
"""


def _narrow(width: int) -> ViewportSize:
    return {"width": width, "height": 256}


def _width_at_320(page: Page) -> int:
    """How wide the page becomes in so narrow a window."""
    page.set_viewport_size(_narrow(320))
    found: int = page.evaluate(_SETTLED_WIDTH)
    return found


def test_rating_form_says_by_role_and_name_what_it_asks(
    open_page: OpenPage, places: Places
) -> None:
    page = open_page(places.rater, places.address("/login/?next=/c/{slug}/rate/"))
    expect(page.locator("#rate")).to_match_aria_snapshot("""
      - article /Where does river \\d rise/:
        - heading /Where does river \\d rise/ [level=1]
        - group: Show the whole passage p
        - term: First answer
        - definition: in the northern hills
        - term: Second answer
        - definition: far from the sea
      - form "Your judgement":
        - paragraph:
          - status
        - group "Is the second answer a completely different answer?":
          - radio "Yes"
          - radio "No"
        - button "Continue Enter"
        - button "Back b"
      - group: Comment c
      - group: Flag for the admins f
      - group: Skip this item s
    """)
    page.keyboard.press("n")
    form = page.get_by_role("form", name="Your judgement")
    asked = form.get_by_role("group", name=re.compile("convey at least the same information"))
    expect(asked).to_have_accessible_description(re.compile("^Note that either adding"))
    expect(asked).to_be_focused()
    expect(form).to_match_aria_snapshot("""
      - form "Your judgement":
        - paragraph:
          - status: Draft saved
        - group "Is the second answer a completely different answer?":
          - paragraph:
            - text: "No"
            - button "Change the answer to question 1"
        - group /Would using the second answer/:
          - radio "Yes"
          - radio "No"
        - button "Continue Enter"
        - button "Back b"
    """)
    page.keyboard.press("y")
    expect(form).to_match_aria_snapshot("""
      - group /Would using the second answer/:
        - radio "Yes" [checked]
        - radio "No"
      - button "Submit Enter"
      - button "Back b"
    """)
