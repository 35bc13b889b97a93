"""What `manage.py evaluate reproduce` finds in published files, paper by paper."""

import re
from collections import ChainMap, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

from tasks.management.evaluation.rated_pairs import read_rated_pairs
from tasks.management.evaluation.squad import score_files
from tasks.protocols import cap as cap_protocol
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.figures.table import PaperTable
from tomahto.interchange.campaigns.questions import read_questions
from tomahto.interchange.campaigns.ratings import read_suggestions
from tomahto.interchange.judgements.evaluation import read_candidates
from tomahto.interchange.judgements.places import folder_of, release_at
from tomahto.interchange.judgements.published import (
    read_answers,
    read_cap_answers,
    read_costs,
    read_item_scores,
    read_judged_statements,
    read_written_statements,
)
from tomahto.interchange.judgements.squad import (
    is_list_of,
    read_expected_values,
    read_squad_answers,
    read_squad_gold,
)
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.records import DistinctKeys, InputError
from tomahto.lab.release_data import drawn_items
from tomahto.lab.reproduce import bulian, squad
from tomahto.lab.reproduce.ae_files import (
    ELSEWHERE,
    NBEST,
    PREDICTIONS,
    SPLITS,
    SQUAD,
    SYSTEMS,
    AeFiles,
    WeighedAnswers,
)
from tomahto.lab.reproduce.ae_release import ae_release
from tomahto.lab.reproduce.bulian_metrics import JudgedFiles, metrics_table
from tomahto.lab.reproduce.bulian_systems import open_notes
from tomahto.lab.reproduce.cap.answers import CapAnswer, CapFiles, ItemScores, with_scores
from tomahto.lab.reproduce.cap.found import cap_found, explained
from tomahto.lab.reproduce.cap.release import (
    LABELS,
    JudgedStatement,
    WrittenStatements,
    cap_release,
    statements_of,
    subjects_table,
)
from tomahto.lab.reproduce.cap.tables import cap_tables
from tomahto.lab.reproduce.cfmatch import figures as cfmatch
from tomahto.lab.reproduce.cfmatch.answers import Answers, RuledItems, ruled_items
from tomahto.lab.reproduce.cfmatch.figures import CfmatchInput
from tomahto.lab.reproduce.cfmatch.tables import cfmatch_tables
from tomahto.lab.reproduce.comparison import ComparedFigure, Found, compare
from tomahto.lab.reproduce.published import PublishedPaper, published_paper
from tomahto.matching.interface import ExplainingMatcher, Matcher
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.manifest import MANIFEST, read_manifest
from tomahto.releases.stored.reading import StoredRelease, stored_rows
from tomahto.scoring.squad import SquadQuestion
from tomahto.votes.scheme import LabelScheme

_AE_NAMES = (*PREDICTIONS, SQUAD, NBEST, *SYSTEMS, *SPLITS)
_STATEMENTS, _SCORES, _GENERATOR = "statements=", "scores=", "generator="
_COSTS = ("cost-expanded", "cost")
_CFMATCH_NAMES = ("jeopardy-expanded", "jeopardy", cfmatch.AE_TRAIN, *cfmatch.DATASETS, *_COSTS)
_EXPECTED = "squad takes DATA PREDICTIONS [NA_PROBS] --expected FILE"
_COMPARED = ("data", "predictions", "na_probs")
_SQUAD_NAMES = (*squad.SUBMISSIONS.values(), "data")
T = TypeVar("T")
_NAME = re.compile(r"[\w-]+")


@dataclass(frozen=True)
class Given:
    """What the command was called with; a file is `PATH` or `NAME=PATH`."""

    files: Sequence[str]
    matchers: Mapping[str, Matcher]
    bootstrap: Bootstrap
    expected: Path | None


@dataclass(frozen=True)
class Reproduced:
    """What was found for a paper's figures, and what else there is to see. `notes` are of every
    table."""

    paper: PublishedPaper
    found: Found
    notes: tuple[str, ...]
    more: tuple[PaperTable, ...] = ()

    @cached_property
    def compared(self) -> tuple[ComparedFigure, ...]:
        """Published figures beside ours."""
        return compare(self.paper, self.found)


