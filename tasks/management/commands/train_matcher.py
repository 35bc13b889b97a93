from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from tasks.jobs.workflow.jobs import start_job
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.management.evaluation.options import natural_number
from tasks.management.waiting import add_wait, follow
from tasks.models import Job, JobKind, TrainedMatcher, TrainedMatcherKind


class Command(TomahtoCommand):
    help = "Let a worker train a matcher on a campaign's majority labels."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--kind", required=True, choices=TrainedMatcherKind.values)
        parser.add_argument(
            "--seed", type=natural_number, default=0, help="of folds, trees, intervals; default 0"
        )
        add_wait(parser, "it is trained")

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        parameters = {"name": options["kind"], "seed": options["seed"]}
        job = start_job(campaign=campaign, kind=JobKind.TRAIN, parameters=parameters)
        follow(job, wait=options["wait"])
        return {"job": job.pk, "state": job.state, "result": job.result, **_curve(job)}

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        yield f"job {result['job']}: {result['state']}"
        if result["result"] is None:
            return
        done = result["result"]
        yield "{matcher} {digest}: {labels} labels of {documents} documents{again}".format(
            **done, again="" if done["is_new"] else ", stored before"
        )
        curve = result["learning_curve"]
        for point in curve["points"]:
            yield f"{point['labels']} labels: {_accuracy(point['accuracy'])}"
        yield f"of this site: {_accuracy(curve['baselines']['shipped'])}"
        yield f"token F1, tuned: {_accuracy(curve['baselines']['token_f1'])}"


def _curve(job: Job) -> dict[str, Any]:
    if job.result is None:
        return {}
    kind, digest = job.parameters["name"], job.result["digest"]
    trained = TrainedMatcher.objects.get(campaign=job.campaign_id, kind=kind, digest=digest)
    return {"learning_curve": trained.learning_curve}


def _accuracy(estimate: Mapping[str, Any]) -> str:
    if estimate["value"] is None:
        return f"undefined, {estimate['reason']}"
    return "accuracy {value} [{low}, {high}] (n = {n})".format(**estimate)
