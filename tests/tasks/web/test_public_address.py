"""Links for people elsewhere lead to the site, whatever host a request names."""

import pytest
from django.test import RequestFactory
from django.urls import set_script_prefix
from pytest_django import Settings

from tasks.web.outgoing import public_address

SITE = "https://example.org:8443/tomahto"


@pytest.mark.parametrize(
    ("site", "prefix", "expected"),
    [
        ("", "/", "http://testserver/join/x/"),
        (SITE, "/", f"{SITE}/join/x/"),
        (SITE, "/tomahto/", f"{SITE}/join/x/"),
    ],
)
def test_address_is_that_of_the_setting_and_else_of_the_request(
    settings: Settings, site: str, prefix: str, expected: str
) -> None:
    settings.SITE_URL = site
    request = RequestFactory().get("/")
    set_script_prefix(prefix)
    try:
        assert public_address(f"{prefix}join/x/", request) == expected
        assert public_address(f"{prefix}join/x/") == (expected if site else "/join/x/")
    finally:
        set_script_prefix("/")
