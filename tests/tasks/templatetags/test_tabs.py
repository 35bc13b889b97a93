"""The rows of tabs: which there are, who sees them, and which one a page stands under."""

import re

import pytest
from django.test import Client

from tasks.models import Membership
from tasks.web.addresses import tab_over, tabs
from tests.factories import make_member
from tests.tasks.browsers import signed_in
from tests.tasks.whole.routes import ROWS

RATER = ["Rate", "My ratings", "Guidelines"]
RESEARCHER = ["Overview", *RATER, "Data", "Agreement", "Adjudicate", "Lab", "Releases"]
ADMIN = [*RESEARCHER, "Flags", "Import", "Jobs", "People", "Settings"]
DASHBOARDS = [
    *("Agreement", "Labels", "Progress", "Over time", "Systems", "Raters", "Classes"),
    *("Suggestion", "How many more?", "Alerts"),
]


def rows_of(html: str) -> list[list[str]]:
    """The titles of every row of tabs, an asterisk before that of the page that is shown."""
    return [
        [
            ("*" if "aria-current" in attributes else "") + title.strip()
            for attributes, title in re.findall(r"<a ([^>]*)>([^<]*)", row)
        ]
        for row in re.findall(r'<nav class="tabs.*?</nav>', html, re.DOTALL)
    ]


def marked(titles: list[str], title: str) -> list[str]:
    return [f"*{each}" if each == title else each for each in titles]


@pytest.mark.parametrize(
    ("role", "titles"), [("rater", RATER), ("researcher", RESEARCHER), ("admin", ADMIN)]
)
def test_members_see_the_tabs_of_their_role_and_may_open_them(
    role: str, titles: list[str], rater: Membership
) -> None:
    browser = signed_in(make_member(rater.campaign, role))
    shown = browser.get("/c/rivers/guidelines/").content.decode()
    assert rows_of(shown) == [marked(titles, "Guidelines")]
    of_role = [page.name for tab, page in tabs() if role in tab.roles]
    assert [name for name in of_role if not ROWS[name].admits(role, "GET")] == []


def test_a_dashboard_is_marked_in_both_rows(researcher: Membership) -> None:
    html = signed_in(researcher).get("/c/rivers/agreement/time/").content.decode()
    assert rows_of(html) == [marked(RESEARCHER, "Agreement"), marked(DASHBOARDS, "Over time")]


def test_a_form_that_comes_back_with_errors_keeps_its_tab(admin: Membership) -> None:
    browser: Client = signed_in(admin)
    refused = browser.post("/c/rivers/agreement/alerts/rules/", {"threshold": "2"})
    assert refused.status_code == 422
    assert rows_of(refused.content.decode()) == [
        marked(ADMIN, "Agreement"),
        marked(DASHBOARDS, "Alerts"),
    ]


@pytest.mark.parametrize(
    ("name", "over"),
    [
        ("agreement", "agreement"),
        ("class-pair", "classes"),
        ("item-votes", "items"),
        ("consent", "rate"),
        ("calibration-item", "rate"),
        ("generated", "jobs"),
        ("matchers", "jobs"),
        ("member", "members"),
        ("invite", "members"),
        ("webhook", "settings"),
        ("release-leaderboard", "releases"),
        ("adjudicate-decided", "adjudicate"),
        ("evaluation", "lab"),
    ],
)
def test_a_page_without_a_tab_stands_under_another(name: str, over: str) -> None:
    assert tab_over(name)[1].name == over
