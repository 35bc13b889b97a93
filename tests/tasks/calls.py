"""Calls of the API with any method and body."""

import json
from typing import Any

from tests.tasks.api_client import ApiClient


def call(member: ApiClient, method: str, path: str, body: object = None) -> Any:
    """The response to a call under /api/v1/ with a JSON body, if there is one."""
    content = "" if body is None else json.dumps(body)
    return member.client.generic(
        method, f"/api/v1/{path}", content, content_type="application/json"
    )


def answer(member: ApiClient, method: str, path: str, body: object = None) -> tuple[int, Any]:
    """Status and body, None for an empty one."""
    response = call(member, method, path, body)
    return response.status_code, response.json() if response.content else None
