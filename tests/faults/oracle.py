"""The acts of clients, written down as they were done, and the rows that the database must hold
because of them.

A client notes a request on disk before it sends it, and the answer as soon as it has it. So
whatever dies meanwhile: what was acknowledged must be stored as it was sent, and what is stored
must have been sent.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from tests.site import Site

_LOOK = """
import json
from tasks.models import Rating
fields = {"id": "id", "key": "idempotency_key", "payload_hash": "payload_hash", "item": "item_id",
          "rater": "rater_id", "assignment": "assignment_id", "slot": "slot_id",
          "supersedes": "supersedes_id", "outcome": "outcome_id", "answers": "outcome__answers",
          "comment": "comment"}
print(json.dumps([dict(zip(fields, row)) for row in Rating.objects.values_list(*fields.values())]))
"""

Json = Mapping[str, Any]
# what tells one submission from another: the key belongs to the rater, and so to the assignment
_Sent = tuple[int, str]


class Journal:
    """The journal of one client, on disk before and after each request. Not for several threads."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=0)
        self._assignments: dict[str, int] = {}

    def sending(self, key: str, payload: bytes, assignment: int) -> None:
        """To be called before the request is sent, each time that it is."""
        self._assignments[key] = assignment
        self._write(
            {
                "key": key,
                "assignment": assignment,
                "sha256": hashlib.sha256(payload).hexdigest(),
                "payload": payload.decode(),
            }
        )

    def acknowledged(self, key: str, rating: int, status: int) -> None:
        """To be called after a 2xx: it is what was sent last under the key that is acknowledged."""
        assignment = self._assignments[key]
        self._write({"key": key, "assignment": assignment, "rating": rating, "status": status})

    def close(self) -> None:
        self._file.close()

    def _write(self, entry: Json) -> None:
        self._file.write(json.dumps(entry).encode() + b"\n")
        os.fsync(self._file.fileno())


class Verdict(NamedTuple):
    """Faults, in words that name key, item or rating; there are none if every list is empty.

    Lost: acknowledged, not stored. Changed: stored otherwise than it was sent. Doubled: one key
    acknowledged as several ratings, or several current ratings of one rater on one item. Over
    quota: items with more counted ratings than wanted. Unexplained: stored, and never sent.
    """

    lost: list[str]
    changed: list[str]
    doubled: list[str]
    over_quota: list[str]
    unexplained: list[str]


NOTHING_WRONG = Verdict([], [], [], [], [])


def judge(site: Site, journals: Sequence[Path], *, overlap: int) -> Verdict:
    """Compare what all the clients of a site noted with the ratings in its database."""
    return compare(stored_ratings(site), entries_of(journals), overlap=overlap)


def stored_ratings(site: Site) -> list[Json]:
    """Every rating of the site with its answers, superseded ones too."""
    rows: list[Json] = json.loads(site.python(_LOOK))
    return rows


def entries_of(journals: Sequence[Path]) -> list[Json]:
    """The entries of the journals; a line that was cut off is of a request that was never sent."""
    return [
        json.loads(line)
        for path in journals
        for line in path.read_bytes().splitlines(keepends=True)
        if line.endswith(b"\n")
    ]


def compare(stored: Sequence[Json], entries: Sequence[Json], *, overlap: int) -> Verdict:
    """As `judge`, of what has been read."""
    sent, acknowledged = _read(entries)
    by_id = {row["id"]: row for row in stored}
    superseded = {row["supersedes"] for row in stored}
    current = [row for row in stored if row["id"] not in superseded]
    counted = Counter(row["item"] for row in current if row["slot"] is not None)
    return Verdict(
        lost=sorted(
            f"{name[1]} as rating {rating}"
            for name, ratings in acknowledged.items()
            for rating in ratings
            if rating not in by_id or _name(by_id[rating]) != name
        ),
        changed=sorted(_changed(stored, sent, acknowledged)),
        doubled=sorted(_doubled(stored, current, acknowledged)),
        over_quota=sorted(f"item {item}: {n}" for item, n in counted.items() if n > overlap),
        unexplained=sorted(f"rating {row['id']}" for row in stored if _name(row) not in sent),
    )


def _read(
    entries: Sequence[Json],
) -> tuple[dict[_Sent, list[Json]], dict[_Sent, dict[int, Json]]]:
    """The requests under each key, and those that were acknowledged as ratings."""
    sent: dict[_Sent, list[Json]] = {}
    acknowledged: dict[_Sent, dict[int, Json]] = {}
    for entry in entries:
        name = _name(entry)
        if "rating" in entry:
            acknowledged.setdefault(name, {})[entry["rating"]] = sent[name][-1]
        else:
            sent.setdefault(name, []).append(entry)
    return sent, acknowledged


def _name(row: Json) -> _Sent:
    return row["assignment"], row["key"]


def _changed(
    stored: Sequence[Json],
    sent: Mapping[_Sent, Sequence[Json]],
    acknowledged: Mapping[_Sent, Mapping[int, Json]],
) -> Iterator[str]:
    """Ratings that are none of what was sent under their key, or not what was acknowledged."""
    for row in stored:
        name = _name(row)
        known = acknowledged.get(name, {}).get(row["id"])
        meant = [known] if known else sent.get(name, [])
        if meant and not any(_is_as_sent(row, entry) for entry in meant):
            yield f"{row['key']} as rating {row['id']}"


def _is_as_sent(row: Json, entry: Json) -> bool:
    payload = entry["payload"].encode()
    if hashlib.sha256(payload).hexdigest() != entry["sha256"]:
        return False
    body = json.loads(payload)
    told = [row["assignment"], row["outcome"], row["comment"]]
    stored = (row["answers"], row["comment"], row["payload_hash"])
    told_hash = hashlib.sha256(json.dumps(told).encode()).hexdigest()
    return stored == (_answers(body), body.get("comment", ""), told_hash)


def _answers(body: Json) -> dict[str, object]:
    """The answers of a body as the database names them; null stands for a question not asked."""
    given = body.get("answers", body)
    words = {True: "yes", False: "no"}
    return {
        key: words[value] if isinstance(value, bool) else value
        for key, value in given.items()
        if value is not None and key not in {"comment", "seconds", "guideline_version"}
    }


def _doubled(
    stored: Sequence[Json],
    current: Sequence[Json],
    acknowledged: Mapping[_Sent, Mapping[int, Json]],
) -> Iterator[str]:
    for (_assignment, key), ratings in acknowledged.items():
        if len(ratings) > 1:
            yield f"{key} acknowledged as ratings {sorted(ratings)}"
    for (_rater, key), found in _several(stored, ("rater", "key")):
        yield f"{key} stored as ratings {found}"
    for (item, rater), found in _several(current, ("item", "rater")):
        yield f"item {item} by rater {rater} in ratings {found}"


def _several(rows: Sequence[Json], fields: Sequence[str]) -> Iterator[tuple[list[Any], list[int]]]:
    """The ids of rows that agree in these fields, where more than one does."""

    def key(row: Json) -> list[Any]:
        return [row[field] for field in fields]

    for common, group in groupby(sorted(rows, key=key), key):
        found = sorted(row["id"] for row in group)
        if len(found) > 1:
            yield common, found
