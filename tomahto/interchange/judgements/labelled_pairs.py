"""Labelled answers that matchers learn from."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from tomahto.interchange.formats.ae import ae_answers, is_equivalent
from tomahto.interchange.judgements.human_labels import HumanLabels, labelled_rows
from tomahto.interchange.judgements.pairs import pair_candidate, pair_references
from tomahto.interchange.judgements.places import rows_at, source_of
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.limits import MAX_CONTEXT
from tomahto.interchange.reading.row import Row
from tomahto.learning.examples import Examples
from tomahto.matching.interface import Pair
from tomahto.matching.training.labelled_pairs import LabelledPair


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
    labels = HumanLabels(file)
    rows = _of_lines(rows_at(path, split), lines)
    examples = tuple(_example(row, labels) for row in labelled_rows(rows))
    if not examples:
        among = f" in the lines {lines.start} to {lines.stop - 1}" if lines else ""
        raise file.error(f"holds no examples{among}")
    labels.check()
    return Examples(examples, f"{path}:{split}" if split else str(path), source_of(path, split))


def _of_lines(rows: Iterable[Row], lines: range | None) -> Iterator[Row]:
    return (row for row in rows if lines is None or row.source.line in lines)


def _example(row: Row, labels: HumanLabels) -> LabelledPair:
    pair = Pair(
        question=row.text("question"),
        context=row.optional_text("context", limit=MAX_CONTEXT),
        references=pair_references(row),
        candidate=pair_candidate(row),
    )
    if row.name_of("question_1"):
        return LabelledPair(pair, is_equivalent(ae_answers(row)))
    return LabelledPair(pair, labels.is_right(row), row.optional_text("intended"))
