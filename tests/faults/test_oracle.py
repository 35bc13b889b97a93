"""The oracle finds each of the faults that it is there for, and none where there is none."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.faults.oracle import NOTHING_WRONG, Journal, Verdict, compare, entries_of

SENT = b'{"q1": false, "q2": true, "q3": null, "comment": "clear"}'
STORED: dict[str, Any] = {
    "id": 7,
    "key": "k1",
    "item": 3,
    "rater": 5,
    "assignment": 11,
    "slot": 13,
    "supersedes": None,
    "outcome": "ae:q1=no,q2=yes",
    "answers": {"q1": "no", "q2": "yes"},
    "comment": "clear",
    "payload_hash": hashlib.sha256(
        json.dumps([11, "ae:q1=no,q2=yes", "clear"]).encode()
    ).hexdigest(),
}


def judged(folder: Path, *stored: dict[str, Any], acknowledged: int | None = 7) -> Verdict:
    """One rating sent, and acknowledged or not; what the oracle says to what is stored."""
    journal = Journal(folder / "journal")
    journal.sending("k1", SENT, 11)
    if acknowledged:
        journal.acknowledged("k1", acknowledged, 201)
    journal.close()
    return compare(stored, entries_of([folder / "journal"]), overlap=1)


def test_oracle_finds_nothing_wrong_in_what_was_sent_and_stored(tmp_path: Path) -> None:
    assert judged(tmp_path, STORED) == NOTHING_WRONG


def test_oracle_explains_a_rating_that_was_sent_and_never_acknowledged(tmp_path: Path) -> None:
    assert judged(tmp_path, STORED, acknowledged=None) == NOTHING_WRONG


def test_oracle_misses_nothing_that_was_not_acknowledged(tmp_path: Path) -> None:
    assert judged(tmp_path, acknowledged=None) == NOTHING_WRONG


def test_oracle_finds_what_was_lost(tmp_path: Path) -> None:
    assert judged(tmp_path) == NOTHING_WRONG._replace(lost=["k1 as rating 7"])


@pytest.mark.parametrize(
    "change",
    [
        {"answers": {"q1": "yes"}, "outcome": "ae:q1=yes"},
        {"comment": "Clear"},
        {"payload_hash": "0" * 64},
    ],
)
def test_oracle_finds_what_was_changed(tmp_path: Path, change: dict[str, Any]) -> None:
    found = judged(tmp_path, {**STORED, **change})
    assert found == NOTHING_WRONG._replace(changed=["k1 as rating 7"])


def test_oracle_finds_what_was_doubled_beyond_the_quota(tmp_path: Path) -> None:
    twin = {**STORED, "id": 8, "slot": 14}
    assert judged(tmp_path, STORED, twin) == NOTHING_WRONG._replace(
        doubled=["item 3 by rater 5 in ratings [7, 8]", "k1 stored as ratings [7, 8]"],
        over_quota=["item 3: 2"],
    )


def test_oracle_takes_a_revision_for_no_double(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "revision")
    journal.sending("k2", SENT, 11)
    journal.close()
    revised = {**STORED, "id": 8, "key": "k2", "supersedes": 7}
    entries = entries_of([tmp_path / "revision"])
    judged(tmp_path, STORED)
    entries += entries_of([tmp_path / "journal"])
    assert compare([STORED, revised], entries, overlap=1) == NOTHING_WRONG


def test_oracle_finds_what_nobody_sent(tmp_path: Path) -> None:
    foreign = {**STORED, "id": 8, "key": "k2", "item": 4}
    found = judged(tmp_path, STORED, foreign)
    assert found == NOTHING_WRONG._replace(unexplained=["rating 8"])


def test_oracle_reads_no_line_that_was_cut_off(tmp_path: Path) -> None:
    (tmp_path / "journal").write_bytes(b'{"key": "k0", "assi')
    assert entries_of([tmp_path / "journal"]) == []
