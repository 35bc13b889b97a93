"""Reports of the lab.

manage.py evaluate report SOURCE [NAME=FILE …] [--matcher NAME …] [--section KEY …] …
manage.py evaluate campaign SLUG [--release VERSION] [--metric NAME …] [--section KEY …]
"""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from tasks.evaluations.queries.metric_scores import available_metrics, usual_metrics
from tasks.evaluations.workflow.evaluation import REPLICATES, EvaluationPlan, evaluate
from tasks.intake.workflow.suggestions import Scale
from tasks.management.command import campaign_named, print_line
from tasks.management.evaluation.options import (
    Measure,
    Options,
    Result,
    add_bootstrap,
    add_out_option,
    add_unit,
    bootstrap_of,
    matcher_argument,
    naming,
    natural_number,
    positive_number,
    score_range,
)
from tasks.protocols import protocols
from tomahto.interchange.campaigns.ratings import read_suggestions
from tomahto.interchange.judgements.judged_lines import JudgedLines, judged_data_of_lines
from tomahto.interchange.reading.records import InputError
from tomahto.lab.judged import JudgedData, check_unit
from tomahto.lab.release_data import judged_data_of_release
from tomahto.lab.report import (
    LabInput,
    MetricScores,
    report_as_json,
    report_from_json,
    score_items,
    separating_threshold,
)
from tomahto.lab.report_files import REPORT, report_file, report_files, write_files
from tomahto.lab.sections import SECTIONS, check_split, make_report
from tomahto.matching.registry import load_matcher
from tomahto.pretrained.files import digest_file
from tomahto.releases.records.fields import ReleaseError

DEFAULT_MATCHERS = ("em", "f1", "cfmatch", "feather")


def _report_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "source",
        type=Path,
        help='the folder of a release, or JSON lines of {"question", "references", "candidate",'
        ' "label"[, "system" | "systems", "question_id", "document", "context", "split", "scores",'
        ' "ratings"]}',
    )
    parser.add_argument(
        "scores",
        nargs="*",
        type=_named_file,
        metavar="NAME=FILE",
        help="scores of another program's matcher for all items, in a format of import_suggestions",
    )
    parser.add_argument(
        "--range",
        type=score_range,
        default=(0.0, 1.0),
        metavar="LOW,HIGH",
        help="lowest and highest possible score in these files, such as 1,5; default 0,1; answers "
        "are accepted from the middle on, unless a file says otherwise",
    )
    parser.add_argument(
        "--matcher",
        action="append",
        type=matcher_argument,
        metavar="NAME",
        dest="matchers",
        help=f"matcher to judge; may be repeated; default {', '.join(DEFAULT_MATCHERS)}",
    )
    parser.add_argument(
        "--section",
        action="append",
        choices=tuple(SECTIONS),
        dest="sections",
        help="only this section; may be repeated",
    )
    parser.add_argument(
        "--tune-on", metavar="SPLIT", help="tune thresholds on this split, judge on the others"
    )
    add_out_option(parser)
    add_unit(parser)
    add_bootstrap(parser)


def _report(options: Options) -> Result:
    out: Path | None = options["out"]
    source: Path = options["source"]
    if source.is_dir():
        with naming(source, ReleaseError):
            data, brought = JudgedLines(judged_data_of_release(source), ())
    else:
        data, brought = judged_data_of_lines(source, protocols().values())
    scale = Scale(*options["range"])
    given = (
        *brought,
        *(scores_of_file(data, name, path, scale) for name, path in options["scores"]),
    )
    with naming(source, ValueError):
        check_split(data, options["tune_on"])
        check_unit(data, options["unit"])
        wanted = _wanted(options["matchers"], given)
    scores = list(given)
    for matcher in [load_matcher(name) for name in wanted]:
        print_line(f"scoring {len(data.items):,} items with {matcher.name}")
        scores.append(score_items(data.items, matcher))
    report = make_report(
        LabInput(data, scores, bootstrap_of(options), options["tune_on"], unit=options["unit"]),
        options["sections"],
        report=_tell_section,
    )
    if out is not None:
        write_files(report_files(report), out)
    return report_as_json(report) | ({} if out is None else {"path": str(out)})


