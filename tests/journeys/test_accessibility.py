"""WCAG 2.2 AA by axe-core, on every page, in both themes; nothing cut off or out of reach; and
the rating form as a screen reader meets it."""

import json
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.extent import IS_WHOLE
from tests.journeys.addresses import PAGES
from tests.journeys.conftest import NARROW, OpenPage, Person, Tomahto, item, violations

pytestmark = pytest.mark.browser

MAIN_PAGES = (
    *("home", "overview", "rate-assignment", "agreement", "adjudicate"),
    *("import", "jobs", "releases", "lab", "settings"),
)
# the same pages when there is something else to show
OTHER_STATES = [
    "/docs/glossary/",  # no sections
    "/docs/?q=agreement",
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
DESKTOP: ViewportSize = {"width": 1280, "height": 720}
CLIPPED = (Path(__file__).parent / "clipped.js").read_text(encoding="utf-8")
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


@pytest.mark.parametrize(
    ("theme", "size"),
    [
        pytest.param("light", DESKTOP, marks=pytest.mark.representative("axe on the main pages")),
        pytest.param("dark", NARROW),
    ],
)
def test_no_page_violates_wcag(
    open_page: OpenPage, places: Places, theme: str, size: ViewportSize
) -> None:
    page = open_page(places.admin, "/login/?next=/", color_scheme=theme, viewport=size)
    found = []
    for address in places.every():
        page.goto(address)
        found += violations(page)
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


@pytest.mark.representative("texts cut off on any page")
def test_nothing_on_a_page_is_cut_or_out_of_reach(open_page: OpenPage, places: Places) -> None:
    """On a desktop, a laptop and a phone, and where a window of 1280 px is magnified four times."""
    page = open_page(places.admin, "/login/?next=/")
    found = []
    for address in map(places.address, (*PAGES.values(), *OTHER_STATES)):
        page.goto(address)
        found += [f"{address}: {fault}" for fault in _faults(page)]
    page.goto(places.address("/c/{slug}/rate/"))
    open_everything(page)
    found += _faults(page)
    assert not found, "\n".join(found)


def _faults(page: Page) -> Iterator[str]:
    for width, height in ((1280, 900), (1366, 650), (360, 740), (320, 256)):
        page.set_viewport_size({"width": width, "height": height})
        yield from (f"{fault} at {width} px" for fault in page.evaluate(CLIPPED))


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
