"""A client that speaks the API as a member."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tasks.models import ApiToken, Membership


class ApiClient:
    """Calls the API with a member's token."""

    def __init__(self, membership: Membership | None) -> None:
        headers = {}
        if membership is not None and membership.user is not None:
            headers = {"Authorization": f"Token {ApiToken.issue(membership.user)}"}
        self.client = Client(headers=headers, raise_request_exception=False)

    def claim(self, slug: str) -> Any:
        return self.client.post(f"/api/v1/campaigns/{slug}/claim")

    def rate(self, assignment: int, body: object, key: str = "key-1") -> Any:
        return self.client.post(
            f"/api/v1/assignments/{assignment}/rating",
            body,
            content_type="application/json",
            headers={"Idempotency-Key": key} if key else {},
        )

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(f"/api/v1/campaigns/{path}", headers=headers)

    def send(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        return self.client.generic(
            method,
            f"/api/v1/campaigns/{path}",
            json.dumps(body),
            "application/json",
            headers=headers,
        )


AsMember = Callable[[Membership | None], ApiClient]


@pytest.fixture
def as_member() -> AsMember:
    return ApiClient
