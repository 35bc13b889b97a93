"""Many who act at the same moment, in a process of their own. Run by `python -c` beside a real
database: `act_at_once` prints how the chain stands afterwards."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection, transaction

from tasks.audit.queries import check_chain
from tasks.campaigns.workflow.campaign import create_campaign
from tasks.models import AuditAction, AuditEntry, Campaign
from tasks.models.audit import entry_hash
from tasks.storing import acts as audit

PEOPLE, ACTS = 16, 20
_start = Barrier(PEOPLE, timeout=120)


def act_at_once(*, is_guarded: bool = True) -> None:
    """Let sixteen threads act twenty times each, every fifth time in vain; unguarded once."""
    campaign = create_campaign(slug="rivers", protocol="ae", overlap=2)
    before = AuditEntry.objects.count()
    if not is_guarded:
        _remove_guards()
    act = _act if is_guarded else _act_carelessly
    with ThreadPoolExecutor(PEOPLE) as pool:
        acted = sum(pool.map(lambda number: act(campaign, number), range(PEOPLE)))
    stored = AuditEntry.objects.count()
    followed = AuditEntry.objects.order_by().values("previous").distinct().count()
    found = {
        "lost": before + acted - stored,
        "forks": stored - followed,
        "fault": check_chain().fault,
    }
    print(json.dumps(found))


def _act(campaign: Campaign, number: int) -> int:
    """The number of acts that were committed."""
    _start.wait()
    try:
        for place in range(ACTS):
            with transaction.atomic():
                _record(campaign, number)
                transaction.set_rollback(place % 5 == 4)
    finally:
        connection.close()
    return ACTS * 4 // 5


def _act_carelessly(campaign: Campaign, number: int) -> int:
    try:
        _record(campaign, number)
    finally:
        connection.close()
    return 1


def _record(campaign: Campaign, number: int) -> None:
    audit.record(AuditAction.EXPORT_TAKEN, campaign=campaign, subject=("trial", number))


class _NoTransaction:
    """The connection, said to be in a transaction that it is not in: nobody waits for anybody."""

    in_atomic_block = True

    def __getattr__(self, name: str) -> Any:
        return getattr(connection, name)


def _remove_guards() -> None:
    """No transaction, no constraints; everybody has looked for the last entry before anybody adds
    one."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE unguarded AS SELECT * FROM tasks_auditentry")
        cursor.execute("DROP TABLE tasks_auditentry")
        cursor.execute("ALTER TABLE unguarded RENAME TO tasks_auditentry")
    everybody_looked, hashed = Barrier(PEOPLE, timeout=120), entry_hash

    def hash_once_all_have_looked(values: Sequence[Any]) -> str:
        everybody_looked.wait()
        return hashed(values)

    for name, naive in [
        ("connection", _NoTransaction()),
        ("entry_hash", hash_once_all_have_looked),
    ]:
        setattr(audit, name, naive)
