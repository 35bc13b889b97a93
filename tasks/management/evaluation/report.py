"""manage.py evaluate report SOURCE [NAME=FILE …] [--matcher NAME …] [--section KEY …] …"""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tasks.intake.workflow.suggestions import Scale
from tasks.management.command import print_line
from tasks.management.evaluation.file_scores import scores_of_file
from tasks.management.evaluation.measure import Measure, Options, Result
from tasks.management.evaluation.options import (
    add_bootstrap,
    add_out_option,
    add_unit,
    bootstrap_of,
    matcher_argument,
    score_range,
)
from tasks.protocols import protocols
from tomahto.interchange.judgements.judged_lines import JudgedLines, judged_data_of_lines
from tomahto.interchange.reading.records import InputError
from tomahto.lab.judged import JudgedData
from tomahto.lab.judged_units import check_unit
from tomahto.lab.release_data import judged_data_of_release
from tomahto.lab.report import LabInput
from tomahto.lab.report_files import REPORT, report_file, report_files, write_files
from tomahto.lab.report_json import report_as_json, report_from_json
from tomahto.lab.scores import MetricScores, score_items
from tomahto.lab.sections import SECTIONS, check_split, make_report
from tomahto.matching.interface import Matcher
from tomahto.matching.registry import load_matcher
from tomahto.releases.records.errors import ReleaseError

DEFAULT_MATCHERS = ("em", "f1", "cfmatch", "feather")


def _arguments(parser: ArgumentParser) -> None:
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


def _work(options: Options) -> Result:
    out: Path | None = options["out"]
    source: Path = options["source"]
    data, brought = _read(source)
    scale = Scale(*options["range"])
    given = (
        *brought,
        *(scores_of_file(data, name, path, scale) for name, path in options["scores"]),
    )
    try:
        check_split(data, options["tune_on"])
        check_unit(data, options["unit"])
        wanted = _wanted(options["matchers"], given)
    except ValueError as error:
        raise InputError(str(error), file=str(source)) from error
    scores = (*given, *_scored(data, [load_matcher(name) for name in wanted]))
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


def _read(source: Path) -> JudgedLines:
    if not source.is_dir():
        return judged_data_of_lines(source, protocols().values())
    try:
        return JudgedLines(judged_data_of_release(source), ())
    except ReleaseError as error:
        raise InputError(str(error), file=str(source)) from error


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


def _scored(data: JudgedData, matchers: Iterable[Matcher]) -> Iterator[MetricScores]:
    for matcher in matchers:
        print_line(f"scoring {len(data.items):,} items with {matcher.name}")
        yield score_items(data.items, matcher)


def _tell_section(done: int, total: int, key: str) -> None:
    if key:
        print_line(f"section {done + 1} of {total}: {key}")


def _describe(result: Result) -> Iterable[str]:
    report = report_from_json(result)
    if "path" in result:
        counts = f"{report.items:,} items, {len(report.metrics)} metrics"
        yield f"{counts}, {len(report.sections)} sections; written to {result['path']}"
    else:
        yield report_file(report, REPORT).content.decode().rstrip("\n")


LAB_REPORT = Measure(
    "Write a report on metrics and systems for a release or your own labelled answers.",
    _arguments,
    _work,
    _describe,
)
