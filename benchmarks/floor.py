"""A plain program for claims and ratings, beside which `benchmarks.load` sets the site.

    gunicorn benchmarks.floor:application

Plain SQL behind WSGI, statement by statement, without a framework, on the database that
DATABASE_URL or TOMAHTO_DATA names. It answers the two calls of a rater's program in JSON of the
same fields as the site. A claim finds the token; then in one transaction it takes the next open
place that the rater has not had, stores the assignment and the lease, and reads the item. A
submission finds the token and checks the answers; then in one transaction it looks for the key,
settles the assignment, fills the place and inserts the rating. Either is on the disk when it is
answered; on SQLite with a write-ahead log a rating takes its claim there with it. SQLite's writers
take turns by a lock of the process.

It leaves out what else makes a site: roles, scopes, limits, errors that say why, revisions, quotas,
control items, pauses, items held or given back, suggestions, drafts, events, guards of the
database, summaries, security headers, logs and metrics. Statements that do several of its steps at
once would make it quicker still.
"""

import hashlib
import json
import os
import secrets
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

from tasks.protocols import get_protocol

_PROTOCOL = get_protocol("ae")
_FORM = {
    "protocol": _PROTOCOL.name,
    "guideline_version": 1,
    "wordings": [],
    "questions": [asdict(question) for question in _PROTOCOL.questions],
}
_LEASE = timedelta(minutes=60)
# "{key}" and the like stand for what the databases have no common word for
_TABLES = """
CREATE TABLE IF NOT EXISTS floor_rater (id {key}, digest text NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS floor_item (
    id {key}, question text NOT NULL, reference_answers text NOT NULL, candidate text NOT NULL);
CREATE TABLE IF NOT EXISTS floor_place (
    id {key}, campaign text NOT NULL, item bigint NOT NULL REFERENCES floor_item,
    is_filled boolean NOT NULL DEFAULT false, holder bigint UNIQUE, expires_at {time});
CREATE INDEX IF NOT EXISTS floor_open ON floor_place (campaign, item, id) WHERE NOT is_filled;
CREATE TABLE IF NOT EXISTS floor_assignment (
    id {key}, rater bigint NOT NULL REFERENCES floor_rater,
    item bigint NOT NULL REFERENCES floor_item, place bigint NOT NULL REFERENCES floor_place,
    is_done boolean NOT NULL DEFAULT false, UNIQUE (rater, item));
CREATE TABLE IF NOT EXISTS floor_rating (
    id {key}, rater bigint NOT NULL REFERENCES floor_rater,
    assignment bigint NOT NULL REFERENCES floor_assignment,
    place bigint REFERENCES floor_place, answers text NOT NULL, idempotency_key text NOT NULL,
    rated_at {time} NOT NULL, UNIQUE (rater, idempotency_key));
INSERT INTO floor_item (question, reference_answers, candidate)
WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < {items})
SELECT 'Where does it rise?', '["in the northern hills"]', 'far from the sea' FROM series;
INSERT INTO floor_place (campaign, item)
WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < {overlap})
SELECT '{campaign}', floor_item.id FROM floor_item CROSS JOIN series
WHERE floor_item.id > (SELECT max(id) FROM floor_item) - {items};
"""
_RATER = "SELECT id FROM floor_rater WHERE digest = ?"
_NEW_RATER = "INSERT INTO floor_rater (digest) VALUES (?) RETURNING id"
_LAST_ITEM = "SELECT COALESCE(MAX(item), 0) FROM floor_assignment WHERE rater = ?"
_OPEN_PLACE = """
SELECT id, item FROM floor_place
WHERE campaign = ? AND item > ? AND NOT is_filled AND (holder IS NULL OR expires_at < ?)
ORDER BY item, id LIMIT 1
"""
_ASSIGN = "INSERT INTO floor_assignment (rater, item, place) VALUES (?, ?, ?) RETURNING id"
_HOLD = "UPDATE floor_place SET holder = ?, expires_at = ? WHERE id = ? RETURNING id"
_ITEM = "SELECT question, reference_answers, candidate FROM floor_item WHERE id = ?"
_STORED = "SELECT id, place FROM floor_rating WHERE rater = ? AND idempotency_key = ?"
_SETTLE = """
UPDATE floor_assignment SET is_done = true WHERE id = ? AND rater = ? AND NOT is_done
RETURNING place
"""
_FILL = """
UPDATE floor_place SET is_filled = true WHERE id = ? AND holder = ? AND NOT is_filled RETURNING id
"""
_RATE = """
INSERT INTO floor_rating (rater, assignment, place, answers, idempotency_key, rated_at)
VALUES (?, ?, ?, ?, ?, ?) RETURNING id
"""
_LABELS = {outcome.id: outcome.label for outcome in _PROTOCOL.outcomes}
_JOURNAL = os.environ.get("TOMAHTO_SQLITE_JOURNAL", "WAL")
_ADDRESS = os.environ.get("DATABASE_URL", "")
_turn = threading.Lock()
_of_thread = threading.local()


