"""A rater's whole way, in one go: a link of a crowd service, consent, guidelines, a calibration
failed and passed, ten items with a revision, a skip and a flag, and the code at the end."""

import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import NARROW, OpenPage, Tomahto, item
from tests.journeys.hands import CAP_LABELS, Hands, Keyboard, Touch, WithoutScript

pytestmark = pytest.mark.browser

REASON = "in a script I cannot read"
FAULT = "The passage stops short."


@dataclass(frozen=True)
class Way:
    """The answers under a protocol: the calibration, wrongly and rightly; the items, of which the
    sixth is skipped; and the fifth once more."""

    expected: Mapping[str, str]
    unexpected: Mapping[str, str]
    items: list[dict[str, str]]
    revision: dict[str, str]


WAYS = {
    "ae": Way(
        expected={"q1": "no", "q2": "yes"},
        unexpected={"q1": "yes"},
        items=[
            {"q1": "yes"},
            {"q1": "no", "q2": "yes"},
            {"q1": "no", "q2": "no", "q3": "yes", "q4": "no"},
            {"q1": "no", "q2": "no", "q3": "no", "q4": "yes"},
            {"q1": "no", "q2": "no", "q3": "yes", "q4": "yes"},
            {"q1": "no", "q2": "no", "q3": "no", "q4": "no"},
            {"q1": "yes"},
            {"q1": "no", "q2": "yes"},
            {"q1": "no", "q2": "yes"},
        ],
        revision={"q1": "yes"},
    ),
    "cap": Way(
        expected={"label": "partial"},
        unexpected={"label": "invalid"},
        items=[{"label": label} for label in [*CAP_LABELS, "exact"]],
        revision={"label": "contradictory"},
    ),
}
WORKERS: dict[str, tuple[Callable[[Page], Hands], dict[str, Any]]] = {
    "keyboard": (Keyboard, {}),
    "without JavaScript": (WithoutScript, {"java_script_enabled": False}),
    "touch": (Touch, {"viewport": NARROW, "has_touch": True, "is_mobile": True}),
}


def invite_visitors(tomahto: Tomahto, slug: str, protocol: str) -> str:
    """The path of a crowd link to a campaign of ten items, with consent and calibration."""
    expected = WAYS[protocol].expected
    answers = {
        name: value == "yes" if value in {"yes", "no"} else value
        for name, value in expected.items()
    }
    known: dict[str, Any] = {"purpose": "calibration", "explanation": "The hills are the same."}
    items = [item(number) for number in range(1, 11)]
    items += [item(n, id=f"known-{n}", **known, **answers) for n in (21, 22)]
    tomahto.campaign(slug, items=items, rater=f"ash-{slug}", protocol=protocol)
    printed = tomahto.site.python(
        "import json\n"
        "from tasks.models import Campaign, InvitationKind\n"
        "from tasks.training.workflow import configure_calibration\n"
        "from tasks.people.workflow.members import publish_consent_text\n"
        "from tasks.people.workflow.invitations import invite\n"
        f"campaign = Campaign.objects.get(slug={slug!r})\n"
        "Campaign.objects.filter(pk=campaign.pk).update(completion_code='C0DE-42')\n"
        "publish_consent_text(campaign=campaign, text='Your answers are *published*.')\n"
        "configure_calibration(campaign=campaign, is_required=True, pass_percent=80, attempts=2)\n"
        "_, secret = invite(campaign=campaign, kind=InvitationKind.CROWD)\n"
        "from django.urls import reverse\n"
        "print(json.dumps(reverse('crowd', args=[secret])))"
    )
    path: str = json.loads(printed)
    return f"{path}?PROLIFIC_PID=5f1e&STUDY_ID=s&SESSION_ID=x"


def heading(page: Page, text: str) -> None:
    expect(page.get_by_role("heading", name=text)).to_be_visible()


def calibrate(page: Page, hands: Hands, answers: Mapping[str, str], verdict: str) -> None:
    for _item in range(2):
        expect(page.get_by_text("Final once submitted")).to_be_visible()
        with page.expect_navigation():
            hands.answer(answers)
        heading(page, verdict)
        expect(page.get_by_text("The hills are the same.")).to_be_visible()
        hands.go_on()


def come_to_live_work(page: Page, hands: Hands, way: Way) -> None:
    heading(page, "Before you take part")
    hands.agree()
    heading(page, "Read the guidelines first")
    hands.go_on()
    calibrate(page, hands, way.unexpected, "Another answer was expected")
    heading(page, "Calibration not passed yet")
    expect(page.get_by_text("0 of 2 answers were as expected")).to_be_visible()
    hands.go_on()
    calibrate(page, hands, way.expected, "As expected")
    heading(page, "Calibration passed")
    hands.go_on()


def rate(page: Page, hands: Hands, answers: Mapping[str, str]) -> None:
    """One item, until the next is there."""
    leave(page, lambda: hands.answer(answers))


def leave(page: Page, act: Callable[[], None]) -> None:
    title = page.get_by_role("heading", level=1)
    before = title.inner_text()
    act()
    expect(title).not_to_have_text(before)


def stored(tomahto: Tomahto, slug: str) -> dict[str, Any]:
    """The database's rows of the skipped and the flagged item, and of the attempts."""
    code = (
        "import json\n"
        "from tasks.models import Assignment, CalibrationAttempt, Flag\n"
        f"here = {{'item__campaign__slug': {slug!r}}}\n"
        "attempts = CalibrationAttempt.objects.filter("
        f"membership__campaign__slug={slug!r}).order_by('number')\n"
        "print(json.dumps({"
        "'skipped': [a.skip_reason for a in Assignment.objects.filter(**here, state='skipped')],"
        "'flagged': [flag.reason for flag in Flag.objects.filter(**here)],"
        "'attempts': [a.is_passed for a in attempts]}))"
    )
    found: dict[str, Any] = json.loads(tomahto.site.python(code))
    return found


@pytest.mark.parametrize("worker", WORKERS)
@pytest.mark.parametrize("protocol", WAYS)
def test_from_the_first_visit_to_the_completion_code(
    tomahto: Tomahto, open_page: OpenPage, protocol: str, worker: str
) -> None:
    slug, way = f"whole-{uuid.uuid4().hex[:8]}", WAYS[protocol]
    make_hands, options = WORKERS[worker]
    page = open_page(None, invite_visitors(tomahto, slug, protocol), **options)
    hands = make_hands(page)
    come_to_live_work(page, hands, way)
    for answers in way.items[:5]:
        rate(page, hands, answers)
    hands.open_the_item_before()
    rate(page, hands, way.revision)
    leave(page, lambda: hands.skip(REASON))
    hands.flag(FAULT)
    expect(page.locator("details.flag summary")).to_contain_text("Flagged")
    for answers in way.items[5:]:
        rate(page, hands, answers)
    heading(page, "No items are left for you")
    expect(page.get_by_text("You have rated 9 items.")).to_be_visible()
    expect(page.locator("#completion-code")).to_have_text("C0DE-42")
    ratings = tomahto.ratings(slug)
    assert [r["answers"] for r in ratings if not r["is_revision"]] == way.items
    assert [r["answers"] for r in ratings if r["is_revision"]] == [way.revision]
    assert len({r["item"] for r in ratings}) == 9
    assert stored(tomahto, slug) == {
        "skipped": [REASON],
        "flagged": [FAULT],
        "attempts": [False, True],
    }
