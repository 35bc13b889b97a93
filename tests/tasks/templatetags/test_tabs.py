"""The side bar and the rows of tabs: which there are, who sees them, where a page stands."""

import re

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from tasks.models import Alert, AlertKind, Membership
from tasks.web.addresses import tab_over, tabs
from tests.factories import make_member
from tests.tasks.browsers import signed_in

RATER = [["Rate", "My ratings", "Guidelines"]]
RESULTS = ["Results", "Data", "Agreement", "Lab", "Releases"]
RESEARCHER = [
    ["Overview"],
    ["Set up", "Guidelines"],
    ["Work", "Rate", "My ratings", "Adjudicate"],
    RESULTS,
]
ADMIN = [
    ["Overview"],
    ["Set up", "Import", "People", "Guidelines", "Settings", "Jobs"],
    ["Work", "Rate", "My ratings", "Adjudicate", "Flags"],
    RESULTS,
]
DASHBOARDS = [
    *("Agreement", "Labels", "Progress", "Over time", "Systems", "Raters", "Classes"),
    *("Suggestion", "How many more?", "Alerts"),
]


def side_bar_of(html: str) -> list[list[str]]:
    """Its groups: the title if there is one, then those of the entries; an asterisk before that of
    the page that is shown."""
    bar = re.search(r'<div id="side-bar".*?</nav>', html, re.DOTALL)
    assert bar is not None
    groups = re.findall(r"(?:<p[^>]*>([^<]*)</p>)?<ul[^>]*>(.*?)</ul>", bar[0], re.DOTALL)
    return [[*filter(None, [title.strip()]), *titles_in(entries)] for title, entries in groups]


def rows_of(html: str) -> list[list[str]]:
    """The titles of every row of tabs within the page, marked in the same way."""
    return [titles_in(row) for row in re.findall(r'<nav class="tabs.*?</nav>', html, re.DOTALL)]


def titles_in(html: str) -> list[str]:
    return [
        ("*" if "aria-current" in attributes else "") + title.strip()
        for attributes, title in re.findall(r"<a ([^>]*)>([^<]*)", html)
    ]


def marked(titles: list[str], title: str) -> list[str]:
    return [f"*{each}" if each == title else each for each in titles]


def all_marked(groups: list[list[str]], title: str) -> list[list[str]]:
    return [marked(group, title) for group in groups]


@pytest.mark.parametrize(
    ("role", "titles"), [("rater", RATER), ("researcher", RESEARCHER), ("admin", ADMIN)]
)
def test_members_see_the_pages_of_their_role_by_groups_and_may_open_them(
    role: str, titles: list[list[str]], rater: Membership
) -> None:
    browser = signed_in(make_member(rater.campaign, role))
    shown = browser.get("/c/rivers/guidelines/").content.decode()
    assert side_bar_of(shown) == all_marked(titles, "Guidelines")
    assert rows_of(shown) == []
    of_role = [page for tab, page in tabs() if role in tab.roles]
    answers = [browser.get(reverse(page.name, args=["rivers"])).status_code for page in of_role]
    assert answers == [200] * len(of_role)


def test_a_dashboard_is_marked_in_both_rows(researcher: Membership) -> None:
    html = signed_in(researcher).get("/c/rivers/agreement/time/").content.decode()
    assert side_bar_of(html) == all_marked(RESEARCHER, "Agreement")
    assert rows_of(html) == [marked(DASHBOARDS, "Over time")]


def test_a_form_that_comes_back_with_errors_keeps_its_tab(admin: Membership) -> None:
    browser: Client = signed_in(admin)
    refused = browser.post("/c/rivers/agreement/alerts/rules/", {"threshold": "2"})
    assert refused.status_code == 422
    assert side_bar_of(refused.content.decode()) == all_marked(ADMIN, "Agreement")
    assert rows_of(refused.content.decode()) == [marked(DASHBOARDS, "Alerts")]


def test_what_waits_under_an_entry_is_counted_with_it(admin: Membership) -> None:
    Alert.objects.create(campaign=admin.campaign, kind=AlertKind.ALPHA, occasion="look 1")
    html = signed_in(admin).get("/c/rivers/guidelines/").content.decode()
    assert re.search(r'Agreement ?<span class="badge">1 <span class="unseen">open', html)


@pytest.mark.parametrize(
    ("name", "over"),
    [
        ("agreement", "agreement"),
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
    assert get_resolver().url_patterns  # pages are known once addresses are read
    assert tab_over(name)[1].name == over
