"""Texts that matchers score and that models learn from: pairs, names, statements, seeds."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from tomahto.interchange.campaigns.items import ITEM_REFERENCE_NAMES
from tomahto.interchange.formats.ae import ae_answers, is_equivalent
from tomahto.interchange.judgements.labels import HumanLabels, labelled_rows
from tomahto.interchange.judgements.places import rows_at, source_of
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.records import MAX_CONTEXT
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import at_least_one, json_lines
from tomahto.learning.files import Examples
from tomahto.matching.aliases import Entity
from tomahto.matching.human_labels import LabelledPair
from tomahto.matching.interface import Pair
from tomahto.releases.formats.ae import QUESTION_FIELDS
from tomahto.releases.formats.cap import CANDIDATE_ANSWER, GOLD_ANSWER, OTHER_GOLD_ANSWERS
from tomahto.statements.generator import QuestionAnswer, Triple


class PairRow(NamedTuple):
    """A pair and all the fields of the line it stands on, in their order. `other_names` are those
    of the candidate in an expanded set (CFMatch, §4.2): the best of all its names counts."""

    pair: Pair
    fields: Mapping[str, object]
    other_names: tuple[str, ...] = ()

    @property
    def pairs(self) -> list[Pair]:
        """One for each name."""
        return [self.pair, *(replace(self.pair, candidate=name) for name in self.other_names)]


def read_pairs(path: Path, added: Collection[str] = ()) -> Iterator[PairRow]:
    """Yield the items of a split of a release, or JSON lines of {"question", "references" |
    "reference", "candidate"[, "context"]}, in their order, reading on only as far as asked. CAP's
    "gold_answer", "other_gold_answers" and "candidate_answer" are read too.

    A candidate may be empty: a system may abstain; and a list of the names of one answer. A line
    that has one of the fields that are to be `added` to it is refused. Raises InputError with file,
    line and field at the first thing that is wrong.
    """
    return (_pair_row(row, added) for row in rows_at(path))


def _pair_row(row: Row, added: Collection[str]) -> PairRow:
    for name in added:
        if name in row.values:
            raise row.error("already exists and would be overwritten: rename or remove it", name)
    return named_pair(row)


def named_pair(row: Row) -> PairRow:
    """The row's pair, whose candidate may be a list of names. Raises InputError for no name."""
    if not isinstance(row.values.get("candidate"), list):
        return PairRow(pair_of(row), row.values)
    names = row.texts_or_empty("candidate")
    if not names:
        raise row.error("is empty", "candidate")
    candidate, *others = names
    named = row._replace(values={**row.values, "candidate": candidate})
    return PairRow(pair_of(named), row.values, tuple(others))


def pair_of(row: Row) -> Pair:
    return Pair(
        question=row.text("question"),
        context=row.optional_text("context", limit=MAX_CONTEXT),
        references=pair_references(row),
        candidate=pair_candidate(row),
    )


def pair_candidate(row: Row) -> str:
    """The candidate, under CAP's name where the row has only that."""
    return row.text_or_empty(row.field_of("candidate", CANDIDATE_ANSWER) or "candidate")


def pair_references(row: Row) -> tuple[str, ...]:
    """The references, or the gold answer and the others (CAP). Raises InputError for none."""
    if row.field_of(*ITEM_REFERENCE_NAMES) is None and row.field_of(GOLD_ANSWER):
        others = row.texts(OTHER_GOLD_ANSWERS) if row.field_of(OTHER_GOLD_ANSWERS) else []
        return (row.text(GOLD_ANSWER), *others)
    references = row.texts(*ITEM_REFERENCE_NAMES)
    if not references:
        raise row.error("is empty: a matcher needs a reference", "references")
    return tuple(references)


def read_labelled_pairs(
    path: Path, *, split: str = "", lines: range | None = None
) -> Examples[LabelledPair]:
    """From a split of a release its items, with the labels that it gives them; from JSON lines of
    {"question", "reference" | "references", "candidate", "label"[, "context"]} an example each,
    labels as `is_right` reads them. Lines of public AE files have `question_1` to `question_4` in
    the place of a label, and are a rating each. What a generated text was `intended` to be is kept,
    but the label is people's.

    Only `lines` are read, if they are given, the first being 1. Items whose label was drawn in a
    tie are left out. Raises InputError with file, line and field at the first wrong line, for
    labels that may be those of a matcher, and for a place without examples.
    """
    file = InputFile.at(path)
    labels, rows = HumanLabels(file), rows_at(path, split)
    if lines is not None:
        rows = (row for row in rows if row.source.line in lines)
    examples = tuple(_example(row, labels) for row in labelled_rows(rows))
    if not examples:
        among = f" in the lines {lines.start} to {lines.stop - 1}" if lines else ""
        raise file.error(f"holds no examples{among}")
    labels.check()
    return Examples(examples, f"{path}:{split}" if split else str(path), source_of(path, split))


def _example(row: Row, labels: HumanLabels) -> LabelledPair:
    if row.field_of(QUESTION_FIELDS["q1"]):
        return LabelledPair(pair_of(row), is_equivalent(ae_answers(row)))
    return LabelledPair(pair_of(row), labels.is_right(row), row.optional_text("intended"))


_Lists: TypeAlias = Mapping[tuple[str, str], Collection[tuple[str, ...]]]
"""By question and last reference the references of its original lines, in order, each once."""


@dataclass(frozen=True, slots=True)
class OtherNames:
    """Entities in the order of the files, and how many lists of references could not be parted
    into entities, as no original line has their question and references."""

    entities: tuple[Entity, ...]
    unparted: int


