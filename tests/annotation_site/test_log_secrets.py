"""Secrets in addresses are not logged."""

import logging

import pytest

from annotation_site.request_log import HideSecrets


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/join/kJh7_-sd89sdf/", "Gone: /join/…/"),
        ("/crowd/kJh7_-sd89sdf/?participant=p1", "Gone: /crowd/…/?participant=p1"),
        ("/password/reset/MQ/c8k-0123456789ab/", "Gone: /password/reset/MQ/…/"),
        ("/c/rivers/join/", "Gone: /c/rivers/join/"),
    ],
)
def test_secret_part_of_an_address_is_hidden(path: str, logged: str) -> None:
    record = logging.LogRecord("x", logging.WARNING, "x", 1, "%s: %s", ("Gone", path), None)
    assert HideSecrets().filter(record) is True
    assert record.getMessage() == logged
