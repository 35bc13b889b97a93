"""The kinds of answer that a program may wish for."""

import pytest
from django.test import Client


@pytest.mark.parametrize(
    ("wish", "query", "status"),
    [
        (None, "", 401),
        ("*/*", "", 401),
        ("application/json", "", 401),
        ("text/html, */*;q=0.1", "", 401),
        ("text/html", "", 406),
        ("*/*", "?format=json", 401),
        ("*/*", "?format=xml", 404),
    ],
)
def test_json_is_given_to_whoever_takes_it(
    db: None, wish: str | None, query: str, status: int
) -> None:
    headers = {} if wish is None else {"Accept": wish}
    answer = Client(headers=headers).get(f"/api/v1/campaigns{query}")
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/json")
