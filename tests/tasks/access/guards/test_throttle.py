"""The number of calls of an account: exactly so many, and never fewer because Redis is away."""

import logging
import os
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from pytest_django import Settings
from redis import Redis

from bootstrap.services import PrivateRedis
from tasks.access.guards import tokens
from tasks.access.guards.tokens import MemoryWindows, RedisWindows, Windows, windows
from tasks.models import ApiToken, Membership
from tests.tasks.api_client import ApiClient, AsMember
from tests.tasks.conftest import MakeCampaign, MakeMember

CALLERS, EACH = 64, 10
NOBODY_THERE = "redis://127.0.0.1:1/0"


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    if url := os.environ.get("TOMAHTO_TEST_REDIS_URL"):
        yield url
        return
    with PrivateRedis() as server:
        yield server.url


@pytest.fixture(autouse=True)
def _own_windows() -> Iterator[None]:
    windows.cache_clear()
    yield
    windows.cache_clear()


def crowd(count: Callable[[str], tuple[int, float]]) -> list[int]:
    """The numbers that 64 callers get who all call at once."""
    who, start = uuid.uuid4().hex, Barrier(CALLERS)

    def call(_number: int) -> list[int]:
        start.wait()
        return [count(who)[0] for _ in range(EACH)]

    with ThreadPoolExecutor(CALLERS) as pool:
        return sorted(number for found in pool.map(call, range(CALLERS)) for number in found)


@pytest.mark.parametrize("kind", ["memory", "redis"])
def test_every_call_of_a_crowd_gets_a_number_of_its_own(kind: str, redis_url: str) -> None:
    kept: Windows = MemoryWindows() if kind == "memory" else RedisWindows(redis_url)
    assert crowd(kept.count) == list(range(1, CALLERS * EACH + 1))


def test_calls_get_the_same_number_without_the_script(redis_url: str) -> None:
    client = Redis.from_url(redis_url)

    def look_then_write(who: str) -> tuple[int, float]:
        calls = int(client.get(f"test:{who}") or 0) + 1
        client.set(f"test:{who}", calls, ex=60)
        return calls, 60

    assert crowd(look_then_write) != list(range(1, CALLERS * EACH + 1))


@pytest.mark.parametrize("kind", ["memory", "redis"])
def test_window_begins_with_its_first_call(
    kind: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: Windows = MemoryWindows() if kind == "memory" else RedisWindows(redis_url)
    who = uuid.uuid4().hex
    assert [kept.count(who)[0] for _ in range(3)] == [1, 2, 3]
    assert 59 < kept.count(who)[1] <= 60
    if kind == "memory":
        now = time.monotonic()
        monkeypatch.setattr(time, "monotonic", lambda: now + 60.1)
    else:
        Redis.from_url(redis_url).pexpire(f"tomahto:calls:{who}", 0)
    assert kept.count(who)[0] == 1


def test_memory_forgets_windows_that_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_MANY", 3)
    kept, now = MemoryWindows(), time.monotonic()
    for who in "abc":
        kept.count(who)
    monkeypatch.setattr(time, "monotonic", lambda: now + 61)
    kept.count("d")
    assert list(kept._windows) == ["d"]


def statuses(caller: ApiClient, number: int) -> list[int]:
    return [caller.client.get("/api/v1/account").status_code for _ in range(number)]


@pytest.fixture
def member(make_campaign: MakeCampaign, make_member: MakeMember) -> Membership:
    return make_member(make_campaign(items=1))


def test_call_over_the_limit_is_told_when_to_come_back(
    member: Membership, as_member: AsMember, settings: Settings, make_member: MakeMember
) -> None:
    settings.API_CALLS_PER_MINUTE = 3
    first, second = as_member(member), as_member(member)
    other = as_member(make_member(member.campaign))
    assert statuses(first, 2) + statuses(second, 2) == [200, 200, 200, 429]
    refused: Any = first.client.get("/api/v1/account")
    assert refused.json()["detail"].startswith("Request was throttled.")
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert statuses(other, 1) == [200]


def test_limit_can_be_switched_off(
    member: Membership, as_member: AsMember, settings: Settings
) -> None:
    settings.API_CALLS_PER_MINUTE = 0
    assert statuses(as_member(member), 3) == [200] * 3


def test_calls_go_on_while_redis_is_away(
    member: Membership,
    as_member: AsMember,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings.API_CALLS_PER_MINUTE = 1
    settings.API_CALLS_REDIS = NOBODY_THERE
    with caplog.at_level(logging.WARNING):
        assert statuses(as_member(member), 3) == [200] * 3
    said = [record for record in caplog.records if record.name == "tasks.access.guards.tokens"]
    assert len(said) == 1
    assert ApiToken.objects.count() == 1
