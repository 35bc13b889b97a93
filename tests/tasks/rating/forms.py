"""The rating form, as a browser without JavaScript gets it."""

import re
from typing import Any

from django.test import Client


def value_of(html: str, name: str) -> str:
    match = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert match, f"no field {name}"
    return match[1]


def fields_of(response: Any) -> dict[str, str]:
    """The hidden fields of the rating form."""
    html = response.content.decode()
    names = ("idempotency_key", "guideline_version", "wording", "seconds", "asked")
    return {name: value_of(html, name) for name in names}


def open_item(client: Client, slug: str = "rivers") -> tuple[str, dict[str, str]]:
    """The address of the rater's current form and its hidden fields."""
    response = client.get(f"/c/{slug}/rate/")
    match = re.search(rf'action="(/c/{slug}/rate/\d+/)"', response.content.decode())
    assert match
    return match[1], fields_of(response)


def assignment_in(html: str) -> str:
    """The assignment of the item on a page or in a fragment."""
    match = re.search(r'data-assignment="(\d+)"', html)
    assert match
    return match[1]
