"""A backup while people rate: nothing that was acknowledged before it is missing from it."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from threading import Event, Lock
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.faults.campaigns import make_campaign
from tests.site import Site, running_site

pytestmark = pytest.mark.faults

RATERS, ITEMS, BEFORE = 3, 400, 12


class Raters:
    """People who rate one item after the other, and note down what the site has acknowledged."""

    def __init__(self, site: Site, tokens: list[str]) -> None:
        self.site, self.tokens = site, tokens
        self.acknowledged: set[str] = set()
        self.enough, self.is_over = Event(), Event()
        self._lock = Lock()

    def noted(self) -> set[str]:
        with self._lock:
            return set(self.acknowledged)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        with ThreadPoolExecutor(len(self.tokens)) as pool:
            work = [pool.submit(self._rate, token) for token in self.tokens]
            try:
                assert self.enough.wait(120)
                yield
            finally:
                self.is_over.set()
            for each in work:
                each.result()

    def _rate(self, token: str) -> None:
        while not self.is_over.is_set():
            work = self._post("/api/v1/campaigns/races/claim", token, {})
            if work is None:
                return  # nothing is left: the backup takes longer than all items
            key = work["idempotency_key"]
            path = f"/api/v1/assignments/{work['assignment']}/rating"
            self._post(path, token, {"q1": False, "q2": True}, key)
            with self._lock:
                self.acknowledged.add(key)
                if len(self.acknowledged) >= BEFORE:
                    self.enough.set()

    def _post(self, path: str, token: str, body: object, key: str = "") -> Any:
        headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
        if key:
            headers["Idempotency-Key"] = key
        request = Request(self.site.address + path, json.dumps(body).encode(), headers)  # noqa: S310 - ours
        with urlopen(request, timeout=60) as response:  # noqa: S310 - our own server
            return json.load(response) if response.status != HTTPStatus.NO_CONTENT else None


def tables(backup: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((backup / "manifest.json").read_text())["tables"]
    return found


def unaudited(backup: Path) -> list[dict[str, Any]]:
    """All tables but the audit log, which has an entry more once a backup is restored."""
    return [table for table in tables(backup) if table["table"] != "tasks_auditentry"]


def keys_in(backup: Path) -> set[str]:
    """The idempotency keys of the ratings in a backup."""
    [ratings] = (table for table in tables(backup) if table["table"] == "tasks_rating")
    lines = (backup / "tables" / "tasks_rating.jsonl").read_text().splitlines()
    number = ratings["columns"].index("idempotency_key")
    return {json.loads(line)[number] for line in lines}


def test_what_was_acknowledged_before_a_backup_is_in_it_and_comes_back(tmp_path: Path) -> None:
    (tmp_path / "first").mkdir()
    with running_site(tmp_path / "first") as site:
        raters = Raters(site, make_campaign(site, items=ITEMS, overlap=1, raters=RATERS))
        with raters.at_work():
            before = raters.noted()
            site.manage("backup", str(tmp_path / "backup"))
            during = raters.noted() - before
    stored = keys_in(tmp_path / "backup")
    assert len(before) >= BEFORE
    assert before - stored == set()
    assert during  # the site went on

    with running_site(tmp_path / "second", start=False) as site:
        site.manage("restore", str(tmp_path / "backup"))
        site.manage("backup", str(tmp_path / "again"))
        assert json.loads(site.manage("verify_audit", "--json"))["ok"]
    assert unaudited(tmp_path / "again") == unaudited(tmp_path / "backup")
