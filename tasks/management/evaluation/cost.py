"""manage.py evaluate cost [--matcher NAME …] [--pairs FILE]"""

import hashlib
import json
import os
import platform
from argparse import ArgumentParser
from dataclasses import asdict, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from django.conf import settings

from tasks.management.evaluation.options import (
    Measure,
    Options,
    Result,
    SectionResult,
    add_out_option,
    matcher_argument,
    positive_number,
)
from tomahto.interchange.judgements.pairs import read_pairs
from tomahto.interchange.reading.records import InputError
from tomahto.lab.cost import CostReport, Machine, PairSet, cost_section
from tomahto.matching.cost import measure_cost
from tomahto.matching.registry import available_matchers

_DEMO = Path("demo", "items_cap.jsonl")
_LIBRARIES = ("numpy", "torch", "transformers")
_PROCESSOR = Path("/proc/cpuinfo")


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--matcher",
        action="append",
        type=matcher_argument,
        metavar="NAME",
        help="may be repeated; default all that can be loaded here",
    )
    parser.add_argument(
        "--pairs",
        type=Path,
        metavar="FILE",
        help='JSON lines of {"question", "references", "candidate"[, "context"]}, one pair '
        f"each, even if the candidate is a list of names; default those of {_DEMO}",
    )
    parser.add_argument(
        "--runs",
        type=positive_number,
        default=7,
        help="runs, of which the median counts; default 7",
    )
    add_out_option(parser)


def _work(options: Options) -> Result:
    path = options["pairs"] or settings.BASE_DIR / _DEMO
    rows = list(read_pairs(path))
    pairs = [pair for row in rows for pair in row.pairs]
    if not pairs:
        raise InputError("holds no pair", file=str(path))
    names = dict.fromkeys(options["matcher"] or available_matchers())
    name_of_pairs = path.name if options["pairs"] else str(_DEMO)
    content = json.dumps([asdict(pair) for pair in pairs], ensure_ascii=False)
    digest = hashlib.sha256(content.encode()).hexdigest()[:12]
    costs = (
        measure_cost(
            name,
            pairs,
            runs=options["runs"],
            models=settings.MODELS,
            aliases=settings.ALIASES_FILE,
        )
        for name in names
    )
    per_line = len(pairs) / len(rows)  # a line counts once, with all its names
    report = CostReport(
        machine=this_machine(),
        pairs=PairSet(name_of_pairs, len(rows), digest),
        runs=options["runs"],
        costs=tuple(
            replace(cost, seconds=tuple(per_line * each for each in cost.seconds)) for cost in costs
        ),
    )
    return SectionResult(report.as_json(), cost_section(report))


def this_machine() -> Machine:
    versions = {"python": platform.python_version()}
    for library in _LIBRARIES:
        try:
            versions[library] = version(library)
        except PackageNotFoundError:
            continue
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.machine()}",
        versions=versions,
    )


def _processor() -> str:
    """The name of the processor; its kind where the system does not know the name."""
    lines = _PROCESSOR.read_text().splitlines() if _PROCESSOR.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()


COST = Measure(
    "Measure the time, memory and disk space of matchers on one core.", _arguments, _work
)
