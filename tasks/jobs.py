"""The Celery functions: they take ids, load, and call the workflow. No result travels back.

A message may come twice or never; the job table decides (tasks/workflow/jobs.py).
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from celery import shared_task
from celery.exceptions import OperationalError
from celery.signals import worker_process_init, worker_process_shutdown
from django.conf import settings
from django.db import models, transaction
from django.utils.module_loading import import_string

from exporters.errors import ReleaseError
from inference.answerers.registry import UnknownAnswererError, load_answerer
from inference.baselines.package import PackageMissingError
from inference.endpoint.errors import EndpointRefused
from inference.generation.endpoints import load_endpoint
from inference.matchers.aliases import AliasesError
from inference.matchers.interface import Matcher
from inference.matchers.registry import UnknownMatcherError, load_matcher
from inference.matchers.weights_file import WeightsError
from inference.pretrained.errors import ModelError
from tasks.models import Campaign, GeneratedKind, Job, JobKind, TrainedMatcherKind, User
from tasks.queries.trained_matchers import is_trained_name, load_trained_matcher
from tasks.workflow import jobs, workers
from tasks.workflow.candidates import answer_questions
from tasks.workflow.generation import GenerationRefused, generate
from tasks.workflow.matcher_training import TrainingRefused, train_on_labels
from tasks.workflow.release import ReleaseRefused, publish_release, release_folder
from tasks.workflow.suggestions import suggest

logger = logging.getLogger(__name__)

# The functions below belong to the site's app and go to its broker, whoever imported them first.
import_string(settings.CELERY_APP_PATH).set_default()

# What trying again cannot mend. Everything else may pass: a full disk, a database that restarts.
_FINAL = (
    UnknownMatcherError,
    UnknownAnswererError,
    ModelError,
    AliasesError,
    PackageMissingError,
    EndpointRefused,
    GenerationRefused,
    TrainingRefused,
    WeightsError,
    ReleaseRefused,
    ReleaseError,
)


def start_job(
    *,
    campaign: Campaign,
    kind: JobKind,
    parameters: Mapping[str, Any],
    created_by: User | None = None,
) -> Job:
    """Queue a job and wake a worker once the transaction is committed."""
    job = jobs.enqueue(campaign=campaign, kind=kind, parameters=parameters, created_by=created_by)
    transaction.on_commit(send_waiting_jobs)
    return job


def send_waiting_jobs() -> None:
    """Wake workers for what is due.

    While the broker cannot be reached nothing is sent, and nobody has to wait for it more than
    once: the sweep sends it all later.
    """
    for job_id in jobs.jobs_to_send():
        try:
            run_job.delay(job_id)
        except (OSError, OperationalError):
            logger.exception("job %s could not be sent; the sweep will send it", job_id)
            return


@shared_task(name="tasks.sweep", expires=10)
def sweep() -> None:
    """Send what is due: jobs of dead workers, messages that never arrived, the next tries."""
    send_waiting_jobs()


@shared_task(name="tasks.run_job")
def run_job(job_id: int) -> None:
    """Do one job, if it is still there to be done."""
    job = jobs.begin(job_id=job_id)
    if job is None:
        return
    try:
        with jobs.renewed_lease(job=job), workers.busy_with(job=job):
            result = _WORK[JobKind(job.kind)](job)
        jobs.finish(job=job, result=result)
    except jobs.LeaseLost:
        logger.warning("job %s was cancelled, or taken over by another worker", job_id)
    except _FINAL as error:
        jobs.give_up(job=job, error=str(error))
    except Exception as error:
        logger.exception("job %s failed", job_id)
        jobs.hand_back(job=job, error=f"{type(error).__name__}: {error}")


def _suggest(job: Job) -> dict[str, Any]:
    matcher = _matcher(job.campaign, job.parameters["name"])
    left = suggest(job=job, matcher=matcher)
    total = _report(job, left, job.campaign.items)
    return {"matcher": matcher.name, "version": matcher.version, "items": total}


def _matcher(campaign: Campaign, name: str) -> Matcher:
    if is_trained_name(name):
        return load_trained_matcher(campaign, name)
    return load_matcher(name)


def _answer(job: Job) -> dict[str, Any]:
    answerer = load_answerer(job.parameters["name"])
    left = answer_questions(job=job, answerer=answerer)
    total = _report(job, left, job.campaign.questions)
    return {"answerer": answerer.name, "version": answerer.version, "questions": total}


def _report(
    job: Job, left_after_each_batch: Iterator[int], all_there_is: models.Manager[Any]
) -> int:
    """Work through the batches; the number there is, whether done now or by an earlier attempt."""
    total = 0
    for left in left_after_each_batch:
        total = all_there_is.count()
        jobs.report_progress(job=job, done=total - left, total=total)
    return total


def _release(job: Job) -> dict[str, Any]:
    version = job.parameters["version"]
    release = publish_release(
        campaign=job.campaign,
        version=version,
        split=job.parameters["split"],
        seed=job.parameters["seed"],
        out=release_folder(job.campaign, version),
        created_by=job.created_by,
        before_writing=partial(jobs.require_held, job=job),
    )
    return {"version": release.version, "digest": release.digest}


def _train(job: Job) -> dict[str, Any]:
    kind = TrainedMatcherKind(job.parameters["name"])
    trained = train_on_labels(job=job, kind=kind, seed=job.parameters["seed"])
    return {
        "matcher": trained.name,
        "digest": trained.digest,
        "labels": trained.labels,
        "documents": trained.documents,
        "is_new": trained.job_id == job.pk,
    }


def _generate(job: Job) -> dict[str, Any]:
    kind = GeneratedKind(job.parameters["kind"])
    endpoint = load_endpoint(job.parameters["name"])
    progress = generate(
        campaign=job.campaign, kind=kind, number=job.parameters["number"], endpoint=endpoint
    )
    done = wanted = 0
    for done, wanted in progress:
        jobs.report_progress(job=job, done=done, total=wanted)
    return {"kind": kind, "model": endpoint.options.model, "drafts": done, "wanted": wanted}


_WORK: Mapping[JobKind, Callable[[Job], dict[str, Any]]] = {
    JobKind.SUGGEST: _suggest,
    JobKind.ANSWER: _answer,
    JobKind.GENERATE: _generate,
    JobKind.TRAIN: _train,
    JobKind.RELEASE: _release,
}


@worker_process_init.connect
def report_for_work(sender: str, **_signal: Any) -> None:
    """A process of a worker has started; `sender` is the worker's name."""
    workers.start_heartbeat(name=sender)


@worker_process_shutdown.connect
def sign_off(**_signal: Any) -> None:
    """A process of a worker ends as it should."""
    workers.stop_heartbeat()
