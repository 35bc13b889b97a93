"""Whether the site lives, and whether it can work. For load balancers and ./run."""

from collections.abc import Mapping
from typing import Final

from celery.exceptions import OperationalError
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse

from annotation_site.celery import app
from tasks.jobs.queries import is_scheduler_there
from tasks.models import SILENT_AFTER

HOW_TO_START: Final[Mapping[str, str]] = {
    "database": "cannot be reached or is not migrated; see DATABASE_URL, and start "
    "`./run manage migrate` or the service migrate of docker/compose.yaml",
    "broker": "cannot be reached; see TOMAHTO_BROKER_URL, and start it or the service redis of "
    "docker/compose.yaml",
    "scheduler": f"no sign of life in the last {SILENT_AFTER.seconds} seconds; `./run` includes "
    "one, otherwise start `./run python -m celery --app annotation_site beat` or the "
    "service beat of docker/compose.yaml",
}
"""By part what is wrong with it where it is missing, and how it is started."""


def healthz(_request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


def readyz(_request: HttpRequest) -> JsonResponse:
    """Database and broker can be reached, and the scheduler was heard of; else 503.

    What cannot be known is null. `missing` says of what is false how to start it, in one line.
    """
    database = _database_answers()
    checks = {
        "database": database,
        "broker": _broker_answers(),
        "scheduler": _scheduler_ticks() if database else None,
    }
    if all(checks.values()):
        return JsonResponse(checks)
    parts = [
        f"{part}: {HOW_TO_START[part]}" for part, is_well in checks.items() if is_well is False
    ]
    return JsonResponse({**checks, "missing": "; ".join(parts)}, status=503)


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
    with app.connection_for_write() as broker:
        try:
            broker.ensure_connection(max_retries=1, timeout=2)
        except (OSError, OperationalError):
            return False
    return True
