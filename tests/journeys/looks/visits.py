"""A site on which every page has something to show, and browsers signed in as its people."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Response

from tests.journeys.looks.addresses import NOBODY, Example
from tests.site import Site, running_site

_FILL = """
import json
from pathlib import Path
from tests.journeys.looks.filling import fill
print(json.dumps(fill(Path({folder!r}))))
"""
_CANVAS_TEXTS = Path(__file__).parent / "canvas_texts.js"
_SEND = """([action, fields]) => {
  const form = Object.assign(document.createElement("form"), { action, method: "post" });
  fields.csrfmiddlewaretoken = document.querySelector("[name=csrfmiddlewaretoken]").value;
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement("input"), { name, value, type: "hidden" }));
  }
  document.body.append(form);
  form.submit();
}"""
PATIENCE = 60_000  # milliseconds


@dataclass(frozen=True)
class Filled:
    """`ids` are what addresses have in braces, `sessions` the cookies by usernames."""

    site: Site
    ids: dict[str, str]
    sessions: dict[str, str]

    def messages(self, templates: list[str]) -> dict[str, str]:
        """What takes the place of a page when something is wrong, as the site would send it."""
        printed = self.site.python(
            "import json\nfrom django.template.loader import render_to_string\n"
            f"print(json.dumps({{name: render_to_string(name) for name in {templates!r}}}))"
        )
        found: dict[str, str] = json.loads(printed)
        return found


@contextmanager
def filled_site(folder: Path) -> Iterator[Filled]:
    mails = folder / "mails"
    mail = {"TOMAHTO_EMAIL_URL": f"file://{mails}", "TOMAHTO_EMAIL_FROM": "site@example.org"}
    with running_site(folder, environment=mail, start=False) as site:
        printed = site.python(_FILL.format(folder=str(folder / "releases")))
        site.start_web()
        yield Filled(site, **json.loads(printed.splitlines()[-1]))


class Visitors:
    """A window for each person, with the options of a browser's context, until they leave."""

    def __init__(self, browser: Browser, filled: Filled, **options: Any) -> None:
        self._browser, self._filled, self._options = browser, filled, options
        self._windows: dict[str, Page] = {}
        self.faults: list[str] = []

    def visit(self, example: Example) -> Page:
        """The example before whom it is for. Raises AssertionError if something else is there."""
        window = self.window(example.who)
        path = example.path.format(**self._filled.ids)
        answer = self._send(window, example) if example.sent_from else window.goto(path)
        assert answer is not None
        assert answer.status not in (404, 500), f"{example.name}: {answer.status} at {path}"
        assert urlsplit(window.url).path == (example.leads_to or urlsplit(path).path), example.name
        return window

    def _send(self, window: Page, example: Example) -> Response | None:
        ids = self._filled.ids
        window.goto(example.sent_from.format(**ids))
        fields = {name: value.format(**ids) for name, value in example.fields.items()}
        with window.expect_navigation() as sent:
            window.evaluate(_SEND, [example.path.format(**ids), fields])
        return sent.value

    def window(self, who: str) -> Page:
        if who not in self._windows:
            self._windows[who] = self._new_window(who)
        return self._windows[who]

    def leave(self) -> None:
        for window in self._windows.values():
            window.context.close()

    def _new_window(self, who: str) -> Page:
        address = self._filled.site.address
        context = self._browser.new_context(base_url=address, **self._options)
        context.set_default_timeout(PATIENCE)
        if who != NOBODY:
            _sign_in(context, address, self._filled.sessions[who])
        context.add_init_script(path=_CANVAS_TEXTS)
        window = context.new_page()
        window.on("pageerror", lambda error: self.faults.append(f"{window.url}: {error}"))
        return window


def _sign_in(context: BrowserContext, address: str, session: str) -> None:
    context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
