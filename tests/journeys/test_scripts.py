"""40 payloads in every text field, every page in a real browser: nothing of them comes alive."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Error, Page, Request

from tests.sampling import IS_LONG
from tests.security.addresses import every
from tests.security.payloads import PAYLOADS
from tests.site import Site, running_site

pytestmark = pytest.mark.browser

# Each field of which there is one in a campaign gets another payload in each turn.
TURNS = range(0, 40, 5) if IS_LONG else range(1)
_ALARM = "addEventListener('securitypolicyviolation', e => pwned(`${e.effectiveDirective} broken`))"
# Texts that a reader sees, with a mark that makes them read otherwise than they are. What is
# written into fields stays as it is; their names and the choices in them do not.
_TURNED = r"""
() => {
  const seen = [], marks = /[\u202a-\u202e\u2066-\u2069]/;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (marks.test(walker.currentNode.data) && !parent.closest("script, textarea, template"))
      seen.push(`${parent.outerHTML.slice(0, 200)}`);
  }
  return seen;
}
"""
_OPERATORS = ("_changelist", "_change")  # the same templates for every table
_FILL = """
import json
from django.contrib.auth import login
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from pathlib import Path
from tasks.models import User
from tests.security.filled import fill, score
from tests.security.payloads import PAYLOADS

filled = fill(Path({folder!r}), [*PAYLOADS[{turn}:], *PAYLOADS[:{turn}]])
score()
User.objects.filter(username=filled.usernames["admin"]).update(is_staff=True, is_superuser=True)
sessions = {{}}
for role, username in filled.usernames.items():
    request = HttpRequest()
    request.session = SessionStore()
    user = User.objects.get(username=username)
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    request.session.save()
    sessions[role] = request.session.session_key
print(json.dumps([sessions, filled.parts]))
"""


@dataclass
class Watch:
    """A browser's context in which whatever comes alive is written down, with its page."""

    context: BrowserContext
    seen: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.context.expose_function("pwned", lambda *said: self._note(f"ran {said}"))
        self.context.add_init_script(_ALARM)
        self.context.on("request", self._look_at)
        self.page = self.context.new_page()
        self.page.on("dialog", self._dismiss)

    def _dismiss(self, dialog: Dialog) -> None:
        self._note("dialog")
        dialog.dismiss()

    def _look_at(self, request: Request) -> None:
        if "pwned" in urlsplit(request.url).path:
            self._note(f"asked for {urlsplit(request.url).path}")

    def _note(self, what: str) -> None:
        self.seen.append((urlsplit(self.page.url).path, what))


@pytest.fixture
def watch(chromium: Browser) -> Iterator[Any]:
    opened: list[BrowserContext] = []

    def open_(**options: Any) -> Watch:
        opened.append(chromium.new_context(**options))
        return Watch(opened[-1])

    yield open_
    for context in opened:
        context.close()


@dataclass
class Hostile:
    site: Site
    sessions: dict[str, str]
    parts: dict[str, str]


@pytest.fixture(scope="module", params=TURNS)
def hostile(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Hostile]:
    with running_site(tmp_path_factory.mktemp("hostile")) as site:
        code = _FILL.format(folder=str(site.folder / "releases"), turn=request.param)
        yield Hostile(site, *json.loads(site.python(code)))


@pytest.mark.parametrize(("role", "least"), [("admin", 50), ("researcher", 40), ("rater", 10)])
def test_no_payload_comes_alive_on_any_page(
    hostile: Hostile, watch: Any, role: str, least: int
) -> None:
    watched, session = watch(base_url=hostile.site.address), hostile.sessions[role]
    cookie = {"name": "sessionid", "value": session, "url": hostile.site.address}
    watched.context.add_cookies([cookie])
    opened, turned = 0, []
    for address in pages(hostile.site, session, hostile.parts):
        watched.page.goto(address)
        opened += 1
        turned += [(address, where) for where in watched.page.evaluate(_TURNED)]
    assert watched.seen == []
    assert turned == []
    assert opened >= least


def pages(site: Site, session: str, parts: dict[str, str]) -> Iterator[str]:
    """Every address at which somebody finds a page; in the long form those of operators too."""
    for name, address in every(parts):
        is_twin = name.startswith("admin:") and not (IS_LONG and name.endswith(_OPERATORS))
        if not is_twin and not name.startswith("api-") and is_page(site, session, address):
            yield address


def is_page(site: Site, session: str, address: str) -> bool:
    request = urllib.request.Request(  # noqa: S310 - our own server
        site.address + address, headers={"Cookie": f"sessionid={session}"}
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310 - our own
            is_file = "attachment" in response.headers.get("Content-Disposition", "")
            return response.headers.get_content_type() == "text/html" and not is_file
    except urllib.error.HTTPError as error:
        with error:
            return False


def test_payloads_come_alive_where_nothing_guards_a_page(watch: Any) -> None:
    """In the text and in an attribute of a page; some are for Markdown alone."""
    watched = watch(bypass_csp=True)
    assert count_alive(watched, {}) >= 25


def test_policy_alone_stops_payloads_and_tells(watch: Any) -> None:
    watched = watch()
    policy = "default-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'"
    assert count_alive(watched, {"Content-Security-Policy": policy}) >= 20
    assert not [what for _page, what in watched.seen if what == "ran (1,)"]


def count_alive(watched: Watch, headers: dict[str, str]) -> int:
    """The number of payloads that are noticed in a page that takes them as they are."""
    page: Page = watched.page
    page.route("**/pwned*", lambda route: route.fulfill(body=""))
    for number, payload in enumerate(PAYLOADS):
        html = f'<title>{payload}</title><p>{payload}</p><input value="{payload}">'
        answer = {"body": html, "content_type": "text/html", "headers": headers}
        page.route(f"**/{number}", partial(_fulfil, answer=answer))
        go_to(page, f"http://localhost/{number}")
        for _wait in range(10):  # what is noticed late would be taken for the next one's
            if f"/{number}" not in {path for path, _what in watched.seen}:
                page.wait_for_timeout(50)
    return len({page for page, _what in watched.seen})


def go_to(page: Page, address: str) -> None:
    """Open it, even if the page before is just being led elsewhere by its payload."""
    while True:
        try:
            page.goto(address)
        except Error as error:
            if "interrupted by another navigation" not in error.message:
                raise
        else:
            return


def _fulfil(route: Any, *, answer: dict[str, Any]) -> None:
    route.fulfill(**answer)