def read_other_names(paths: Sequence[Path]) -> OtherNames:
    """From lines of {"question", "reference" | "references", "candidate"} of expanded sets and of
    the original ones, together in any order, and of {"name", "aliases"}.

    In an expanded set (CFMatch, §4.2) the candidate is a list of names of which the last is the
    original one; references are such lists one behind the other, which the original line of the
    question parts. Raises InputError with file, line and field, also for a file without a line.
    """
    rows = [row for path in paths for row in json_lines(path)]
    originals: dict[tuple[str, str], dict[tuple[str, ...], None]] = {}
    for row in rows:
        if not _is_table(row) and not _is_expanded(row):
            references = pair_references(row)
            key = row.text("question"), references[-1]
            originals.setdefault(key, {})[references] = None
    parted = [_entities(row, originals) for row in rows if _is_table(row) or _is_expanded(row)]
    return OtherNames(
        tuple(entity for found, _ in parted for entity in found),
        sum(not is_whole for _, is_whole in parted),
    )


def parted(names: Sequence[str], originals: Sequence[str]) -> tuple[Entity, ...] | None:
    """The entities whose other names, then the original one, stand one behind the other; None if
    they do not. Sought from the end: an other name may be an original further on."""
    found: list[Entity] = []
    end = len(names)
    for place in reversed(range(len(originals))):
        if not end or names[end - 1] != originals[place]:
            return None
        before = originals[place - 1] if place else None
        # behind the last name of the entity before, at 0 where there is none
        start = next((n for n in range(end - 1, 0, -1) if names[n - 1] == before), 0)
        found.append((originals[place], *names[start : end - 1]))
        end = start
    return tuple(reversed(found))


def _is_table(row: Row) -> bool:
    return row.field_of("aliases") is not None


def _is_expanded(row: Row) -> bool:
    return isinstance(row.values.get("candidate"), list)


def _entities(row: Row, originals: _Lists) -> tuple[list[Entity], bool]:
    """Of a line, and whether its references could be parted."""
    if _is_table(row):
        return [(row.text("name"), *row.texts_or_empty("aliases"))], True
    candidates, references = row.texts_or_empty("candidate"), pair_references(row)
    of_candidate = [(name, *candidates[:-1]) for name in candidates[-1:]]
    if len(references) == 1:
        return of_candidate, True
    lists = originals.get((row.text("question"), references[-1]), ())
    partings = (parted(references, names) for names in lists)
    of_references = next((entities for entities in partings if entities is not None), None)
    return [*of_candidate, *(of_references or ())], of_references is not None


_FAULTY: Final = frozenset({"syntactic", "semantic", "wrong"})
"""People's labels of statements that are not to be learned from (CAP Tab. 10)."""
_KEPT: Final = ("document", "question_id", "question_type", "intended")


class ToState(NamedTuple):
    """A question and an answer without a statement, and what else is known of the question."""

    pair: QuestionAnswer
    details: dict[str, str]


def read_triples(path: Path, *, split: str = "", with_faulty: bool = False) -> Examples[Triple]:
    """From a split of a release of statements its own, from JSON lines of {"question", "answer",
    "statement"[, "label"]} a triple each; further fields are ignored.

    Those that people labelled syntactic, semantic or wrong are left out, and counted in the
    source, unless they are asked for; those whose label was drawn in a tie always. Raises
    InputError with file, line and field at the first wrong line, for a release of another protocol,
    and for a place without triples.
    """
    rows = list(labelled_rows(rows_at(path, split, "statement")))
    kept = [row for row in rows if with_faulty or row.optional_text("label") not in _FAULTY]
    # an item of a release has the statement that was judged as its candidate
    triples = tuple(Triple(_pair(row), row.text("statement", "candidate")) for row in kept)
    if not triples:
        raise InputFile.at(path).error("holds no examples")
    source = source_of(path, split)
    if len(kept) < len(rows):
        source["left_out_as_faulty"] = str(len(rows) - len(kept))
    return Examples(triples, f"{path}:{split}" if split else str(path), source)


def read_to_state(path: Path) -> Iterator[ToState]:
    """Questions and answers at such a place, whatever statements it has.

    Raises InputError as `read_triples`.
    """
    for row in at_least_one(rows_at(path), InputFile.at(path)):
        details = {name: row.optional_text(name) for name in _KEPT}
        yield ToState(_pair(row), {name: text for name, text in details.items() if text})


def _pair(row: Row) -> QuestionAnswer:
    """An item of a release has the answer as its reference."""
    question = row.text("question")
    answers = row.field_of("references", "reference")
    return QuestionAnswer(question, row.texts(answers)[0] if answers else row.text("answer"))


_TEXTS = ("rule", "question", "reference", "candidate", "label")


def read_rule_seeds(path: Path, targets: Collection[str]) -> list[dict[str, str]]:
    """From JSON lines of {"rule", "question", "reference", "candidate", "label"}, as they stand.

    Raises InputError with file, line and field for a line that lacks one of them, a rule and label
    that are none of the `RULE/LABEL` of `targets`, and a file without a line.
    """
    return [_seed(row, targets) for row in json_lines(path)]


def _seed(row: Row, targets: Collection[str]) -> dict[str, str]:
    seed = {name: row.text(name) for name in _TEXTS}
    target = f"{seed['rule']}/{seed['label']}"
    if target not in targets:
        raise row.error(f"{target!r:.60} is not one of {', '.join(targets)}", "rule")
    return seed
