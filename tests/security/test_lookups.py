"""Nobody asks the database questions of their own through an address.

Other tools passed filters on to the ORM, and so gave password hashes away, letter by letter.
"""

import re

import pytest
from django.test import Client

from tests.factories import make_user
from tests.security.addresses import every
from tests.security.conftest import content_of, signed_in
from tests.security.filled import Filled

pytestmark = pytest.mark.slow


QUERY = {
    "user__password__startswith": "md5",
    "rater__user__password__regex": "^m",
    "campaign__memberships__user__password__contains": "a",
    "password__startswith": "md5",
    "id__in": "1,2",
    "pk__gt": "0",
    "user__is_superuser": "1",
    "ordering": "-user__password",
    "order_by": "user__password",
    "o": "user__password",
    "sort": "user__password",
    "fields": "user__password",
    "include": "user.password",
    "expand": "user",
    "filter": "user__password__startswith=md5",
    "q__startswith": "a",
    "search__password": "a",
}
# What differs from one answer to the next: tokens, and what the answer repeats of its address.
_CHANGING = [
    rb'name="csrfmiddlewaretoken" value="[^"]*"',
    rb"[?&;](?:amp;)?[\w.%]+=[^&\"' <>]*",
    rb'"idempotency_key": ?"[^"]*"|name="idempotency_key" value="[^"]*"',
    rb'<p class="note [^>]*>[^<]*</p>',  # said once, on the next page
    rb"<code>[0-9a-f]{32}</code>",  # the request's own number
    rb"\d+ (?:s|min|h)\b",  # how long ago
]


def answer(client: Client, address: str, query: dict[str, str] | None = None) -> tuple[int, bytes]:
    response = client.get(address, query)
    body = content_of(response)
    for changing in _CHANGING:
        body = re.sub(changing, b"", body)
    return response.status_code, body


@pytest.mark.thorough
def test_no_address_takes_a_lookup_of_the_database(filled: Filled) -> None:
    """The API says that there is no such parameter (400), or answers as without it, as pages do."""
    client = signed_in(filled.usernames["admin"])
    followed = []
    for name, address in every(filled.parts):
        if name.startswith("admin:"):
            continue
        plain, asked = answer(client, address), answer(client, address, QUERY)
        if asked != plain and not (asked[0] == 400 and address.startswith("/api/")):
            followed.append((name, plain[0], asked[0]))
    assert followed == []


def test_operators_cannot_ask_for_password_hashes(filled: Filled) -> None:
    make_user("operator", is_staff=True, is_superuser=True)
    client = signed_in("operator")
    refused = {
        (name, lookup): status
        for name, address in every(filled.parts)
        if name.startswith("admin:tasks_") and name.endswith("_changelist")
        for lookup in ("password__startswith", "user__password__startswith",
                       "rater__user__password__regex", "created_by__password__gt")
        for response in [client.get(address, {lookup: "m"})]
        for status in [(response.status_code, response.headers.get("Location", ""))]
        if status[0] == 200
    }  # fmt: skip
    assert refused == {}
