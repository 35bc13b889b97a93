"""A worker's life: it reports, takes jobs and does what features have registered for them.

A message may come twice or never; the job table decides (tasks/jobs/workflow/jobs.py).
"""

import logging
from functools import partial
from typing import TYPE_CHECKING, Any

from celery import shared_task
from celery.exceptions import OperationalError
from celery.signals import (
    after_task_publish,
    beat_init,
    worker_process_init,
    worker_process_shutdown,
    worker_shutdown,
)
from django.conf import settings
from django.db import connection
from django.utils.module_loading import import_string

from tasks.jobs.registry import work_of
from tasks.jobs.workflow import jobs, workers
from tasks.jobs.workflow.jobs import RUN_JOB, send_waiting_jobs
from tasks.models import ActorKind, Job, JobKind
from tasks.storing.acts import Actor, acting

if TYPE_CHECKING:
    from celery.beat import Service

logger = logging.getLogger(__name__)

# The functions below belong to the site's app and go to its broker, whoever imported them first.
import_string(settings.CELERY_APP_PATH).set_default()


@shared_task(name="tasks.sweep", expires=10)
def sweep() -> None:
    """Send what is due: jobs of dead workers, messages that never arrived, the next tries."""
    send_waiting_jobs()


@shared_task(name=RUN_JOB)
def run_job(job_id: int) -> None:
    """Do one job, if it is still there to be done."""
    job = jobs.begin(job_id=job_id)
    if job is None:
        return
    work, final = work_of(JobKind(job.kind))
    try:
        with (
            jobs.renewed_lease(job=job),
            workers.busy_with(job=job),
            acting(partial(_whoever_started, job)),
        ):
            result = work(job)
        jobs.finish(job=job, result=result)
    except jobs.LeaseLost:
        logger.warning("job %s was cancelled, or taken over by another worker", job_id)
    except final as error:
        jobs.give_up(job=job, error=str(error))
    except Exception as error:
        logger.exception("job %s failed", job_id)
        jobs.hand_back(job=job, error=f"{type(error).__name__}: {error}")


def _whoever_started(job: Job) -> Actor:
    via = f"job {job.pk}"
    if job.created_by is None:
        return Actor(ActorKind.WORKER, via=via)
    return Actor(ActorKind.PERSON, job.created_by.username, job.created_by, via)


@beat_init.connect
def sweep_at_once(sender: "Service", **_signal: Any) -> None:
    """The scheduler has started: what came due while there was none waits no longer.

    Every sweep that it sends from now on is written down, for /readyz.
    """
    after_task_publish.connect(_note_tick, sender=sweep.name)
    if "sweep" in sender.app.conf.beat_schedule:
        try:
            sweep.delay()
        except (OSError, OperationalError):
            logger.exception("the first sweep could not be sent; the scheduler will send the next")


_ticks = workers.Ticks()


def _note_tick(**_signal: Any) -> None:
    try:
        _ticks.note()
    finally:
        connection.close()  # it is needed again in some seconds only, and may be gone by then


@worker_process_init.connect
def report_for_work(sender: str, **_signal: Any) -> None:
    """A process that does jobs has started; `sender` is its worker's name."""
    workers.start_heartbeat(name=sender)


@worker_process_shutdown.connect
@worker_shutdown.connect
def sign_off(**_signal: Any) -> None:
    workers.stop_heartbeat()
