"""What an operator is told of the chain, and with which code the command ends."""

import pytest

from tasks.models import AuditEntry
from tests.factories import make_campaign
from tests.tasks.management.conftest import Manage
from tests.tasks.models.test_append_only import remove_guard


@pytest.fixture
def head(manage: Manage) -> str:
    """Of a chain of two entries."""
    make_campaign("rivers")
    return AuditEntry.objects.latest("sequence").hash


def test_a_chain_that_holds_is_told_with_its_head(manage: Manage, head: str) -> None:
    assert manage("verify_audit") == f"2 entries, head {head}\n"
    make_campaign("lakes")
    assert manage("verify_audit", "--head", head).endswith("\n2 of them since the known head\n")
    assert manage.json("verify_audit", "--head", head) == {
        "ok": True,
        "entries": 4,
        "head": AuditEntry.objects.latest("sequence").hash,
        "since_known": 2,
        "fault": "",
    }


def test_a_changed_entry_is_named_and_fails(manage: Manage, head: str) -> None:
    remove_guard("tasks_auditentry")
    AuditEntry.objects.filter(pk=2).update(actor="somebody else")
    first = AuditEntry.objects.get(pk=1).hash
    assert manage("verify_audit", code=1) == (
        "entry 2 was changed: its hash is of something else\n"
        f"up to there the chain holds: 1 entries, head {first}\n"
    )


def test_a_chain_without_its_end_fails_for_whoever_knows_its_head(
    manage: Manage, head: str
) -> None:
    remove_guard("tasks_auditentry")
    AuditEntry.objects.filter(pk=2).delete()
    assert manage.json("verify_audit")["ok"]
    assert head in manage.json("verify_audit", "--head", head, code=1)["fault"]
