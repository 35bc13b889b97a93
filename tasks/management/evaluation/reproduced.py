"""Figures that `manage.py evaluate reproduce` finds in published files, paper by paper."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

from tasks.management.evaluation.published_files import (
    ae_files,
    check_apart,
    files_of_models,
    is_of_statements,
    is_release,
    is_split,
    named_files,
    path_of,
    released,
)
from tasks.management.evaluation.squad import score_files
from tasks.protocols import cap as cap_protocol
from tomahto.charts.table import PaperTable
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.interchange.judgements.published import (
    read_answers,
    read_cap_answers,
    read_costs,
    read_item_scores,
    read_judged_statements,
    read_written_statements,
)
from tomahto.interchange.judgements.squad import read_expected_values
from tomahto.interchange.reading.records import InputError
from tomahto.lab.release_data import drawn_items
from tomahto.lab.reproduce import bulian, squad
from tomahto.lab.reproduce.bulian_systems import open_notes
from tomahto.lab.reproduce.cap.answers import CapAnswer, CapFiles, ItemScores, with_scores
from tomahto.lab.reproduce.cap.figures import cap_figures, explained
from tomahto.lab.reproduce.cap.release import (
    JudgedStatement,
    WrittenStatements,
    cap_release,
    statements_of,
    subjects_table,
)
from tomahto.lab.reproduce.cap.tables import cap_tables
from tomahto.lab.reproduce.cfmatch import figures as cfmatch
from tomahto.lab.reproduce.cfmatch.answers import Answers, RuledItems, ruled_items
from tomahto.lab.reproduce.cfmatch.figures import CfmatchInput, cfmatch_tables
from tomahto.lab.reproduce.comparison import ComparedFigure, OurFigures, compare
from tomahto.lab.reproduce.published import PublishedPaper, published_paper
from tomahto.matching.interface import ExplainingMatcher, Matcher
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.stored.reading import StoredRelease
from tomahto.votes.scheme import LabelScheme

_STATEMENTS, _SCORES, _GENERATOR = "statements=", "scores=", "generator="
_COSTS = ("cost-expanded", "cost")
_CFMATCH_NAMES = ("jeopardy-expanded", "jeopardy", cfmatch.AE_TRAIN, *cfmatch.DATASETS, *_COSTS)
_EXPECTED = "squad takes DATA PREDICTIONS [NA_PROBS] --expected FILE"
_COMPARED = ("data", "predictions", "na_probs")
_SQUAD_NAMES = (*squad.SUBMISSIONS.values(), "data")
T = TypeVar("T")


@dataclass(frozen=True)
class ReproduceOptions:
    """A file is `PATH` or `NAME=PATH`."""

    files: Sequence[str]
    matchers: Mapping[str, Matcher]
    bootstrap: Bootstrap
    expected: Path | None


@dataclass(frozen=True)
class Reproduced:
    """A paper with our figures, and `more` tables; `notes` are of every table."""

    paper: PublishedPaper
    figures: OurFigures
    notes: tuple[str, ...]
    more: tuple[PaperTable, ...] = ()

    @cached_property
    def compared(self) -> tuple[ComparedFigure, ...]:
        return compare(self.paper, self.figures)


def reproduce_bulian(given: ReproduceOptions, source: str) -> Reproduced:
    """From the public files, releases, or both; what a file says goes before what a release says.
    Raises InputError."""
    files = ae_files(given.files, given.matchers, given.bootstrap)
    notes = (
        "Unit: ratings, as in the paper: shares and accuracies count each of them",
        "F1 and BEM accept from 0.5, unless they are named as tuned",
        "Tab. 8: in brackets the 16th and 84th percentiles over 50 splits",
        *open_notes(files),
    )
    more = (bulian.metrics_table(files, source),)
    return Reproduced(published_paper("bulian_2022"), bulian.bulian_figures(files), notes, more)


def reproduce_cap(given: ReproduceOptions, source: str) -> Reproduced:
    """From lines, releases, or both, of answers and of statements. Raises InputError."""
    scheme = cap_protocol.PROTOCOL.scheme
    read = _read_cap(given.files, scheme)
    answers = with_scores(read.answers, read.scores)
    matcher = given.matchers.get("cap")
    if isinstance(matcher, ExplainingMatcher):
        answers = explained(answers, matcher)
    files = CapFiles(answers, scheme, given.matchers, given.bootstrap)
    figures = cap_figures(files, read.statements, read.generator)
    notes = ["Tied scores count as wrong in pairwise accuracy, and half in AUC"]
    if read.drawn:
        notes.append(f"Left out: {read.drawn:,} labels of releases that were drawn in a tie")
    more = (*cap_tables(files, source), subjects_table(read.statements, source))
    return Reproduced(published_paper("cap"), figures, tuple(notes), more)


@dataclass
class _CapRead:
    """The content of files and releases; `scores` are of the items of releases, of which `drawn`
    have a label that nobody gave."""

    answers: list[CapAnswer] = field(default_factory=list)
    statements: list[JudgedStatement] = field(default_factory=list)
    scores: dict[str, ItemScores] = field(default_factory=dict)
    generator: WrittenStatements | None = None
    drawn: int = 0


def _read_cap(files: Sequence[str], scheme: LabelScheme) -> _CapRead:
    scores: dict[Path, dict[str, ItemScores]] = {}
    read, places = _CapRead(), dict[tuple[str, str], Path]()
    cap_answers = partial(cap_release, scheme=scheme)
    for text in files:
        path, drawn = path_of(text), 0
        answers, statements = list[CapAnswer](), list[JudgedStatement]()
        if text.startswith(_SCORES):
            scores[path] = read_item_scores(path)
        elif text.startswith(_GENERATOR):
            read.generator = read_written_statements(path)
        elif is_release(path):
            if is_of_statements(path):
                statements, drawn = released(path, lambda one: _with_drawn(statements_of, one))
            elif text.startswith(_STATEMENTS):
                raise InputError("is not a release of statements", file=str(path))
            else:
                answers, drawn = released(path, lambda one: _with_drawn(cap_answers, one))
        elif text.startswith(_STATEMENTS):
            statements = read_judged_statements(path)
        else:
            answers = read_cap_answers(path, scheme.labels)
        _check_new([(one.id, one.system) for one in answers], places, path)
        _check_new([(one.id, "") for one in statements], places, path)
        read.answers += answers
        read.statements += statements
        read.drawn += drawn
    ids = {answer.id for answer in read.answers}
    for path, by_item in scores.items():
        if ids.isdisjoint(by_item):
            raise InputError("has no id of an answer that is given beside it", file=str(path))
    read.scores = _joined_scores(scores)
    return read


def _with_drawn(read: Callable[[Dataset], T], release: StoredRelease) -> tuple[T, int]:
    """Also how many labels of the release were drawn by lot in a tie."""
    return read(release.dataset), len(drawn_items(release.dataset))


def _check_new(
    found: Iterable[tuple[str, str]], places: dict[tuple[str, str], Path], path: Path
) -> None:
    """Keeps where each item and system was found, and refuses one that is there already, as it
    would count twice; what has no id is passed over. Raises InputError."""
    for key in found:
        item, system = key
        if item and key in places:
            other = f"and so has {places[key]}" if places[key] != path else "and has it again"
            of = f" of {system}" if system else ""
            raise InputError(f"has the item {item!r:.80}{of}, {other}", file=str(path))
        places[key] = path


def _joined_scores(scores: Mapping[Path, Mapping[str, ItemScores]]) -> dict[str, ItemScores]:
    """The scores of each item in all files. Raises InputError if two have the same metric."""
    found, places = dict[str, ItemScores](), dict[tuple[str, str], Path]()
    for path, by_item in scores.items():
        for item, given in by_item.items():
            earlier = found.get(item, ItemScores({}, None))
            for metric in given.scores:
                if other := places.get((item, metric)):
                    raise InputError(
                        f"has a score {metric!r:.80} of {item!r:.80}, and so has {other}",
                        file=str(path),
                    )
                places[item, metric] = path
            found[item] = ItemScores(
                {**earlier.scores, **given.scores}, earlier.inferences or given.inferences
            )
    return found


def reproduce_cfmatch(given: ReproduceOptions, source: str) -> Reproduced:
    named = [text for text in given.files if not is_release(path_of(text))]
    texts = [text for text in given.files if text not in named]
    releases = [path_of(text) for text in texts]
    files = named_files(named, _CFMATCH_NAMES, others=True)
    ruled = {
        path: released(path, lambda one: ruled_items(one, given.matchers)) for path in releases
    }
    check_apart(releases)
    folders = {name: files.pop(name) for name in cfmatch.DATASETS if name in files}
    # by the names that matchers have in the tables: `cfm` for `--matcher cfm=cfmatch:FILE`
    columns = {matcher.name: name for name, matcher in given.matchers.items()}
    costs = {name: read_costs(files.pop(name)) for name in _COSTS if name in files}
    answers_in = CfmatchInput(
        {name: Answers.of(read_answers(path), given.matchers) for name, path in files.items()},
        given.bootstrap,
        {
            (dataset, *key): Answers.of(read_answers(path, system=key[1]), given.matchers)
            for dataset, folder in folders.items()
            for key, path in files_of_models(folder)
        },
        {
            name: {columns.get(matcher, matcher): cost for matcher, cost in measured.items()}
            for name, measured in costs.items()
        },
        RuledItems.joined(items for path, items in ruled.items() if not is_split(path)),
        RuledItems.joined(items for path, items in ruled.items() if is_split(path)),
    )
    splits = sorted(Path(text).name for text in texts if is_split(path_of(text)))
    notes = (
        *_notes_on_rules(answers_in, splits),
        "O: the sets as they are; E: with other names of references and answers",
        "F1 (0.5): right is what scores more than one half",
        "CFM-Aug: our own cfmatch, trained on the published set, or --matcher cfmatch=MATCHER",
    )
    more = tuple(cfmatch_tables(answers_in, source))
    return Reproduced(published_paper("cfmatch"), cfmatch.cfmatch_figures(answers_in), notes, more)


def _notes_on_rules(given: CfmatchInput, splits: Sequence[str]) -> Iterator[str]:
    if tied := len(given.sized.tied):
        yield (
            f"§3.2, 5.2: {tied:,} of {len(given.sized):,} items are tied: they count in sizes, and"
            " are neither consistent nor revised, nor in shares"
        )
    if splits:
        yield f"§5.3, 5.4: on {', '.join(splits)} alone"
    elif len(given.ruled):
        yield (
            "§5.3, 5.4: on all items: in-sample for a metric that was trained on some of them;"
            " RELEASE:SPLIT compares on a split"
        )


def reproduce_squad(given: ReproduceOptions, _source: str) -> Reproduced:
    """The metric card's examples, and with data the paper's figures of predictions; or the values
    of DATA, PREDICTIONS and, where there are, no-answer probabilities beside the expected ones.
    Both, where DATA and PREDICTIONS stand without names beside the paper's. Raises ValueError."""
    if given.expected is None:
        return _paper_of_squad(given.files)
    of_paper = [text for text in given.files if text.partition("=")[0] in _SQUAD_NAMES]
    plain = [text for text in given.files if str(path_of(text)) == str(Path(text))]
    if not of_paper or len(plain) < 2:
        return _expected_of_squad(given.files, given.expected)
    rest = [text for text in given.files if text not in of_paper]
    expected, paper = _expected_of_squad(rest, given.expected), _paper_of_squad(of_paper)
    tables = (*expected.paper.tables, *paper.paper.tables)
    figures = {**expected.figures, **paper.figures}
    return Reproduced(replace(paper.paper, tables=tables), figures, paper.notes)


