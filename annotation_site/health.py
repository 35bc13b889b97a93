"""Whether the site lives, and whether it can work. For load balancers and ./run."""

from collections.abc import Mapping
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse

from annotation_site.storage import newer_than_software, why_unwritable
from tasks.jobs.queries.operation import is_scheduler_there
from tasks.models import SILENT_AFTER

HOW_TO_START: Final[Mapping[str, str]] = {
    "database": "cannot be reached or is not migrated; see DATABASE_URL, and start "
    "`./run manage migrate` or the service migrate of docker/compose.yaml",
    "broker": "cannot be reached; see TOMAHTO_BROKER_URL, and start it or the service redis of "
    "docker/compose.yaml",
    "scheduler": f"none was heard of in the last {SILENT_AFTER.seconds} seconds; `./run` has one, "
    "else start `./run python -m celery --app annotation_site beat` or the service beat of "
    "docker/compose.yaml",
}
"""By part what is wrong with it where it is missing, and how it is started."""


def healthz(_request: HttpRequest) -> JsonResponse:
    """The process answers."""
    return JsonResponse({"status": "ok"})


def readyz(_request: HttpRequest) -> JsonResponse:
    """Database and broker can be reached, what is sent can be stored, and the scheduler was heard
    of; else 503.

    `warning` says what does not keep the site from working: a last backup that is too old. What
    cannot be known is null. `missing` says of what is false how to start it, in one line.
    """
    database = _database_answers()
    newer = newer_than_software() if database else ""
    is_known = database or settings.EMBEDDED_DATABASE is not None
    unwritable = why_unwritable() if is_known else ""
    checks = {
        "database": database and not newer,
        "storage": not unwritable if is_known else None,
        "broker": _broker_answers(),
        "scheduler": _scheduler_ticks() if database else None,
    }
    warning = {"warning": late} if database and (late := _late_backup()) else {}
    if all(checks.values()):
        return JsonResponse({**checks, **warning})
    said = {**HOW_TO_START, "storage": unwritable} | ({"database": newer} if newer else {})
    parts = [f"{part}: {said[part]}" for part, is_well in checks.items() if is_well is False]
    return JsonResponse({**checks, **warning, "missing": "; ".join(parts)}, status=503)


def _late_backup() -> str:
    """For monitors: people can work all the same."""
    from tasks.backup.scheduled.queries import backup_age  # pages do without

    try:
        age = backup_age()
    except DatabaseError:
        return ""
    if age is None or not age.is_too_old:
        return ""
    hours = age.age.total_seconds() / 3600
    return (
        f"backup: the site is {hours:,.0f} hours old and has none"
        if age.is_of_site
        else f"backup: the last good one is {hours:,.0f} hours old"
    )


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM tasks_campaign WHERE 1 = 0")
    except DatabaseError:
        return False
    return True


def _scheduler_ticks() -> bool | None:
    try:
        return is_scheduler_there()
    except DatabaseError:
        return None


def _broker_answers() -> bool:
    # pages do without Celery
    from celery.exceptions import OperationalError

    from annotation_site.celery import app

    with app.connection_for_write() as broker:
        try:
            broker.ensure_connection(max_retries=1, timeout=2)
        except (OSError, OperationalError):
            return False
    return True
