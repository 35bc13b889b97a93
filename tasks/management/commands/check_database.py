"""manage.py check_database [--json]"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from tasks.management.command import TomahtoCommand
from tasks.management.integrity import fault_of, how_to_restore


class Command(TomahtoCommand):
    help = "Look through the whole file of a SQLite database; exit code 1 if it is damaged."

    def work(self, **options: Any) -> dict[str, Any]:  # noqa: ARG002 - has no options
        database = settings.EMBEDDED_DATABASE
        if not isinstance(database, Path):
            raise CommandError("this is for SQLite; PostgreSQL has the program pg_amcheck")
        if not database.is_file():
            raise CommandError(f"there is no database {database}")
        fault = fault_of(database, in_full=True)
        return {"database": str(database), "is_whole": not fault, "fault": fault}

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        if result["is_whole"]:
            yield f"{result['database']} is whole"
        else:
            hint = how_to_restore(settings.BACKUPS_URL or str(settings.BACKUPS_DIR))
            yield f"{result['database']} is damaged ({result['fault']}): {hint}"

    def is_failure(self, result: Mapping[str, Any]) -> bool:
        return not result["is_whole"]