def reproduce_bulian(given: Given, source: str) -> Reproduced:
    """From the public files, releases, or both; what a file says goes before what a release says.
    Raises InputError."""
    judged = JudgedFiles(_ae_files(given))
    notes = (
        "Unit: ratings, as in the paper: shares and accuracies count each of them",
        "F1 and BEM accept from 0.5, unless they are named as tuned",
        "Tab. 8: in brackets the 16th and 84th percentiles over 50 splits",
        *open_notes(judged),
    )
    more = (metrics_table(judged, source),)
    return Reproduced(published_paper("bulian_2022"), bulian.bulian_found(judged), notes, more)


def _ae_files(given: Given) -> AeFiles:
    folders = [text for text in given.files if _is_release(path_of(text))]
    if split := next((text for text in folders if folder_of(path_of(text))[1]), None):
        raise InputError("is one split, and the figures are of all three of a release", file=split)
    scored = [text for text in given.files if text.partition("=")[0] in ELSEWHERE]
    others = [text for text in given.files if text not in (*folders, *scored)]
    elsewhere = named_files(scored, ELSEWHERE)
    scores = {metric: _scores_elsewhere(path) for metric, path in elsewhere.items()}
    of_items = _by_item(scores)
    releases = [
        _released(path_of(text), lambda one: ae_release(one.dataset, of_items)) for text in folders
    ]
    for metric, path in elsewhere.items():
        _check_known(scores[metric], [release.items for release in releases], path)
    files = named_files(others, _AE_NAMES)
    gold, nbest = files.pop(SQUAD, None), files.pop(NBEST, None)
    predictions = {PREDICTIONS[name]: files.pop(name) for name in PREDICTIONS if name in files}
    read = {one.id: one for one in read_squad_gold(gold) if one.answers} if gold else {}
    released = _first_of(*(release.squad for release in releases))
    if gold and released and files.keys().isdisjoint(SYSTEMS):
        squad = _of_release(read, released, gold)
    else:
        squad = read if gold else released
    return AeFiles(
        _first_of(
            {name: read_rated_pairs(path) for name, path in files.items()},
            *(release.files for release in releases),
        ),
        given.matchers,
        given.bootstrap,
        squad=squad if gold or squad else None,
        texts=_first_of(
            _texts(gold) if gold and predictions else {},
            *(release.texts for release in releases),
        ),
        predictions=_first_of(
            {n: read_squad_answers(p).texts for n, p in predictions.items()},
            *(release.predictions for release in releases),
        ),
        exact={
            name: questions
            for name, questions in _first_of(*(release.exact for release in releases)).items()
            if name not in predictions
        },
        exact_rules={
            name: rule
            for name, rule in _first_of(
                *(dict.fromkeys(release.files, release.exact_rule) for release in releases)
            ).items()
            if name not in files
        },
        unordered=frozenset().union(
            *((release.unordered - read.keys()) & squad.keys() for release in releases)
        ),
        nbest=_weighed(nbest) if nbest else None,
        of_release=frozenset(
            name
            for release in releases
            for name in (*release.files, *(_answers_of(one) for one in release.predictions))
        )
        - files.keys()
        - set(map(_answers_of, predictions)),
    )


def reproduce_cap(given: Given, source: str) -> Reproduced:
    """From lines, releases, or both, of answers and of statements. Raises InputError."""
    scheme = cap_protocol.PROTOCOL.scheme
    read = _read_cap(given.files, scheme)
    answers = with_scores(read.answers, read.scores)
    matcher = given.matchers.get("cap")
    if isinstance(matcher, ExplainingMatcher):
        answers = explained(answers, matcher)
    files = CapFiles(answers, scheme, given.matchers, given.bootstrap)
    found = cap_found(files, read.statements, read.generator)
    notes = ["Tied scores count as wrong in pairwise accuracy, and half in AUC"]
    if read.drawn:
        notes.append(f"Left out: {read.drawn:,} labels of releases that were drawn in a tie")
    more = (*cap_tables(files, source), subjects_table(read.statements, source))
    return Reproduced(published_paper("cap"), found, tuple(notes), more)


@dataclass
class _CapRead:
    """What files and releases hold; `scores` are of the items of releases, of which `drawn` have a
    label that nobody gave."""

    answers: list[CapAnswer] = field(default_factory=list)
    statements: list[JudgedStatement] = field(default_factory=list)
    scores: dict[str, ItemScores] = field(default_factory=dict)
    generator: WrittenStatements | None = None
    drawn: int = 0


