"""The rater's cycle in plain SQL and nothing else: the most that a site could reach on PostgreSQL.

A WSGI application for gunicorn, without Django. It answers the two calls that `quick_rater` makes,
and keeps the promises behind them: tokens are known by their hash, one statement claims, no slot is
given twice, and a rating with its idempotency key is on the disk before it is acknowledged. It has
no protocols, policies, audit, lists or pages. Its tables stand beside the site's in its database.
"""

import hashlib
import json
import os
import re
import uuid
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import psycopg
from psycopg_pool import ConnectionPool

Start: TypeAlias = Callable[[str, list[tuple[str, str]]], Any]

_TABLES = """
CREATE TABLE plain_rater (id serial PRIMARY KEY, token text UNIQUE);
CREATE TABLE plain_item (id serial PRIMARY KEY, texts jsonb NOT NULL);
CREATE TABLE plain_slot (
    id serial PRIMARY KEY, item_id int NOT NULL REFERENCES plain_item, place int NOT NULL,
    holder_id int, expires_at timestamptz, is_filled boolean NOT NULL DEFAULT false
);
CREATE TABLE plain_assignment (
    id serial PRIMARY KEY, item_id int NOT NULL REFERENCES plain_item,
    rater_id int NOT NULL REFERENCES plain_rater, slot_id int NOT NULL REFERENCES plain_slot,
    is_active boolean NOT NULL DEFAULT true, UNIQUE (item_id, rater_id)
);
CREATE TABLE plain_rating (
    id serial PRIMARY KEY, slot_id int UNIQUE REFERENCES plain_slot,
    rater_id int NOT NULL REFERENCES plain_rater, answers jsonb NOT NULL,
    idempotency_key text NOT NULL, rated_at timestamptz NOT NULL, UNIQUE (rater_id, idempotency_key)
);
CREATE INDEX plain_open ON plain_slot (place) WHERE NOT is_filled;
CREATE INDEX plain_held ON plain_assignment (rater_id) WHERE is_active;
"""
_FILL = """
INSERT INTO plain_item (texts)
SELECT '{"question": "Where does it rise?", "references": ["in the northern hills"],
         "candidate": "far from the sea"}' FROM generate_series(1, %s);
"""
_OPEN = """
INSERT INTO plain_slot (item_id, place)
SELECT i.id, i.id FROM plain_item i CROSS JOIN generate_series(1, %s)
"""
_CLAIM = """
WITH open_slot AS MATERIALIZED (
    SELECT s.id, s.item_id FROM plain_slot s
    WHERE NOT s.is_filled AND (s.holder_id IS NULL OR s.expires_at < clock_timestamp())
      AND NOT EXISTS (SELECT 1 FROM plain_assignment a
          WHERE a.item_id = s.item_id AND a.rater_id = %(rater)s)
    ORDER BY s.place LIMIT 1 FOR UPDATE OF s SKIP LOCKED
), claimed AS (
    INSERT INTO plain_assignment (item_id, rater_id, slot_id)
    SELECT item_id, %(rater)s, id FROM open_slot RETURNING id, slot_id, item_id
), held AS (
    UPDATE plain_slot s SET holder_id = c.id, expires_at = clock_timestamp() + interval '30 minutes'
    FROM claimed c WHERE s.id = c.slot_id RETURNING s.expires_at
)
SELECT c.id, i.texts, h.expires_at FROM claimed c CROSS JOIN held h
JOIN plain_item i ON i.id = c.item_id
"""
_RATER = "SELECT id FROM plain_rater WHERE token = %s"
_HELD = """
SELECT a.slot_id FROM plain_assignment a JOIN plain_slot s ON s.id = a.slot_id
WHERE a.id = %s AND a.rater_id = %s AND a.is_active AND s.holder_id = a.id FOR UPDATE OF s
"""
_RATE = """
INSERT INTO plain_rating (slot_id, rater_id, answers, idempotency_key, rated_at)
VALUES (%s, %s, %s, %s, clock_timestamp()) RETURNING id
"""
_FILLED = "UPDATE plain_slot SET is_filled = true, holder_id = NULL WHERE id = %s"
_DONE = "UPDATE plain_assignment SET is_active = false WHERE id = %s"
_SUBMISSION = re.compile(r"/api/v1/assignments/(\d+)/rating")


def make_tables(address: str, *, items: int, overlap: int, raters: int) -> list[str]:
    """Fill the tables; returns a token for each rater."""
    tokens = [uuid.uuid4().hex for _ in range(raters)]
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(_TABLES)
        connection.execute(_FILL, [items])
        connection.execute(_OPEN, [overlap])
        for token in tokens:
            connection.execute("INSERT INTO plain_rater (token) VALUES (%s)", [_hash(token)])
        connection.execute("ANALYZE")
    return tokens


def application(environ: Mapping[str, Any], start: Start) -> Iterable[bytes]:
    """Claim or submit."""
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    token = environ["HTTP_AUTHORIZATION"].removeprefix("Token ")
    submission = _SUBMISSION.fullmatch(environ["PATH_INFO"])
    with _pool().connection() as connection:
        (rater,) = connection.execute(_RATER, [_hash(token)]).fetchone() or (None,)
        if submission:
            key = environ["HTTP_IDEMPOTENCY_KEY"]
            status, answer = (
                "201 Created",
                _submit(connection, int(submission[1]), rater, key, body),
            )
        else:
            status, answer = "200 OK", _claim(connection, rater)
    content = json.dumps(answer, separators=(",", ":")).encode()
    start(
        status,
        [("Content-Type", "application/json"), ("Content-Length", str(len(content)))],
    )
    return [content]


def _claim(connection: psycopg.Connection, rater: int | None) -> dict[str, Any]:
    assignment, texts, expires = connection.execute(_CLAIM, {"rater": rater}).fetchone() or ()
    key = str(uuid.uuid4())
    return {
        "assignment": assignment,
        "idempotency_key": key,
        "item": texts,
        "expires_at": expires.isoformat(),
    }


def _submit(
    connection: psycopg.Connection, assignment: int, rater: int | None, key: str, body: bytes
) -> dict[str, Any]:
    (slot,) = connection.execute(_HELD, [assignment, rater]).fetchone() or (None,)
    answers = json.dumps(json.loads(body))
    (rating,) = connection.execute(_RATE, [slot, rater, answers, key]).fetchone() or (None,)
    connection.execute(_FILLED, [slot])
    connection.execute(_DONE, [assignment])
    return {"rating": rating, "is_counted": True}


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


_pools: dict[int, ConnectionPool] = {}


def _pool() -> ConnectionPool:
    """Of this process: gunicorn forks after it has imported the application."""
    if (pool := _pools.get(os.getpid())) is None:
        pool = ConnectionPool(os.environ["DATABASE_URL"], min_size=1, max_size=8, open=True)
        _pools[os.getpid()] = pool
    return pool
