"""A real site and a real Chromium. Nothing is replaced, nothing is mocked."""

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.site import Site, running_site

CHROMIUM = os.environ.get("TOMAHTO_TEST_CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
AXE = Path(__file__).parent / "vendor" / "axe" / "axe.min.js"
WIDE = {"width": 1280, "height": 860}
NARROW = {"width": 360, "height": 740}


@dataclass(frozen=True)
class Person:
    username: str
    password: str


OpenPage = Callable[..., Page]

# What comes is waited for; a busy machine may take its time.
PATIENCE = 30_000  # milliseconds
expect.set_options(timeout=PATIENCE)


class Tomahto:
    """The site under test, with the few things a journey needs from its command line."""

    def __init__(self, site: Site) -> None:
        self.site, self.address = site, site.address

    def campaign(
        self, slug: str, *, items: list[dict[str, Any]], rater: str, protocol: str = "ae"
    ) -> Person:
        """A campaign with these items, two ratings wanted for each, and a rater in it."""
        path = self.site.folder / f"{slug}.jsonl"
        path.write_text("".join(json.dumps(item) + "\n" for item in items))
        # one process for all three: a process costs more than what it does
        printed = self.site.python(
            "from django.core.management import call_command\n"
            f"call_command('create_campaign', {slug!r}, protocol={protocol!r}, overlap=2)\n"
            f"call_command('import_items', {slug!r}, {str(path)!r})\n"
            f"call_command('create_member', {rater!r}, campaign={slug!r}, role='rater', json=True)"
        )
        return Person(rater, json.loads(printed.splitlines()[-1])["password"])

    def person(self, username: str, slug: str, role: str = "rater") -> Person:
        printed = self.site.manage(
            "create_member", username, "--campaign", slug, "--role", role, "--json"
        )
        return Person(username, json.loads(printed)["password"])

    def ratings(self, slug: str) -> list[dict[str, Any]]:
        """Every rating of a campaign in the order of storing, read from the database."""
        code = (
            "import json\nfrom tasks.models import Rating\n"
            f"found = Rating.objects.filter(item__campaign__slug={slug!r}).order_by('id')\n"
            "print(json.dumps([dict(answers=r.outcome.answers, comment=r.comment,"
            " rater=r.rater.name, item=r.item.key, seconds=r.seconds,"
            " is_revision=r.supersedes_id is not None) for r in found]))"
        )
        found: list[dict[str, Any]] = json.loads(self.site.python(code))
        return found


@pytest.fixture(scope="session")
def tomahto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tomahto]:
    with running_site(tmp_path_factory.mktemp("site")) as site:
        yield Tomahto(site)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One browser for a row of journeys.

    It ends with them, because Playwright keeps an event loop running in this thread as long as it
    lives, and Django refuses to touch a database beside one: any other test would fail.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser, tomahto: Tomahto) -> Iterator[OpenPage]:
    """Pages in contexts of their own, signed in; a fault in a page's script fails the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_(person: Person | None = None, path: str = "/", **options: Any) -> Page:
        context = chromium.new_context(base_url=tomahto.address, **{"viewport": WIDE, **options})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "console",
            lambda message: (
                faults.append(message.text) if "Content Security Policy" in message.text else None
            ),
        )
        page.goto(path)
        if person is not None:
            sign_in(page, person)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert faults == []


def sign_in(page: Page, person: Person) -> None:
    page.get_by_label(re.compile("Username|Benutzername")).fill(person.username)
    page.get_by_label(re.compile("Password|Passwort")).fill(person.password)
    # a click returns while the next page is on its way: a key pressed then would be lost
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile("Log in|Anmelden")).click()


def sideways(page: Page) -> int:
    """The distance that the page can be scrolled sideways, in pixels."""
    script = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(page.evaluate(script))


def item(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "id": f"item-{number}",
        "document": f"document-{number}",
        "question": f"Where does river {number} rise?",
        "context": f"River {number} rises in the northern hills, far from the sea.",
        "references": ["in the northern hills"],
        "candidate": "far from the sea",
        **changes,
    }


EVERY_RULE = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


def violations(page: Page) -> list[str]:
    """The findings of axe-core, with the elements; of any impact."""
    # as the page's own script would be blocked by its policy, the browser runs this one
    page.evaluate(AXE.read_text(encoding="utf-8"))
    result: dict[str, Any] = page.evaluate(
        "values => axe.run(document,"
        " {runOnly: {type: 'tag', values}, resultTypes: ['violations']})",
        EVERY_RULE,
    )
    return [
        f"{page.url} {found['id']}: {[node['html'] for node in found['nodes']]}"
        for found in result["violations"]
    ]
