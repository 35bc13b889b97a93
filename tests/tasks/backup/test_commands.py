"""The output of the commands, and their exit codes."""

from pathlib import Path

import pytest

from tasks.models import AuditEntry
from tests.tasks.management.conftest import Manage, manage
from tests.tasks.models.guards import remove_guard

pytestmark = pytest.mark.slow


__all__ = ["manage"]


def test_check_says_whether_a_backup_is_whole(manage: Manage, backup: Path) -> None:
    printed = manage("backup", backup, "--check")
    assert printed.startswith(f"{backup} is complete: ")
    assert manage.json("backup", backup, "--check")["tables"]["tasks_rating"] == 6
    (backup / "tables" / "tasks_slot.jsonl").write_text("[]\n")
    assert "tables/tasks_slot.jsonl is damaged: 3 bytes instead of" in manage.error(
        "backup", backup, "--check"
    )


def test_backup_never_overwrites(manage: Manage, tmp_path: Path) -> None:
    said = manage.error("backup", tmp_path)
    assert said == f"CommandError: {tmp_path} already exists; a backup is never overwritten\n"


@pytest.mark.representative("a backup restored")
def test_restore_says_what_came_back(manage: Manage, original: Path, data_folder: Path) -> None:
    printed = manage("restore", original)
    assert printed.startswith("restored ")
    assert printed.splitlines()[0].endswith("every table matches the backup")
    assert printed.splitlines()[1:] == [
        "all sessions were ended, unfinished jobs cancelled and webhooks switched off"
    ]
    assert "the database is not empty" in manage.error("restore", original)


@pytest.mark.parametrize("name", ["restore", "backup"])
def test_folder_that_is_no_backup_is_refused(manage: Manage, tmp_path: Path, name: str) -> None:
    more = ("--check",) if name == "backup" else ()
    assert "manifest.json" in manage.error(name, tmp_path, *more)


def test_a_backup_shows_that_the_end_of_the_log_was_cut_off(
    manage: Manage, original: Path, data_folder: Path
) -> None:
    manage("restore", original)
    found = manage.json("verify_audit", "--anchor", original)
    # after it came that of the backup, and those of what the restore did
    assert found["anchored"] < found["entries"]
    assert found["anchors"] == {"releases": 1, "given": 1}
    remove_guard("tasks_auditentry")
    AuditEntry.objects.filter(sequence__gte=found["anchored"]).delete()
    left = found["anchored"] - 1
    assert manage.json("verify_audit")["ok"], "the release was made before"
    assert manage.json("verify_audit", "--anchor", original, code=1)["fault"] == (
        f"{original} records entry {left + 1}, and the log ends at {left}: its end was cut off"
    )
