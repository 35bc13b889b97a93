"""Messages that wake workers. They carry ids alone, and may come twice or never: the tables say
what there is to do, and the sweep sends again what was not begun."""

import logging

from django.conf import settings
from django.utils.module_loading import import_string

logger = logging.getLogger(__name__)


def send(task: str, *ids: int, expires: float | None = None) -> bool:
    """Send a message to the workers by the name of its task; whether the broker took it.

    After `expires` seconds it is worth nothing any more.
    """
    from kombu.exceptions import OperationalError  # only who sends needs it, and it takes long

    try:
        import_string(settings.CELERY_APP_PATH).send_task(task, args=ids, expires=expires)
    except (OSError, OperationalError):
        logger.exception("%s could not be sent for %s; the scheduler will send it", task, ids)
        return False
    return True
