"""Whether the site lives, and whether it can work. For load balancers and ./run."""

from celery.exceptions import OperationalError
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse

from annotation_site.celery import app
from tasks.queries.operation import is_scheduler_there


def healthz(_request: HttpRequest) -> JsonResponse:
    """The process answers."""
    return JsonResponse({"status": "ok"})


def readyz(_request: HttpRequest) -> JsonResponse:
    """Database and broker can be reached, and the scheduler was heard of; 503 names what is wrong.

    What cannot be known is null.
    """
    database = _database_answers()
    checks = {
        "database": database,
        "broker": _broker_answers(),
        "scheduler": _scheduler_ticks() if database else None,
    }
    return JsonResponse(checks, status=200 if all(checks.values()) else 503)


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
