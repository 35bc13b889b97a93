"""Whether the site lives, and whether it can work. For load balancers and ./run."""

from celery.exceptions import OperationalError
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse

from annotation_site.celery import app


def healthz(_request: HttpRequest) -> JsonResponse:
    """The process answers."""
    return JsonResponse({"status": "ok"})


def readyz(_request: HttpRequest) -> JsonResponse:
    """Database and broker can be reached; 503 names what cannot."""
    checks = {"database": _database_answers(), "broker": _broker_answers()}
    status = 200 if all(checks.values()) else 503
    return JsonResponse(checks, status=status)


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM tasks_campaign WHERE 1 = 0")
    except DatabaseError:
        return False
    return True


def _broker_answers() -> bool:
    with app.connection_for_write() as broker:
        try:
            broker.ensure_connection(max_retries=1, timeout=2)
        except (OSError, OperationalError):
            return False
    return True
