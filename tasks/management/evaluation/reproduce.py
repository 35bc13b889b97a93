"""manage.py evaluate reproduce bulian|cap|cfmatch|squad FILE…"""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tasks.management.command import output_file
from tasks.management.evaluation.options import (
    Measure,
    Options,
    Result,
    add_bootstrap,
    bootstrap_of,
    named_matcher,
)
from tasks.management.evaluation.published_files import files_at, path_of
from tasks.management.evaluation.reproduced import PAPERS, ReproduceOptions
from tomahto.charts.table import PaperTable
from tomahto.charts.table_text import csv_table, latex_table, markdown_table
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.lab.reproduce.ae_files import bem_by_input
from tomahto.lab.reproduce.comparison import Counts, comparison_tables, joined_table, overview_table
from tomahto.matching.bem.matcher import Bem, load_bem
from tomahto.matching.interface import Matcher
from tomahto.matching.registry import load_matcher
from tomahto.pretrained.files import digest_file

_MATCHERS: Mapping[str, tuple[str, ...]] = {
    "bulian": ("em", "f1"),
    "cfmatch": ("em", "f1", "cfmatch"),
}
_BEM, _BULIAN = "bem", "bulian"


class _Reproduction(dict[str, Any]):
    """The result as a JSON object, and the tables it was made of for people."""

    tables: tuple[PaperTable, ...]
    summary: str


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paper", choices=PAPERS)
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="published files, each FILE or NAME=FILE; docs/reproduce.md says which",
    )
    parser.add_argument(
        "--matcher",
        action="append",
        type=named_matcher,
        metavar="[NAME=]MATCHER",
        help="also compute this metric, optionally under a name of the tables, as in "
        "cfm=cfmatch:weights.json; em and f1 are always computed if the paper has them",
    )
    parser.add_argument(
        "--bem",
        action="append",
        default=[],
        metavar="FOLDER",
        help="bulian: a BEM model, whose card names its input; may be repeated",
    )
    parser.add_argument(
        "--expected",
        type=Path,
        metavar="FILE",
        help="squad: a JSON object with the values of the official script",
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help="all figures in one CSV file")
    parser.add_argument("--latex", type=Path, metavar="FILE", help="the tables in LaTeX")
    add_bootstrap(parser)


def _work(options: Options) -> Result:
    paper = options["paper"]
    if options["bem"] and paper != _BULIAN:
        raise ValueError("--bem is for bulian")
    matchers = _matchers(paper, options["matcher"] or (), options["bem"])
    given = ReproduceOptions(options["files"], matchers, bootstrap_of(options), options["expected"])
    if options["expected"] and paper != "squad":
        raise ValueError("--expected is for squad")
    expected = [given.expected] if given.expected else []
    paths = [file for path in map(path_of, given.files) for file in files_at(path, paper)]
    files = [{"file": path.name, "sha256": digest_file(path)} for path in (*paths, *expected)]
    source = ", ".join(f"{file['file']} (sha256 {file['sha256'][:12]})" for file in files)
    source = source or "no file"
    found = PAPERS[paper](given, source)
    overview = overview_table(found.paper, found.compared, source)
    result = _Reproduction(
        paper=paper,
        files=files,
        matchers=[{"name": name, "version": one.version} for name, one in matchers.items()],
        replicates=given.bootstrap.replicates,
        seed=given.bootstrap.seed,
        figures=[one.as_json() for one in found.compared],
        tables=[_table_as_json(table) for table in found.more],
        overview=_table_as_json(overview)["rows"],
        counts=Counts.of(found.compared)._asdict(),
    )
    result.summary = f"{paper}: {Counts.of(found.compared)}"
    compared = comparison_tables(found.compared, source, found.notes)
    result.tables = (*compared, *found.more, overview)
    if options["csv"]:
        with output_file(options["csv"]) as file:
            file.write(csv_table(joined_table(found.compared, source, found.notes)))
    if options["latex"]:
        with output_file(options["latex"]) as file:
            for table in result.tables:
                file.write(latex_table(table, f"{paper}-{table.key}") + "\n")
    return result


def _matchers(
    paper: str, named: Iterable[tuple[str, str]], folders: Iterable[str]
) -> dict[str, Matcher]:
    """By name; for the paper that asks BEM in several ways, each BEM under what it reads."""
    chosen = {name: name for name in _MATCHERS.get(paper, ())} | dict(named)
    matchers = {name: load_matcher(matcher) for name, matcher in chosen.items()}
    if paper == _BULIAN:
        configured = matchers.pop(_BEM, None)
        for bem in (configured, *map(load_bem, folders)):
            matchers |= bem_by_input(bem) if isinstance(bem, Bem) else {}
    return matchers


def _table_as_json(table: PaperTable) -> dict[str, Any]:
    rows = [
        {
            column.key: estimate_as_json(cell) if isinstance(cell, Estimate) else cell
            for column, cell in zip(table.columns, row, strict=True)
        }
        for row in table.rows
    ]
    return {"key": table.key, "title": table.title, "rows": rows, "notes": list(table.notes)}


def _describe(result: Result) -> Iterator[str]:
    assert isinstance(result, _Reproduction)  # noqa: S101 - it is what `_work` made
    yield from map(markdown_table, result.tables)
    yield result.summary


REPRODUCE = Measure(
    "Recompute published figures from the published files, cell by cell.",
    _arguments,
    _work,
    _describe,
)