def _paper_of_squad(given: Sequence[str]) -> Reproduced:
    try:
        files = named_files(given, _SQUAD_NAMES)
    except InputError as error:
        if any("=" in text for text in given):
            raise
        raise ValueError(f"{_EXPECTED}; or data=FILE with model=FILE or human=FILE") from error
    data = files.pop("data", None)
    scored = {name: score_files(data, path, None) for name, path in files.items() if data}
    given_names = {"data", *files} if data else {*files}
    notes = ("No-answer probabilities of the card's examples are 0",)
    return Reproduced(published_paper("squad_v2"), squad.card_figures(scored, given_names), notes)


def _expected_of_squad(given: Sequence[str], file: Path) -> Reproduced:
    """Files stand in the order of `_COMPARED`, but for those that have the name of their place."""
    by_name = {text.partition("=")[0]: text for text in given}
    places = {name: by_name[name] for name in _COMPARED if name in by_name}
    others = [text for text in given if text not in places.values()]
    places |= zip((name for name in _COMPARED if name not in places), others, strict=False)
    if len(places) < len(given) or not {"data", "predictions"} <= places.keys():
        raise ValueError(_EXPECTED)
    paths = {name: path_of(text) for name, text in places.items()}
    ours = score_files(paths["data"], paths["predictions"], paths.get("na_probs")).as_json()
    expected = read_expected_values(file)
    figures = squad.expected_figures(ours, expected)
    return Reproduced(squad.expected_paper(expected), figures, ())


PAPERS: Mapping[str, Callable[[ReproduceOptions, str], Reproduced]] = {
    "bulian": reproduce_bulian,
    "cap": reproduce_cap,
    "cfmatch": reproduce_cfmatch,
    "squad": reproduce_squad,
}
