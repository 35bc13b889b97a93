"""The Celery functions: they take ids, load, and call the workflow. No result travels back.

A message may come twice or never; the job table decides (tasks/jobs/workflow/jobs.py).
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from celery import shared_task
from celery.exceptions import OperationalError
from celery.signals import (
    after_task_publish,
    beat_init,
    worker_process_init,
    worker_process_shutdown,
)
from django.conf import settings
from django.db import connection, models, transaction
from django.utils.module_loading import import_string

from exporters.plan import ReleasePlan
from tasks.agreement.alert_messages import send_by_mail, send_by_webhook
from tasks.agreement.workflow.alerts import raise_stalled
from tasks.agreement.workflow.assessment import ask, assess, due_campaigns
from tasks.campaigns.workflow.campaign import change_settings
from tasks.evaluations.workflow.evaluation import EvaluationRefused, run_evaluation
from tasks.evaluations.workflow.leaderboard import bring_up_to_date
from tasks.events.workflow.delivery import note_failure, note_sent, take_due_deliveries
from tasks.events.workflow.webhook_delivery import deliver_due, forget_delivered, mend_campaigns
from tasks.intake.workflow.candidates import answer_questions
from tasks.jobs.workflow import jobs, workers
from tasks.models import (
    ActorKind,
    Alert,
    Campaign,
    Channel,
    GeneratedKind,
    Job,
    JobKind,
    Membership,
    TrainedMatcherKind,
    User,
)
from tasks.prefill.queries.trained_matchers import is_trained_name, load_trained_matcher
from tasks.prefill.workflow.generation import GenerationRefused, generate
from tasks.prefill.workflow.matcher_training import TrainingRefused, train_on_labels
from tasks.prefill.workflow.suggestions import suggest
from tasks.release_store.places import release_place
from tasks.releases.workflow.listing import ReleaseRefused
from tasks.releases.workflow.preview import preview, preview_result
from tasks.releases.workflow.release import publish_release
from tasks.storing.acts import Actor, acting
from tomahto.answerers.registry import UnknownAnswererError, load_answerer
from tomahto.endpoint.errors import EndpointRefused
from tomahto.generation.endpoints import load_endpoint
from tomahto.lab.leaderboards.leaderboard import SAME_AS_METRICS
from tomahto.learning.weights_file import WeightsError
from tomahto.matchers.aliases import AliasesError
from tomahto.matchers.baselines.package import PackageMissingError
from tomahto.matchers.interface import Matcher
from tomahto.matchers.registry import UnknownMatcherError, load_matcher, suggesting_matchers
from tomahto.pretrained.errors import ModelError
from tomahto.releases.records.errors import ReleaseError

if TYPE_CHECKING:
    from celery.beat import Service

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
    EvaluationRefused,
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


@transaction.atomic
def use_matcher(*, campaign: Campaign, name: str, by: Membership) -> Job:
    """Make a trained matcher the campaign's own, and let it score what it has not scored."""
    change_settings(campaign=campaign, changes={"suggestion_matcher": name})
    return start_job(
        campaign=campaign, kind=JobKind.SUGGEST, parameters={"name": name}, created_by=by.user
    )


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


def ask_for_figures(campaign: Campaign) -> None:
    """Have a worker work out the figures of the dashboards, if none is told so already."""
    if ask(campaign=campaign):
        transaction.on_commit(partial(_send_assessment, campaign.pk))


def _send_assessment(campaign_id: int) -> None:
    try:
        assess_campaign.delay(campaign_id)
    except (OSError, OperationalError):
        logger.exception("campaign %s could not be sent for assessment", campaign_id)


@shared_task(name="tasks.assess_due", expires=60)
def assess_due() -> None:
    """Send campaigns whose figures are wanted or old."""
    for campaign_id in due_campaigns():
        _send_assessment(campaign_id)


@shared_task(name="tasks.assess")
def assess_campaign(campaign_id: int) -> None:
    """Work out a campaign's figures; whoever comes second leaves it to the first."""
    try:
        assess(campaign=Campaign.objects.get(pk=campaign_id))
    except Exception:
        logger.exception("the figures of campaign %s could not be worked out", campaign_id)
    tell_alerts()


@shared_task(name="tasks.watch_progress", expires=600)
def watch_progress() -> None:
    """Raise an alert where progress has stalled."""
    raise_stalled()
    tell_alerts()


