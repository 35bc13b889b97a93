"""Headers by which every answer tells the browser to refuse: pages, API, files, and errors."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from tests.security.addresses import every
from tests.security.conftest import content_of, signed_in
from tests.security.filled import Filled

pytestmark = pytest.mark.slow


STRICT = {"object-src": "'none'", "base-uri": "'none'", "frame-ancestors": "'none'"}


def faults(response: Any) -> Iterator[str]:
    """The faults in the headers of one answer."""
    found = directives(response.headers.get("Content-Security-Policy", ""))
    for name, wanted in STRICT.items():
        if found.get(name) != wanted:
            yield f"{name} {found.get(name)}"
    for name in ("default-src", "script-src", "style-src", "form-action"):
        allowed = found.get(name, "")
        is_narrow = "'self'" in allowed or allowed == "'none'"
        if not is_narrow or "'unsafe" in allowed or "*" in allowed:
            yield f"{name} {allowed}"
    for name, wanted in {
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
    }.items():
        if response.headers.get(name) != wanted:
            yield f"{name} {response.headers.get(name)}"
    if not is_kept_by_nobody(response):
        yield f"Cache-Control {response.headers.get('Cache-Control')}"


def directives(policy: str) -> dict[str, str]:
    parts = (part.strip().partition(" ") for part in policy.split(";"))
    return {name: value for name, _space, value in parts if name}


def is_kept_by_nobody(response: Any) -> bool:
    """Whether no cache may answer with it instead of the site."""
    control = response.headers.get("Cache-Control", "")
    return "no-store" in control and "private" in control


def test_every_address_answers_with_strict_headers(filled: Filled) -> None:
    client = signed_in(filled.usernames["admin"])
    wrong = {}
    for name, address in every(filled.parts):
        response = client.get(address)
        content_of(response)  # to its end, so that nothing stays open
        if found := list(faults(response)):
            wrong[name, address] = found
    assert wrong == {}


def test_every_error_answers_with_strict_headers(filled: Filled, settings: Settings) -> None:
    admin = signed_in(filled.usernames["admin"])
    checked = signed_in(filled.usernames["admin"], checks_csrf=True)
    gone = "/api/v1/campaigns/rivers/releases/2.0.1/files/README.md"
    large = SimpleUploadedFile("large.jsonl", b"x" * 2_000_000)
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    answers = [
        ("host", 400, Client(raise_request_exception=False).get("/", headers={"host": "x"})),
        ("too many bytes", 400, admin.post("/c/rivers/settings/", {"title": "x" * 2_000})),
        ("not signed in", 302, Client().get("/c/rivers/")),
        ("API, not signed in", 401, Client().get("/api/v1/campaigns/rivers/agreement")),
        ("other role", 403, signed_in(filled.usernames["rater"]).get("/c/rivers/settings/")),
        ("CSRF", 403, checked.post("/c/rivers/settings/")),
        ("not there", 404, admin.get("/c/nowhere/")),
        ("no address", 404, admin.get("/no/such/address")),
        ("API, not there", 404, admin.get("/api/v1/campaigns/nowhere/agreement")),
        ("method", 405, admin.delete("/c/rivers/")),
        ("withdrawn", 410, admin.get(gone)),
        ("form", 422, admin.post("/c/rivers/settings/", {"section": "general"})),
        ("file", 422, admin.post("/c/rivers/import/", {"kind": "items", "items-file": large})),
    ]
    assert [(name, answer.status_code) for name, _, answer in answers] == [
        (name, wanted) for name, wanted, _ in answers
    ]
    wrong = {name: found for name, _, answer in answers if (found := list(faults(answer)))}
    assert wrong == {}