def _named_file(text: str) -> tuple[str, Path]:
    name, _, path = text.partition("=")
    if not (name and path):
        raise ArgumentTypeError(f"{text!r} does not name its file, as in lerc=FILE")
    return name, Path(path)


def _wanted(chosen: Sequence[str] | None, given: Iterable[MetricScores]) -> tuple[str, ...]:
    """The matchers to score with: those chosen, or the default ones that no file brings.

    Raises ValueError if one that is chosen is among those of the files, or one of these comes
    twice.
    """
    names = [scores.metric for scores in given]
    own = set(names)
    if len(own) < len(names):
        raise ValueError(f"the same metric is named twice: {', '.join(names)}")
    if chosen is None:
        return tuple(name for name in DEFAULT_MATCHERS if name not in own)
    for name in chosen:
        if name in own:
            raise ValueError(f"already has scores of {name}: leave out --matcher {name}")
    return tuple(dict.fromkeys(chosen))


def _tell_section(done: int, total: int, key: str) -> None:
    if key:
        print_line(f"section {done + 1} of {total}: {key}")


def _describe_report(result: Result) -> Iterable[str]:
    report = report_from_json(result)
    if "path" in result:
        counts = f"{report.items:,} items, {len(report.metrics)} metrics"
        yield f"{counts}, {len(report.sections)} sections; written to {result['path']}"
    else:
        yield report_file(report, REPORT).content.decode().rstrip("\n")


LAB_REPORT = Measure(
    "Write a report on metrics and systems for a release or your own labelled answers.",
    _report_arguments,
    _report,
    _describe_report,
)


def scores_of_file(data: JudgedData, name: str, path: Path, scale: Scale) -> MetricScores:
    """Of every item, by its id. Lines of items that are not judged are left out.

    Raises InputError for a line without an id or whose score is off the scale, and if an item has
    no score, or two.
    """
    found: dict[str, tuple[float, bool]] = {}
    for row in read_suggestions(path, format=None):
        if row.item_id is None:
            raise row.source.error("is missing, but identifies the items of a release", "id")
        if row.item_id in found:
            raise row.source.error(f"item {row.item_id!r} already has a score", "score")
        found[row.item_id] = scale.judged(row)
    missing = [item.id for item in data.items if item.id not in found]
    if missing:
        fault = f"has no score of {len(missing):,} of {len(data.items):,} items, as {missing[0]!r}"
        raise InputError(fault, file=str(path))
    scores = np.array([found[item.id][0] for item in data.items], dtype=np.float64)
    with naming(path, ValueError):
        threshold = separating_threshold(found.values(), scale.place(scale.accepts_from))
    return MetricScores(name, scale.version(digest_file(path)), threshold, scores)


def _campaign_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("slug", help="short name of the campaign")
    parser.add_argument(
        "--release", metavar="VERSION", help="a release of the campaign; default: its current state"
    )
    parser.add_argument(
        "--metric",
        action="append",
        metavar="NAME",
        help="may be repeated; default: all that can score all items now, without baselines",
    )
    parser.add_argument(
        "--section", action="append", metavar="KEY", help="may be repeated; default: all"
    )
    parser.add_argument(
        "--tune-on", metavar="SPLIT", help="tune thresholds on this split, judge on the others"
    )
    add_unit(parser)
    parser.add_argument("--seed", type=natural_number, help="of intervals; default: the campaign's")
    parser.add_argument(
        "--replicates",
        type=positive_number,
        default=REPLICATES,
        help=f"of the bootstrap; default {REPLICATES}",
    )


def _campaign(options: Options) -> Result:
    campaign = campaign_named(options["slug"])
    metrics = options["metric"] or usual_metrics(campaign, available_metrics(campaign))
    seed, sections = options["seed"], options["section"]
    plan = EvaluationPlan(
        metrics=tuple(metrics),
        seed=campaign.seed if seed is None else seed,
        sections=tuple(sections) if sections else None,
        **{name: options[name] for name in ("release", "tune_on", "replicates", "unit")},
    )
    return report_as_json(evaluate(campaign=campaign, plan=plan))


CAMPAIGN = Measure(
    "Compare metrics and systems with the labels of a campaign in the database or of its release.",
    _campaign_arguments,
    _campaign,
    _describe_report,
)
