"""The options of an endpoint."""

from typing import Any

import pytest

from tomahto.endpoint.options import EndpointOptions
from tomahto.options import OptionError, options_from

LEAST = {"url": "https://api.example.org/v1/", "model": "finch-7b"}


def test_an_endpoint_needs_an_address_and_a_model_only() -> None:
    found = options_from(EndpointOptions, LEAST)
    assert found == EndpointOptions(
        url="https://api.example.org/v1/",
        model="finch-7b",
        key_variable=None,
        requests_per_minute=60,
        timeout_seconds=120.0,
        retries=4,
        temperature=0.0,
        max_tokens=256,
    )
    assert found.completions_url == "https://api.example.org/v1/chat/completions"


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("url", "ftp://a.example", "ftp: only http and https"),
        ("url", "file:///etc/passwd", "file: only"),
        ("url", "https://me:secret@a.example", "must not contain a user"),
        ("url", "https://a.example/v1?key=1", "takes no query"),
        ("url", "https://a.example/v1/chat/completions", "before /chat/completions"),
        ("model", "", "is empty"),
        ("model", "x" * 201, "more than 200 characters"),
        ("key_variable", "TOMAHTO_SECRET_KEY", "ends in _API_KEY"),
        ("key_variable", "DATABASE_URL", "ends in _API_KEY"),
        ("key_variable", "openai_API_KEY", "in capitals"),
        ("key_variable", "sk-0123", "ends in _API_KEY"),
        ("requests_per_minute", 0, "at least 1, not 0"),
        ("requests_per_minute", 100_001, "at most 100000"),
        ("requests_per_minute", 1.5, "not a whole number"),
        ("timeout_seconds", 0.5, "at least 1"),
        ("timeout_seconds", float("inf"), "not a number"),
        ("retries", -1, "at least 0"),
        ("retries", 11, "at most 10"),
        ("temperature", -0.1, "at least 0"),
        ("temperature", 2.1, "at most 2"),
        ("max_tokens", 0, "at least 1"),
        ("max_tokens", True, "not a whole number"),
        ("key", "sk-0123", "no such key"),
    ],
)
def test_a_wrong_value_is_named(key: str, value: Any, reason: str) -> None:
    with pytest.raises(OptionError, match=reason) as caught:
        options_from(EndpointOptions, {**LEAST, key: value})
    assert caught.value.key == key
