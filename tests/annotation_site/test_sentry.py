"""Sentry is told nothing about people, and is not needed where nobody asks for it."""

import sys
from types import ModuleType
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from annotation_site.sentry import report_to_sentry

DSN = "https://key@sentry.example.org/1"


class BadDsn(ValueError):
    """As the library names it."""


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The arguments of a stand-in for the library."""
    given: dict[str, Any] = {}

    def init(**options: Any) -> None:
        if not options["dsn"].startswith("https://"):
            raise BadDsn("unsupported scheme")
        given.update(options)

    library, parts = ModuleType("sentry_sdk"), ModuleType("sentry_sdk.utils")
    vars(library).update(init=init, utils=parts)
    vars(parts).update(BadDsn=BadDsn)
    monkeypatch.setitem(sys.modules, "sentry_sdk", library)
    monkeypatch.setitem(sys.modules, "sentry_sdk.utils", parts)
    return given


def test_nothing_about_people_is_reported(given: dict[str, Any]) -> None:
    report_to_sentry(DSN, "1.2.3")
    assert given == {
        "dsn": DSN,
        "release": "tomahto@1.2.3",
        "send_default_pii": False,
        "max_request_body_size": "never",
        "include_local_variables": False,
        "traces_sample_rate": 0.0,
    }


def test_wrong_address_is_named(given: dict[str, Any]) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"TOMAHTO_SENTRY_DSN cannot be used: unsup"):
        report_to_sentry("nowhere", "1.2.3")


def test_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(ImproperlyConfigured, match="sentry-sdk is not installed"):
        report_to_sentry(DSN, "1.2.3")