def _read_cap(files: Sequence[str], scheme: LabelScheme) -> _CapRead:
    scores: dict[Path, dict[str, ItemScores]] = {}
    read, places = _CapRead(), dict[tuple[str, str], Path]()
    for text in files:
        path = path_of(text)
        if text.startswith(_SCORES):
            scores[path] = read_item_scores(path)
        elif text.startswith(_GENERATOR):
            read.generator = read_written_statements(path)
        elif text.startswith(_STATEMENTS) or (_is_release(path) and _is_of_statements(path)):
            statements, drawn = _statements(path)
            _check_new([(one.id, "") for one in statements], places, path)
            read.statements += statements
            read.drawn += drawn
        else:
            answers, drawn = _answers(path, scheme)
            _check_new([(one.id, one.system) for one in answers], places, path)
            read.answers += answers
            read.drawn += drawn
    ids = {answer.id for answer in read.answers}
    for path, by_item in scores.items():
        if ids.isdisjoint(by_item):
            raise InputError("has no id of an answer that is given beside it", file=str(path))
    read.scores = _joined_scores(scores)
    return read


def _statements(path: Path) -> tuple[list[JudgedStatement], int]:
    """Of a file or a release, and how many of its labels were drawn by lot in a tie."""
    if not _is_release(path):
        return read_judged_statements(path), 0
    if not _is_of_statements(path):
        raise InputError("is not a release of statements", file=str(path))
    return _released(path, lambda one: _with_drawn(statements_of, one))


def _answers(path: Path, scheme: LabelScheme) -> tuple[list[CapAnswer], int]:
    """As `_statements`."""
    if not _is_release(path):
        return read_cap_answers(path, scheme.labels), 0
    return _released(path, lambda one: _with_drawn(partial(cap_release, scheme=scheme), one))


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
    """What all files say of each item. Raises InputError where two say the same metric."""
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


def reproduce_cfmatch(given: Given, source: str) -> Reproduced:
    """Raises InputError."""
    releases = [text for text in given.files if _is_release(path_of(text))]
    named = [text for text in given.files if text not in releases]
    files = named_files(named, _CFMATCH_NAMES, others=True)
    ruled = {
        text: _released(path_of(text), lambda one: ruled_items(one, given.matchers))
        for text in releases
    }
    _check_apart(releases)
    splits = {text for text in releases if folder_of(path_of(text))[1]}
    folders = {name: files.pop(name) for name in cfmatch.DATASETS if name in files}
    costs = {name: files.pop(name) for name in _COSTS if name in files}
    found_in = CfmatchInput(
        {name: Answers.of(read_answers(path), given.matchers) for name, path in files.items()},
        given.bootstrap,
        {
            (dataset, *key): Answers.of(read_answers(path, system=key[1]), given.matchers)
            for dataset, folder in folders.items()
            for key, path in _files_of_models(folder)
        },
        {name: _by_column(read_costs(path), given) for name, path in costs.items()},
        RuledItems.joined(items for text, items in ruled.items() if text not in splits),
        RuledItems.joined(items for text, items in ruled.items() if text in splits),
    )
    notes = (
        *_ties(found_in),
        *_compared_on(ruled, splits),
        "O: the sets as they are; E: with other names of references and answers",
        "F1 (0.5): right is what scores more than one half",
        "CFM-Aug: our own cfmatch, trained on the published set, or --matcher cfmatch=MATCHER",
    )
    more = tuple(cfmatch_tables(found_in, source))
    return Reproduced(published_paper("cfmatch"), cfmatch.cfmatch_found(found_in), notes, more)


def _ties(given: CfmatchInput) -> Iterator[str]:
    if tied := len(given.sized.tied):
        yield (
            f"§3.2, 5.2: {tied:,} of {len(given.sized):,} items are tied: they count in sizes, and"
            " are neither consistent nor revised, nor in shares"
        )


