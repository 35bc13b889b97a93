from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from tasks.jobs.queries import failures_of
from tasks.jobs.workflow.jobs import start_job
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.management.waiting import add_wait, follow
from tasks.models import JobKind
from tasks.prefill.queries.matchers import require_matcher_name
from tomahto.answerers.registry import answerer_names
from tomahto.matching.registry import matcher_names, suggesting_matchers


class Command(TomahtoCommand):
    help = "Let workers score all items with matchers, or make candidates with answerers."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument(
            "--matcher",
            action="append",
            default=[],
            metavar="NAME",
            help=f"one of {', '.join(matcher_names())}, or one that the campaign has trained, such "
            "as feather@SLUG; default, if no answerer is named either: all that are usable "
            "here, without the baselines",
        )
        parser.add_argument(
            "--answerer",
            action="append",
            default=[],
            choices=answerer_names(),
            metavar="NAME",
            help=f"one of {', '.join(answerer_names())}",
        )
        add_wait(parser, "all is done")

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        for name in options["matcher"]:
            require_matcher_name(campaign, name)
        matchers = options["matcher"] or ([] if options["answerer"] else suggesting_matchers())
        wanted = [(JobKind.ANSWER, name) for name in options["answerer"]]
        wanted += [(JobKind.SUGGEST, name) for name in matchers]
        jobs = [
            start_job(campaign=campaign, kind=kind, parameters={"name": name})
            for kind, name in wanted
        ]
        follow(*jobs, wait=options["wait"])
        return {
            "jobs": [
                {
                    "id": job.pk,
                    "kind": job.kind,
                    "name": job.parameters["name"],
                    "state": job.state,
                    "done": job.done,
                    "total": job.total,
                    "failed": failures_of(job).filter(acknowledged_at=None).count(),
                    "result": job.result,
                }
                for job in jobs
            ]
        }

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        for job in result["jobs"]:
            failed = f", failed at {job['failed']:,}" if job["failed"] else ""
            yield f"job {job['id']}: {job['kind']} {job['name']}, {job['state']}{failed}"

    def is_failure(self, result: Mapping[str, Any]) -> bool:
        """Items that a job failed at are missing, although it is done."""
        return any(job["failed"] for job in result["jobs"])
