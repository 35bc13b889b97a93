"""The form of a first look or a decision, as a browser without JavaScript gets it."""

import re
from typing import Any

from django.test import Client


def page(browser: Client, path: str) -> str:
    response = browser.get(path)
    assert response.status_code == 200
    return response.content.decode()


def key_of(html: str) -> str:
    match = re.search(r'name="idempotency_key" value="([^"]+)"', html)
    assert match
    return match[1]


def post(browser: Client, path: str, **fields: str) -> Any:
    """Send the form on the page with these answers."""
    form = {"idempotency_key": key_of(page(browser, path)), "guideline_version": "1"}
    return browser.post(path, {**form, "action": "submit", **fields})