def _compared_on(ruled: Mapping[str, RuledItems], splits: Collection[str]) -> Iterator[str]:
    if splits:
        yield f"§5.3, 5.4: on {', '.join(sorted(Path(text).name for text in splits))} alone"
    elif any(map(len, ruled.values())):
        yield (
            "§5.3, 5.4: on all items: in-sample for a metric that was trained on some of them;"
            " RELEASE:SPLIT compares on a split"
        )


def reproduce_squad(given: Given, _source: str) -> Reproduced:
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
    found = {**expected.found, **paper.found}
    return Reproduced(replace(paper.paper, tables=tables), found, paper.notes)


def _paper_of_squad(given: Sequence[str]) -> Reproduced:
    files = _files_of_squad(given)
    data = files.pop("data", None)
    scored = {name: score_files(data, path, None) for name, path in files.items() if data}
    given_names = {"data", *files} if data else {*files}
    notes = ("No-answer probabilities of the card's examples are 0",)
    return Reproduced(published_paper("squad_v2"), squad.card_found(scored, given_names), notes)


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
    found = squad.expected_found(ours, expected)
    return Reproduced(squad.expected_paper(expected), found, ())


def _files_of_squad(given: Sequence[str]) -> dict[str, Path]:
    try:
        return named_files(given, _SQUAD_NAMES)
    except InputError as error:
        if any("=" in text for text in given):
            raise
        raise ValueError(f"{_EXPECTED}; or data=FILE with model=FILE or human=FILE") from error


PAPERS: Mapping[str, Callable[[Given, str], Reproduced]] = {
    "bulian": reproduce_bulian,
    "cap": reproduce_cap,
    "cfmatch": reproduce_cfmatch,
    SQUAD: reproduce_squad,
}


def files_at(path: Path, paper: str) -> list[Path]:
    """The file, those in the folder of a data set of CFMatch, or the manifest of a release, of a
    split too. Raises InputError for another folder."""
    folder, _ = folder_of(path)
    if folder:
        return [folder / MANIFEST]
    if not path.is_dir():
        return [path]
    if paper != "cfmatch":
        raise InputError("is a folder but not a release", file=str(path))
    return [file for _, file in _files_of_models(path)]


def named_files(
    given: Iterable[str], names: Sequence[str], *, others: bool = False
) -> dict[str, Path]:
    """Files by name: that before "=", or the first of `names` whose words the file's name has.

    With `others` any other file is named as it is called. Raises InputError.
    """
    files: dict[str, Path] = {}
    for text in given:
        name, path = _named(text, names, others=others)
        if name in files:
            raise InputError(f"is {name}, and so is {files[name]}", file=str(path))
        files[name] = path
    return files


def path_of(text: str) -> Path:
    """The file of `PATH` or `NAME=PATH`."""
    name, equals, path = text.partition("=")
    return Path(path if equals and _NAME.fullmatch(name) else text)


def _named(text: str, names: Sequence[str], *, others: bool) -> tuple[str, Path]:
    before, path = text.partition("=")[0], path_of(text)
    if str(path) != str(Path(text)) and (before in names or others):
        return before, path
    words = re.split(r"[^a-z0-9]+", path.stem.lower())
    for name in names:
        if set(name.split("-")) <= set(words):
            return name, path
    if others:
        return path.stem, path
    raise InputError(f"name it, as in {names[-1]}={text}: {', '.join(names)}", file=text)


def _files_of_models(folder: Path) -> list[tuple[tuple[str, str], Path]]:
    """The answers of each model in the folder of a data set, by set and model. Raises InputError
    if it has none."""
    keys = [(kind, model) for kind in cfmatch.SETS for model in cfmatch.MODELS]
    found = [(key, path) for key in keys if (path := folder / cfmatch.file_of(*key)).is_file()]
    if not found:
        names = ", ".join(cfmatch.file_of(*key) for key in keys)
        raise InputError(f"is not a folder with any of {names}", file=str(folder))
    return found


def _check_apart(files: Iterable[str]) -> None:
    """Refuses two releases of one campaign, or two splits, that share an item, which would count
    twice; a split may stand beside its release. Raises InputError."""
    found: dict[tuple[bool, str, str], Path] = {}
    for path in filter(_is_release, map(path_of, files)):
        folder, split = folder_of(path)
        keys = _item_keys(folder or path, split)
        for is_split, campaign, item in found.keys() & keys:
            other = found[is_split, campaign, item]
            raise InputError(
                f"has the item {item!r:.80} of {campaign}, and so has {other}", file=str(path)
            )
        found |= dict.fromkeys(keys, path)


