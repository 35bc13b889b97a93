"""The Celery app. It only wakes workers: the job table says what there is to do.

Loaded by workers and by who sends a message: a command that queues nothing starts without it.
"""

import os
from typing import Any

from celery import Celery, Task
from celery.signals import before_task_publish, task_postrun, task_prerun, worker_init
from kombu.transport import TRANSPORT_ALIASES

from annotation_site.request_log import current_request_id

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_site.settings")

TRANSPORT_ALIASES["filesystem"] = "annotation_site.file_broker:Transport"


def _load_work(**_signal: Any) -> None:
    """Before a worker starts its processes: what they do is loaded once, and shared."""
    from tasks.jobs.registry import load_work

    load_work()


app = Celery("tomahto")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(
    ["tasks.jobs", "tasks.events", "tasks.agreement", "tasks.talk"], related_name="work"
)
worker_init.connect(_load_work)

_HEADER = "tomahto_request_id"


@before_task_publish.connect
def pass_request_id_on(headers: dict[str, Any], **_signal: Any) -> None:
    """A message sent while a request is answered carries the request's id."""
    if request_id := current_request_id.get():
        headers[_HEADER] = request_id


@task_prerun.connect
def take_request_id_over(task: Task[..., Any], **_signal: Any) -> None:
    """The log of a job names the request that woke its worker."""
    current_request_id.set(task.request.get(_HEADER) or "")


@task_postrun.connect
def forget_request_id(**_signal: Any) -> None:
    current_request_id.set("")
