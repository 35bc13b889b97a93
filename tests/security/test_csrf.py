"""Nothing is changed by a request that another site made a browser send."""

from collections.abc import Sequence

import pytest
from django.test import Client
from pytest_django import Settings

from tests.security.addresses import every
from tests.security.conftest import signed_in
from tests.security.filled import Filled

pytestmark = pytest.mark.slow


UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
# They write nothing, whatever the method; or what the signed token of their address is for.
HARMLESS = {"healthz", "readyz", "metrics", "inbox-stop-mails"}


def refusals(
    client: Client, filled: Filled, methods: Sequence[str] = UNSAFE, **headers: str
) -> dict[tuple[str, str], int]:
    """Answers that are not refused with 403 (or with 405 and 404, as there is no such method or
    page)."""
    return {
        (method, name): status
        for name, address in every(filled.parts)
        if name not in HARMLESS
        for method in methods
        for status in [client.generic(method, address, headers=headers).status_code]
        if status != 403
    }


def test_every_unsafe_request_of_a_session_without_a_token_is_refused(filled: Filled) -> None:
    client = signed_in(filled.usernames["admin"], checks_csrf=True)
    assert refusals(client, filled) == {}


def test_requests_get_through_without_the_guard(filled: Filled, settings: Settings) -> None:
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "Csrf" not in each]
    client = signed_in(filled.usernames["admin"], checks_csrf=True)
    through = {name for _method, name in refusals(client, filled, ["POST"])}
    assert {"settings", "member", "rate", "account"} <= through
    # the API's own check of sessions stays
    assert not {name for name in through if name.startswith("api-")}