def _item_keys(folder: Path, split: str) -> set[tuple[bool, str, str]]:
    """Of each item of a release or a split of one: which of both, the campaign, and the id."""
    try:
        manifest = read_manifest(folder)
        names = [split] if split else manifest.terms.spec.names
        return {
            (bool(split), manifest.campaign, str(row["id"]))
            for name in names
            for row in stored_rows(folder, manifest, "items", name)
        }
    except ReleaseError as error:
        raise InputError(str(error), file=str(folder)) from error


def _is_of_statements(path: Path) -> bool:
    folder = folder_of(path)[0] or path
    try:
        return set(read_manifest(folder).terms.scheme.labels) == set(LABELS)
    except ReleaseError as error:
        raise InputError(str(error), file=str(folder)) from error


def _is_release(path: Path) -> bool:
    """Whether it is a release, or a split of one as `RELEASE:SPLIT`."""
    return folder_of(path)[0] is not None


def _released(path: Path, read: Callable[[StoredRelease], T]) -> T:
    try:
        return read(release_at(path))
    except ReleaseError as error:
        raise InputError(str(error), file=str(path)) from error


def _with_drawn(read: Callable[[Dataset], T], release: StoredRelease) -> tuple[T, int]:
    """What is read of a release, and how many of its labels were drawn by lot in a tie."""
    return read(release.dataset), len(drawn_items(release.dataset))


def _by_column(costs: Mapping[str, T], given: Given) -> dict[str, T]:
    """By the names that matchers have in the tables: `cfm` for `--matcher cfm=cfmatch:FILE`."""
    columns = {matcher.name: name for name, matcher in given.matchers.items()}
    return {columns.get(name, name): cost for name, cost in costs.items()}


def _first_of(*given: Mapping[str, T]) -> dict[str, T]:
    """What the first that has a name says of it."""
    return dict(ChainMap(*map(dict, given)))


def _texts(gold: Path) -> dict[str, tuple[str, str]]:
    """The question and the context of each id; nothing for a list of ids and answers alone."""
    if is_list_of(InputFile.at(gold), "answers"):
        return {}
    return {
        one.key: (one.text, one.context) for one in read_questions(gold, format=None) if one.key
    }


def _scores_elsewhere(path: Path) -> dict[str, float]:
    """By the items' ids, of a file that `import_suggestions` reads too."""
    found, ids = {}, DistinctKeys("the id", "id")
    for row in read_suggestions(path, format=None):
        if row.item_id is None:
            raise row.source.error("is missing, but identifies the items of a release", "id")
        ids.add(row.item_id, row.source)
        found[row.item_id] = row.score
    return found


def _by_item(scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Scores by item and metric, of those by metric and item."""
    found = defaultdict[str, dict[str, float]](dict)
    for metric, of_items in scores.items():
        for item, score in of_items.items():
            found[item][metric] = score
    return dict(found)


def _check_known(
    scores: Mapping[str, float], releases: Sequence[frozenset[str]], path: Path
) -> None:
    """Raises InputError unless some item is a release's."""
    if not releases:
        raise InputError(
            "has scores of a release's items, but no release was given", file=str(path)
        )
    if all(known.isdisjoint(scores) for known in releases):
        raise InputError(f"none of the {len(scores):,} ids is in the release", file=str(path))


def _of_release(
    read: Mapping[str, SquadQuestion], released: Mapping[str, SquadQuestion], path: Path
) -> dict[str, SquadQuestion]:
    """The questions of the release, references as the file has them. Raises InputError if it has
    none."""
    if read.keys().isdisjoint(released):
        raise InputError(f"none of the {len(read):,} questions is in the release", file=str(path))
    return {key: read.get(key, question) for key, question in released.items()}


def _answers_of(system: str) -> str:
    """What the file of a system's answers is called."""
    return f"predictions-{system}"


def _weighed(path: Path) -> list[WeighedAnswers]:
    rows = read_candidates(path, with_folds=False, with_texts=True)
    return [WeighedAnswers(row.texts, row.scores, row.admissible) for row in rows if row.texts]
