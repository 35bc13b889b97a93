"""The jobs that prepare items: matchers score, endpoints write, matchers are trained."""

from typing import Any

from tasks.jobs.registry import does
from tasks.jobs.workflow.jobs import report_batches, report_progress
from tasks.models import GeneratedKind, Job, JobKind, TrainedMatcherKind
from tasks.prefill.queries.matchers import is_trained_name, load_trained_matcher
from tasks.prefill.workflow.generation import USUAL_ROUNDS, GenerationRefused, Progress, generate
from tasks.prefill.workflow.matchers import TrainingRefused, suggest, train_on_labels
from tomahto.answerers.registry import UnknownAnswererError, load_endpoint
from tomahto.endpoint.reply import EndpointRefused
from tomahto.extras import PackageMissingError
from tomahto.generation.rules import GUIDELINE_SEEDS, seeds_from
from tomahto.learning.files import WeightsError
from tomahto.matching.registry import CANNOT_BE_USED, load_matcher
from tomahto.pretrained.files import ModelError


@does(JobKind.SUGGEST, final=CANNOT_BE_USED)
def suggestions(job: Job) -> dict[str, Any]:
    name = job.parameters["name"]
    is_trained = is_trained_name(name)
    matcher = load_trained_matcher(job.campaign, name) if is_trained else load_matcher(name)
    left = suggest(job=job, matcher=matcher)
    total = report_batches(job, left, job.campaign.items)
    return {"matcher": matcher.name, "version": matcher.version, "items": total}


@does(JobKind.TRAIN, final=(TrainingRefused, WeightsError, ModelError, PackageMissingError))
def training(job: Job) -> dict[str, Any]:
    kind = TrainedMatcherKind(job.parameters["name"])
    trained = train_on_labels(job=job, kind=kind, seed=job.parameters["seed"])
    return {
        "matcher": trained.name,
        "digest": trained.digest,
        "labels": trained.labels,
        "documents": trained.documents,
        "is_new": trained.job_id == job.pk,
    }


@does(JobKind.GENERATE, final=(GenerationRefused, UnknownAnswererError, EndpointRefused))
def generation(job: Job) -> dict[str, Any]:
    asked = job.parameters
    kind = GeneratedKind(asked["kind"])
    endpoint = load_endpoint(asked["name"])
    progress = generate(
        campaign=job.campaign,
        kind=kind,
        number=asked["number"],
        endpoint=endpoint,
        rounds=asked.get("rounds", USUAL_ROUNDS),
        seeds=seeds_from(asked["seeds"]) if "seeds" in asked else GUIDELINE_SEEDS,
    )
    made = Progress(0, 0)
    for made in progress:
        report_progress(job=job, done=made.done, total=made.wanted)
    fewer = {"missing": dict(made.missing), "reasons": dict(made.reasons)} if made.missing else {}
    counts = {"drafts": made.done, "wanted": made.wanted}
    return {"kind": kind, "model": endpoint.options.model, **counts, **fewer}
