from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from tasks.jobs.workflow.jobs import start_job
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.management.evaluation.options import positive_number
from tasks.management.waiting import add_wait, follow
from tasks.models import GeneratedKind, JobKind
from tasks.prefill.workflow.generation import (
    MAX_GENERATED,
    USUAL_NUMBER,
    USUAL_ROUNDS,
    require_suitable,
)
from tomahto.answerers.registry import load_endpoint
from tomahto.endpoint.reply import EndpointError
from tomahto.generation.rules import TARGETS
from tomahto.interchange.judgements.pairs import read_rule_seeds
from tomahto.releases.documents.fact_sentences import counted

_FEWER = ("missing", "reasons")
_PER_CLASS = USUAL_NUMBER[GeneratedKind.CANDIDATES]
_TOTAL = USUAL_NUMBER[GeneratedKind.STATEMENTS]


class Command(TomahtoCommand):
    help = "Let a model write drafts for a benchmark, which people approve before they are rated."
    refusals = (*TomahtoCommand.refusals, EndpointError)

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--kind", required=True, choices=GeneratedKind.values)
        parser.add_argument(
            "--endpoint",
            required=True,
            metavar="NAME",
            help="an answerer of the kind endpoint (docs/answerers.md)",
        )
        parser.add_argument(
            "--per-class",
            type=int,
            metavar="N",
            help=f"drafts of each class or rule; default {_PER_CLASS}",
        )
        parser.add_argument(
            "--total",
            type=int,
            metavar="N",
            help=f"statements in total; default {_TOTAL}",
        )
        parser.add_argument(
            "--rounds",
            type=positive_number,
            metavar="N",
            help="rules: number of rounds, each of which sees the texts of the ones before; "
            f"default {USUAL_ROUNDS}",
        )
        parser.add_argument(
            "--seeds",
            type=Path,
            metavar="FILE",
            help='rules: JSON lines of {"rule", "question", "reference", "candidate", "label"} to '
            "start from; default the examples of the guidelines",
        )
        add_wait(parser, "all is done")

    def work(self, **options: Any) -> dict[str, Any]:
        kind, name = GeneratedKind(options["kind"]), options["endpoint"]
        number = _number(kind, per_class=options["per_class"], total=options["total"])
        how = _rounds(kind, options)
        campaign = campaign_named(options["slug"])
        require_suitable(campaign, kind)
        load_endpoint(name)
        job = start_job(
            campaign=campaign,
            kind=JobKind.GENERATE,
            parameters={"name": name, "kind": kind, "number": number, **how},
        )
        follow(job, wait=options["wait"])
        return {
            "job": job.pk,
            "kind": kind,
            "endpoint": name,
            "state": job.state,
            "drafts": job.done,
            "wanted": job.total,
            **{name: value for name, value in (job.result or {}).items() if name in _FEWER},
        }

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        counts = {name: value for name, value in result.items() if name not in _FEWER}
        yield from super().describe(counts)
        if missing := result.get("missing"):
            of_each = ", ".join(f"{target} {count:,}" for target, count in sorted(missing.items()))
            yield f"missing: {sum(missing.values()):,} ({of_each})"
            by_count = sorted(result["reasons"].items(), key=lambda one: (-one[1], one[0]))
            for reason, count in by_count:
                yield f"why, {counted(count, 'time')}: {reason}"


def _rounds(kind: GeneratedKind, options: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a job; none if nothing is chosen."""
    given = {name: options[name] for name in ("rounds", "seeds") if options[name] is not None}
    if given and kind != GeneratedKind.RULES:
        raise CommandError(f"--{next(iter(given))} is for rules")
    if "seeds" in given:
        given["seeds"] = read_rule_seeds(given["seeds"], TARGETS)
    return given


def _number(kind: GeneratedKind, *, per_class: int | None, total: int | None) -> int:
    if kind == GeneratedKind.STATEMENTS:
        wrong, given, option = per_class, total, "--total"
    else:
        wrong, given, option = total, per_class, "--per-class"
    if wrong is not None:
        raise CommandError(f"{kind} are counted by {option}")
    number = USUAL_NUMBER[kind] if given is None else given
    if not 0 < number <= MAX_GENERATED:
        raise CommandError(f"{option} must be from 1 to {MAX_GENERATED:,}, not {number}")
    return number
