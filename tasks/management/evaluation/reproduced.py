"""What `manage.py evaluate reproduce` finds in published files, paper by paper."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from exporters.paper.table import PaperTable
from inference.matchers.interface import Matcher
from lab.published.figures import published_paper
from lab.reproduce import bulian, cap, cfmatch, squad
from lab.reproduce.ae_files import SPLITS, SYSTEMS, AeFiles
from lab.reproduce.bulian_metrics import JudgedFiles, metrics_table
from lab.reproduce.cap_answers import CapFiles
from lab.reproduce.cfmatch import CfmatchInput, JudgedAnswers
from lab.reproduce.cfmatch_tables import cfmatch_tables
from lab.reproduce.comparison import ComparedFigure, compare
from lab.reproduce.rated_pairs import RatedPair, RatedPairs
from measures.bootstrap import Bootstrap
from tasks.importers.published import read_cap_answers, read_judged_answers
from tasks.importers.ratings import read_ratings
from tasks.importers.records import InputError, RatingRow
from tasks.importers.squad_scoring import read_expected_values, read_squad_gold
from tasks.management.evaluation.squad_v2 import score_files
from tasks.protocols import ae, rules
from tasks.protocols import cap as cap_protocol
from tasks.protocols.definition import AnswersError

_SQUAD = "squad"
_AE_NAMES = (_SQUAD, *SYSTEMS, *SPLITS)
_SETS = ("jeopardy", "nq")
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
    """Published figures beside ours, and what else there is to see. `notes` are of every table."""

    compared: tuple[ComparedFigure, ...]
    notes: tuple[str, ...]
    more: tuple[PaperTable, ...] = ()


def reproduce_bulian(given: Given, source: str) -> Reproduced:
    """Raises InputError."""
    files = named_files(given.files, _AE_NAMES)
    gold = files.pop(_SQUAD, None)
    judged = JudgedFiles(
        AeFiles(
            {name: _rated_pairs(path) for name, path in files.items()},
            given.matchers,
            given.bootstrap,
            {question.id: question for question in read_squad_gold(gold)} if gold else None,
        )
    )
    notes = ("Shares and accuracies count ratings, as the paper's do",)
    found = bulian.bulian_found(judged)
    compared = compare(published_paper("bulian_2022"), found, bulian.OTHERWISE)
    return Reproduced(compared, notes, (metrics_table(judged, source),))


def reproduce_cap(given: Given, source: str) -> Reproduced:
    """Raises InputError."""
    scheme = cap_protocol.PROTOCOL.scheme
    paths = map(path_of, given.files)
    answers = [one for path in paths for one in read_cap_answers(path, scheme.labels)]
    files = CapFiles(answers, scheme, given.matchers)
    compared = compare(published_paper("cap"), cap.cap_found(files), cap.OTHERWISE)
    notes = ("Tied scores count as wrong in pairwise accuracy, and half in AUC",)
    more = (cap.label_table(files, source), cap.metrics_table(files, source))
    return Reproduced(compared, notes, more)


def reproduce_cfmatch(given: Given, source: str) -> Reproduced:
    """Raises InputError."""
    files = {
        name: JudgedAnswers(read_judged_answers(path), given.matchers)
        for name, path in named_files(given.files, _SETS, others=True).items()
    }
    (question,) = (one for one in rules.PROTOCOL.questions if one.key == "rules")
    found_in = CfmatchInput(files, [choice.value for choice in question.choices], given.bootstrap)
    compared = compare(
        published_paper("cfmatch"), cfmatch.cfmatch_found(found_in), cfmatch.OTHERWISE
    )
    notes = (
        "NQ-OPEN: ours are answers by EVOUNA's ChatGPT, so the values cannot be equal",
        "Questions that are reserved for evaluation may be missing from a file",
        "CFM-Aug: ours is our own cfmatch, trained on the published augmented set",
    )
    return Reproduced(compared, notes, tuple(cfmatch_tables(found_in, source)))


def reproduce_squad(given: Given, _source: str) -> Reproduced:
    """The metric card's examples; or the values of DATA, PREDICTIONS and, where there are,
    no-answer probabilities beside the expected ones. Raises ValueError."""
    if not given.files and given.expected is None:
        card = compare(published_paper("squad_v2"), squad.card_found(), squad.OTHERWISE)
        return Reproduced(card, ("No-answer probabilities of the card's examples are 0",))
    if given.expected is None or not 2 <= len(given.files) <= 3:
        raise ValueError("squad takes DATA PREDICTIONS [NA_PROBS] --expected FILE, or no file")
    data, predictions, *probabilities = map(path_of, given.files)
    na_probs = probabilities[0] if probabilities else None
    ours = score_files(data, predictions, na_probs).as_json()
    expected = read_expected_values(given.expected)
    found = squad.expected_found(ours, expected)
    return Reproduced(compare(squad.expected_paper(expected), found, squad.OTHERWISE), ())


PAPERS: Mapping[str, Callable[[Given, str], Reproduced]] = {
    "bulian": reproduce_bulian,
    "cap": reproduce_cap,
    "cfmatch": reproduce_cfmatch,
    _SQUAD: reproduce_squad,
}


def named_files(
    given: Iterable[str], names: Sequence[str], *, others: bool = False
) -> dict[str, Path]:
    """Files by name: that before "=", or the first of `names` that is a word of the file's name.

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
        if name in words:
            return name, path
    if others:
        return path.stem, path
    raise InputError(f"say which it is, as in {names[-1]}={text}: {', '.join(names)}", file=text)


def _rated_pairs(path: Path) -> RatedPairs:
    """The ratings of an AE file, item by item."""
    counts: dict[tuple[str, ...], list[int]] = {}
    for rating in read_ratings(path, format="ae", question_keys=ae.PROTOCOL.question_keys):
        label, item = _label(rating), rating.item
        assert item is not None  # noqa: S101 - a line of an AE file describes its item
        if item.question_key is None:
            raise rating.source.error("is missing", "qid")
        key = (item.question_key, item.question, item.context, *item.references, item.candidate)
        count = counts.setdefault(key, [0, 0])
        count[0] += label == "equivalent"
        count[1] += 1
    if not counts:
        raise InputError("holds no line", file=str(path))
    return RatedPairs(tuple(_pairs(counts)))


def _pairs(counts: Mapping[tuple[str, ...], Sequence[int]]) -> Iterator[RatedPair]:
    for (qid, question, context, reference, candidate), (equivalent, ratings) in counts.items():
        yield RatedPair(qid, question, context, reference, candidate, equivalent, ratings)


def _label(rating: RatingRow) -> str:
    try:
        return ae.PROTOCOL.outcome(rating.answers).label
    except AnswersError as error:
        raise rating.source.error(error.message, error.question) from error