@shared_task(name="tasks.tell_alerts", expires=60)
def tell_alerts() -> None:
    """Send what is to be told of alerts by now, and try again what failed."""
    for delivery in take_due_deliveries():
        try:
            assert delivery.alert is not None  # noqa: S101 - only those of alerts are taken
            _TELL[Channel(delivery.channel)](delivery.alert)
        except Exception as error:  # whatever a mail server or a receiver thinks of
            logger.warning("alert %s not told by %s", delivery.alert_id, delivery.channel)
            note_failure(delivery=delivery, error=str(error) or type(error).__name__)
        else:
            note_sent(delivery=delivery)


def send_alerts_soon() -> None:
    """Wake a worker for the alerts just raised; without one the next round finds them."""
    try:
        tell_alerts.delay()
    except (OSError, OperationalError):
        logger.exception("alerts could not be sent; the next round will send them")


@shared_task(name="tasks.deliver", expires=10)
def deliver() -> None:
    """Send events to the webhooks that want them."""
    deliver_due()


def deliver_soon() -> None:
    """Wake a worker for what has just been noted; without one the next round finds it."""
    try:
        deliver.delay()
    except (OSError, OperationalError):
        logger.exception("events could not be sent; the next round will send them")


@shared_task(name="tasks.tidy_webhooks", expires=3600)
def tidy_webhooks() -> None:
    """Delete what was delivered long ago, and mend what campaigns say of their webhooks."""
    forget_delivered()
    mend_campaigns()


_TELL: Mapping[Channel, Callable[[Alert], None]] = {
    Channel.MAIL: send_by_mail,
    Channel.WEBHOOK: send_by_webhook,
}


@shared_task(name="tasks.run_job")
def run_job(job_id: int) -> None:
    """Do one job, if it is still there to be done."""
    job = jobs.begin(job_id=job_id)
    if job is None:
        return
    try:
        with (
            jobs.renewed_lease(job=job),
            workers.busy_with(job=job),
            acting(partial(_whoever_started, job)),
        ):
            result = _WORK[JobKind(job.kind)](job)
        jobs.finish(job=job, result=result)
    except jobs.LeaseLost:
        logger.warning("job %s was cancelled, or taken over by another worker", job_id)
    except _FINAL as error:
        jobs.give_up(job=job, error=str(error))
    except Exception as error:
        logger.exception("job %s failed", job_id)
        jobs.hand_back(job=job, error=f"{type(error).__name__}: {error}")


def _whoever_started(job: Job) -> Actor:
    via = f"job {job.pk}"
    if job.created_by is None:
        return Actor(ActorKind.WORKER, via=via)
    return Actor(ActorKind.PERSON, job.created_by.username, job.created_by, via)


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
    plan = ReleasePlan.from_json(job.parameters)
    notes: list[str] = []
    release = publish_release(
        campaign=job.campaign,
        plan=plan,
        out=release_place(job.campaign.slug, plan.version),
        created_by=job.created_by,
        require_held=partial(jobs.require_held, job=job),
        note=notes.append,
        report=partial(_report_rows, job),
    )
    result = {"version": release.version, "digest": release.digest}
    return result | ({"notes": "; ".join(notes)} if notes else {})


def _preview(job: Job) -> dict[str, Any]:
    plan = ReleasePlan.from_json(job.parameters)
    figures = preview(campaign=job.campaign, plan=plan, report=partial(_report_rows, job))
    return preview_result(figures)


def _submission(job: Job) -> dict[str, Any]:
    names = [name for name in suggesting_matchers() if name not in SAME_AS_METRICS]
    matchers = [load_matcher(name) for name in names]
    return bring_up_to_date(job=job, matchers=matchers, report=partial(_report_rows, job))


def _report_rows(job: Job, done: int, total: int) -> None:
    jobs.report_progress(job=job, done=done, total=total)


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


def _evaluate(job: Job) -> dict[str, Any]:
    evaluation = run_evaluation(job=job)
    return {"evaluation": evaluation.pk, "digest": evaluation.digest}


_WORK: Mapping[JobKind, Callable[[Job], dict[str, Any]]] = {
    JobKind.SUGGEST: _suggest,
    JobKind.ANSWER: _answer,
    JobKind.GENERATE: _generate,
    JobKind.TRAIN: _train,
    JobKind.RELEASE: _release,
    JobKind.PREVIEW: _preview,
    JobKind.EVALUATE: _evaluate,
    JobKind.SUBMISSION: _submission,
}


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
    """A process of a worker has started; `sender` is the worker's name."""
    workers.start_heartbeat(name=sender)


@worker_process_shutdown.connect
def sign_off(**_signal: Any) -> None:
    """A process of a worker ends as it should."""
    workers.stop_heartbeat()
