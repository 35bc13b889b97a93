"""The chain of the audit log: whatever is done to it past the database's guards is found."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import DatabaseError, IntegrityError, OperationalError, connection, transaction

from tasks.audit.queries import Anchor, Chain, check_chain
from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.models import AuditEntry, User
from tasks.models.audit import BEGINNING, HASHED, entry_hash
from tests.factories import make_campaign, make_member
from tests.tasks.models.guards import execute, remove_guard
from tomahto.releases.records.fields import AuditHead

pytestmark = pytest.mark.django_db

OTHER: dict[str, Callable[[AuditEntry], object]] = {
    "sequence": lambda _entry: 99,
    "at": lambda entry: entry.at + timedelta(microseconds=1000),
    "actor_kind": lambda _entry: "worker",
    "actor": lambda _entry: "somebody else",
    "user_id": lambda _entry: User.objects.values_list("pk", flat=True)[0],
    "role": lambda _entry: "rater",
    "via": lambda _entry: "by hand",
    "campaign_id": lambda _entry: None,
    "action": lambda _entry: "release.made",
    "subject_kind": lambda _entry: "mouse",
    "subject": lambda _entry: "another",
    "details": lambda _entry: '{"role": "admin"}',
    "previous": lambda _entry: "f" * 64,
    "hash": lambda _entry: "f" * 64,
}
TAMPERED = 4
# as SQL; either database takes some of them in some columns
GARBAGE = {
    "postgresql": ["'infinity'", "'0044-03-15 BC'", "''", "'x'", "NULL", "0", "'{'"],
    "sqlite": [
        *("''", "'x'", "NULL", "0", "1.5", "9e999", "'{'", "'a' || char(10) || 'b'", "char(0)"),
        *("x'ff'", "CAST(x'ff' AS TEXT)", "'2026-02-30 00:00:00'", "'0001-01-01 00:00+05:00'"),
    ],
}


@pytest.fixture
def entries() -> list[AuditEntry]:
    """Eight of them, or a few more, in a chain that nothing guards any more."""
    campaign = make_campaign()
    make_member(campaign, "admin")
    for number in range(5):
        publish_guideline(campaign=campaign, text=f"Version {number}")
    remove_guard("tasks_auditentry")
    return list(AuditEntry.objects.order_by("sequence"))


def test_an_untouched_chain_holds(entries: list[AuditEntry]) -> None:
    last = entries[-1]
    assert check_chain() == Chain(len(entries), last.hash, "", None)
    assert check_chain(known_head=last.hash).since_known == 0
    assert check_chain(known_head=entries[1].hash).since_known == len(entries) - 2
    assert [entry.sequence for entry in entries] == list(range(1, len(entries) + 1))


def test_an_empty_chain_holds() -> None:
    assert check_chain() == Chain(0, BEGINNING, "", None)


def fault_after(tamper: Callable[[], object], head: str = "") -> str:
    """The findings, before all is put back."""
    with transaction.atomic():
        tamper()
        fault = check_chain(known_head=head).fault
        transaction.set_rollback(True)
    return fault


def test_every_changed_field_is_found(entries: list[AuditEntry]) -> None:
    assert OTHER.keys() == {*HASHED, "hash"}
    entry = entries[TAMPERED - 1]
    mine = AuditEntry.objects.filter(pk=TAMPERED)
    found = {
        name: fault_after(lambda name=name, other=other: mine.update(**{name: other(entry)}))  # type: ignore[misc]  # bound at once
        for name, other in OTHER.items()
    }
    follows = "entry 4 does not follow the one before it: it was inserted or moved"
    assert found == dict.fromkeys(OTHER, "entry 4 was changed: its hash does not match") | {
        "sequence": "entry 4 is missing: entry 5 follows instead",
        "previous": follows,
    }


def test_no_value_that_a_column_takes_hides_a_change(entries: list[AuditEntry]) -> None:
    """Not one that cannot be read either, in whose place a database gives an error."""
    found = {
        (name, value): fault
        for name in OTHER
        for value in GARBAGE[connection.vendor]
        if value not in ("NULL", "''") or getattr(entries[TAMPERED - 1], name)  # as it is
        if (fault := fault_with(name, value)) is not None
    }
    # the others take none but what is in OTHER
    assert OTHER.keys() - {name for name, _value in found} <= {"sequence", "actor_kind"}
    kinds = r"entry \d (was changed|is missing|does not follow the one before it): .+"
    assert [each for each in found.items() if not re.fullmatch(kinds, each[1])] == []


def fault_with(name: str, value: str) -> str | None:
    """None if the column takes no such value."""
    statement = f"UPDATE tasks_auditentry SET {name} = {value} WHERE sequence = {TAMPERED}"
    with transaction.atomic():
        try:
            execute(statement)
        except DatabaseError:
            return None
        fault = check_chain().fault
        transaction.set_rollback(True)
    return fault


def test_a_database_that_does_not_answer_is_not_taken_for_a_change(
    entries: list[AuditEntry],
) -> None:
    def lose(*_args: object) -> None:
        raise OperationalError("the server closed the connection")

    with connection.execute_wrapper(lose), pytest.raises(OperationalError, match="the server"):
        check_chain()


def test_a_changed_entry_with_a_hash_that_fits_is_found(entries: list[AuditEntry]) -> None:
    def forge() -> None:
        values = dict(zip(HASHED, (getattr(entries[3], name) for name in HASHED), strict=True))
        values["actor"] = "somebody else"
        forged = entry_hash(list(values.values()))
        AuditEntry.objects.filter(pk=TAMPERED).update(actor="somebody else", hash=forged)

    assert fault_after(forge).startswith("entry 5 does not follow")


def test_a_deleted_entry_is_found(entries: list[AuditEntry]) -> None:
    for number in range(1, len(entries)):
        fault = fault_after(lambda number=number: AuditEntry.objects.filter(pk=number).delete())  # type: ignore[misc]  # bound at once
        assert fault == f"entry {number} is missing: entry {number + 1} follows instead"


def test_swapped_entries_are_found(entries: list[AuditEntry]) -> None:
    def swap() -> None:
        for old, new in ((4, 99), (5, 4), (99, 5)):
            AuditEntry.objects.filter(pk=old).update(sequence=new)

    assert fault_after(swap).startswith("entry 4 does not follow")


def test_an_inserted_entry_is_found(entries: list[AuditEntry]) -> None:
    def insert() -> None:
        for number in range(len(entries), TAMPERED, -1):
            AuditEntry.objects.filter(pk=number).update(sequence=number + 1)
        # two entries cannot follow one: the next has to follow something else first
        AuditEntry.objects.filter(pk=TAMPERED + 2).update(previous="e" * 64)
        put = AuditEntry.objects.get(pk=TAMPERED)
        put.sequence, put.previous = TAMPERED + 1, put.hash
        put.hash = entry_hash([getattr(put, name) for name in HASHED])
        put.save(force_insert=True)

    assert fault_after(insert).startswith("entry 6 does not follow")


def test_a_chain_cut_off_is_found_by_whoever_knows_its_head(entries: list[AuditEntry]) -> None:
    head = entries[-1].hash

    def cut() -> None:
        AuditEntry.objects.filter(pk__gt=TAMPERED).delete()

    assert fault_after(cut) == ""
    assert fault_after(cut, head) == (
        f"no entry has the known head {head}: the end of the chain was cut off after it was noted, "
        "or the chain was rewritten"
    )


@pytest.mark.usefixtures("entries")
def test_two_entries_cannot_follow_one() -> None:
    fork = AuditEntry.objects.get(pk=TAMPERED)
    fork.sequence, fork.hash = 99, "e" * 64
    with pytest.raises(IntegrityError), transaction.atomic():
        fork.save(force_insert=True)


def anchors_at(entries: list[AuditEntry], *numbers: int) -> list[Anchor]:
    found = {entry.sequence: AuditHead(entry.sequence, entry.hash) for entry in entries}
    return [Anchor(f"note {number}", found[number]) for number in numbers]


def test_anchors_say_how_far_nothing_was_changed(entries: list[AuditEntry]) -> None:
    chain = check_chain(anchors=anchors_at(entries, 5, 3, 5))
    assert chain == Chain(len(entries), entries[-1].hash, "", None, 5)


def test_an_end_that_was_cut_off_is_found_by_an_anchor(entries: list[AuditEntry]) -> None:
    anchors = anchors_at(entries, 2, 5)
    AuditEntry.objects.filter(sequence__gt=3).delete()
    assert check_chain().fault == ""
    assert check_chain(anchors=anchors) == Chain(
        3,
        entries[2].hash,
        "note 5 records entry 5, and the log ends at 3: its end was cut off",
        None,
        2,
    )


def test_a_log_that_was_emptied_is_found_by_an_anchor(entries: list[AuditEntry]) -> None:
    anchors = anchors_at(entries, 2)
    AuditEntry.objects.all().delete()
    assert check_chain() == Chain(0, BEGINNING, "", None)
    fault = "note 2 records entry 2, and the log ends at 0: its end was cut off"
    assert check_chain(anchors=anchors) == Chain(0, BEGINNING, fault, None)


def test_a_log_that_was_written_anew_is_found_by_an_anchor(entries: list[AuditEntry]) -> None:
    anchors = anchors_at(entries, 2, 5)
    AuditEntry.objects.filter(sequence__gt=3).delete()
    for number in range(5):
        publish_guideline(campaign=make_campaign(f"other-{number}"), text=f"Other {number}")
    assert check_chain().fault == ""
    chain = check_chain(anchors=anchors)
    assert (chain.entries, chain.anchored, chain.fault) == (
        *(4, 2),
        "entry 5 is not the one that note 5 records: the chain was rewritten",
    )