def _connection() -> Any:
    """This thread's, which commits by itself what is no transaction."""
    if not hasattr(_of_thread, "connection"):
        _of_thread.connection = _connect()
    return _of_thread.connection


def _connect() -> Any:
    if _ADDRESS:
        return psycopg.connect(_ADDRESS, autocommit=True)
    sqlite = import_module("pysqlite3" if find_spec("pysqlite3") else "sqlite3")
    file = Path(os.environ["TOMAHTO_DATA"], "floor.sqlite3")
    connection = sqlite.connect(file, timeout=20, isolation_level=None)
    connection.execute(f"PRAGMA journal_mode = {_JOURNAL}")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _row(statement: str, *values: Any) -> Any:
    """The first row; None without one."""
    if _ADDRESS:
        return _connection().execute(statement.replace("?", "%s"), values).fetchone()
    texts = [str(value) if isinstance(value, datetime) else value for value in values]
    return _connection().execute(statement, texts).fetchone()


@contextmanager
def _transaction(*, is_rating: bool) -> Iterator[None]:
    connection = _connection()
    if _ADDRESS:
        with connection.transaction():
            yield
        return
    with _turn:
        is_synced = is_rating or _JOURNAL != "WAL"
        connection.execute(f"PRAGMA synchronous = {'FULL' if is_synced else 'NORMAL'}")
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:  # whatever it was, the transaction ends
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def make_open_campaign(slug: str, *, items: int, overlap: int, raters: int) -> list[str]:
    """As `benchmarks.campaigns.open`, for this program."""
    words = {"key": "bigserial PRIMARY KEY", "time": "timestamptz"}
    if not _ADDRESS:
        words = {"key": "integer PRIMARY KEY", "time": "text"}
    script = _TABLES.format(campaign=slug, items=items, overlap=overlap, **words)
    for statement in script.split(";\n"):
        _connection().execute(statement)
    tokens = [secrets.token_hex(20) for _ in range(raters)]
    for token in tokens:
        _row(_NEW_RATER, _digest(token))
    return tokens


def application(
    environ: Mapping[str, Any], start_response: Callable[[str, list[tuple[str, str]]], Any]
) -> Iterable[bytes]:
    """The two calls, and `/readyz` as the site answers it."""
    status, answer = _answered(environ)
    body = json.dumps(answer, separators=(",", ":")).encode()
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    start_response(status, headers)
    return [body]


def _answered(environ: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    match environ["PATH_INFO"].split("/"):
        case ["", "readyz"]:
            return "200 OK", {"database": True, "broker": True}
        case ["", "api", "v1", kind, name, _]:
            token = environ.get("HTTP_AUTHORIZATION", "").partition(" ")[2]
            holder = _row(_RATER, _digest(token))
            if holder is None:
                return "401 Unauthorized", {"detail": "invalid token"}
            (rater,) = holder
            if kind == "campaigns":
                return _claim(rater, name)
            body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
            answers = _PROTOCOL.outcome(json.loads(body)).id
            return _submit(rater, int(name), answers, environ["HTTP_IDEMPOTENCY_KEY"])
    return "404 Not Found", {"detail": "not found"}


def _claim(rater: int, campaign: str) -> tuple[str, Mapping[str, Any]]:
    now = datetime.now(UTC)
    expires_at = now + _LEASE
    with _transaction(is_rating=False):
        (last,) = _row(_LAST_ITEM, rater)
        lock = "FOR UPDATE SKIP LOCKED" if _ADDRESS else ""
        chosen = _row(f"{_OPEN_PLACE}{lock}", campaign, last, now)
        if chosen is None:
            return "404 Not Found", {"detail": "no items left"}
        place, item = chosen
        (assignment,) = _row(_ASSIGN, rater, item, place)
        _row(_HOLD, assignment, expires_at, place)
        question, references, candidate = _row(_ITEM, item)
    return "200 OK", {
        "assignment": assignment,
        "idempotency_key": str(uuid.uuid4()),
        "expires_at": expires_at.isoformat(),
        "item": {
            "id": f"i-{_digest(str(item))[:24]}",
            "question": question,
            "context": "",
            "references": json.loads(references),
            "candidate": candidate,
        },
        "form": _FORM,
    }


def _submit(rater: int, assignment: int, answers: str, key: str) -> tuple[str, Mapping[str, Any]]:
    with _transaction(is_rating=True):
        stored, status = _row(_STORED, rater, key), "200 OK"
        if stored is None:
            settled, status = _row(_SETTLE, assignment, rater), "201 Created"
            if settled is None:
                return "404 Not Found", {"detail": "you have no such assignment"}
            (place,) = _row(_FILL, *settled, assignment) or (None,)
            now = datetime.now(UTC)
            stored = *_row(_RATE, rater, assignment, place, answers, key, now), place
    rating, place = stored
    return status, {
        "rating": rating,
        "assignment": assignment,
        "label": _LABELS[answers],
        "counted": place is not None,
        "supersedes": None,
        "suggestion": None,
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
