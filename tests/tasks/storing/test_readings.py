"""One entry for one reading, when it is over: with how much was read."""

import logging
from collections.abc import Iterator

import pytest
from django.db import connection

from tasks.models import ActorKind, AuditAction, AuditEntry, Campaign
from tasks.storing.acts import Actor, acting
from tasks.storing.readings import Reading
from tests.factories import make_campaign, make_user


@pytest.fixture
def campaign(db: None) -> Campaign:
    return make_campaign("rivers")


def reading(campaign: Campaign) -> Reading:
    return Reading(
        AuditAction.EXPORT_TAKEN, campaign=campaign, subject=("file", "x"), details={"format": "x"}
    )


def recorded() -> list[dict[str, object]]:
    entries = AuditEntry.objects.filter(action="export.taken").order_by("sequence")
    return [entry.facts for entry in entries]


def test_nothing_is_recorded_before_it_is_over(campaign: Campaign) -> None:
    rows = reading(campaign).of_rows("abc")
    assert [next(rows), next(rows), next(rows), recorded()] == ["a", "b", "c", []]
    assert list(rows) == []
    assert recorded() == [{"format": "x", "rows": 3, "complete": True}]


def test_who_breaks_off_has_read_so_far(campaign: Campaign) -> None:
    rows = reading(campaign).of_rows("abc")
    next(rows)
    next(rows)
    rows.close()  # type: ignore[attr-defined]  # a generator
    assert recorded() == [{"format": "x", "rows": 2, "complete": False}]


def test_an_error_in_the_middle_is_seen_and_recorded(campaign: Campaign) -> None:
    def broken() -> Iterator[bytes]:
        yield b"12345"
        raise OSError("the disk is gone")

    chunks = reading(campaign).of_bytes(broken())
    assert next(chunks) == b"12345"
    with pytest.raises(OSError, match="the disk is gone"):
        next(chunks)
    assert recorded() == [{"format": "x", "bytes": 5, "complete": False}]


def test_what_nobody_begins_to_read_is_no_reading(campaign: Campaign) -> None:
    rows = reading(campaign).of_rows("abc")
    rows.close()  # type: ignore[attr-defined]  # a generator
    assert recorded() == []


def test_what_is_read_from_is_closed_before_the_entry(campaign: Campaign) -> None:
    """A query that is still open would be in the way of it."""
    seen = []

    def source() -> Iterator[str]:
        try:
            yield from "abc"
        finally:
            seen.append(len(recorded()))

    rows = reading(campaign).of_rows(source())
    next(rows)
    rows.close()  # type: ignore[attr-defined]  # a generator
    assert (seen, len(recorded())) == ([0], 1)


def test_it_is_recorded_under_who_began_it(campaign: Campaign) -> None:
    """A file is still being sent when the request is over."""
    user = make_user("oak")
    with acting(lambda: Actor(ActorKind.PERSON, "oak", user, "API")):
        rows = reading(campaign).of_rows("ab")
    assert list(rows) == ["a", "b"]
    entry = AuditEntry.objects.get(action="export.taken")
    assert (entry.actor, entry.user, entry.via) == ("oak", user, "API")


def test_an_entry_that_cannot_be_written_is_logged(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_arguments: object, **_options: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr("tasks.storing.readings.record", full)
    with caplog.at_level(logging.ERROR):
        assert list(reading(campaign).of_rows("ab")) == ["a", "b"]
    assert "a reading could not be recorded: export.taken {'rows': 2" in caplog.text
    assert connection.is_usable()
