"""Published files of judged answers, as `evaluate reproduce` reads them: JSON lines."""

from collections.abc import Collection, Iterator
from pathlib import Path

from tomahto.interchange.formats.cap import cap_systems
from tomahto.interchange.judgements.labels import (
    HumanLabels,
    class_of,
    inferences_of,
    labelled_lines,
    part_of,
)
from tomahto.interchange.judgements.pairs import named_pair, pair_candidate, pair_references
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.records import DistinctKeys, InputError, Source
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import json_lines
from tomahto.interchange.reading.strict_json import Extent, JsonError, decode_line
from tomahto.lab.reproduce.cap.answers import CapAnswer, ItemScores, models_of
from tomahto.lab.reproduce.cap.release import LABELS, JudgedStatement, WrittenStatements
from tomahto.lab.reproduce.cfmatch.answers import Answer
from tomahto.lab.reproduce.cfmatch.figures import MeasuredCost
from tomahto.matching.human_labels import was_drawn
from tomahto.matching.interface import Pair
from tomahto.releases.formats.cap import CORRECTNESS_LABEL, SYNTHETIC_LABEL


def read_cap_answers(path: Path, classes: Collection[str]) -> list[CapAnswer]:
    """Lines of {"question", "gold_answer", "candidate_answer", "correctness_label"[,
    "other_gold_answers", "human_label", "synthetic_label", "system", "source", "id", "scores",
    "explanation"]};
    `scores` is an object of numbers, the explanation what `score_pairs --explain` writes.
    References and candidate may also be called so. Beside a `synthetic_label`, as the format
    `cap-correctness` has it, `correctness_label` is a person's, but not where it was drawn by lot
    in a tie: it is left out, and with it lines that have no other label. A line of several systems
    is an answer of each, one with a `synthetic_label` of the benchmark besides; where that is
    empty, the line is no part of the benchmark. Of the systems of a release's lines only the
    paper's language models count, as in the release itself.

    Raises InputError with file, line and field, also for a file without a line.
    """
    rows = labelled_lines(InputFile.at(path), needless=_is_synthetic)
    return [answer for row in rows for answer in _cap_answers(row, classes)]


def read_judged_statements(path: Path) -> list[JudgedStatement]:
    """Lines of {"question", "label"[, "id", "question_type", "subject"]}, as the format
    `cap-statements` has them.

    Raises InputError with file, line and field, also for a file without a line.
    """
    return [
        JudgedStatement(
            row.text("question"),
            row.optional_text("question_type"),
            row.optional_text("subject"),
            class_of(row, "label", LABELS),
            id=row.optional_name("id") or "",
        )
        for row in labelled_lines(InputFile.at(path))
    ]


def read_item_scores(path: Path) -> dict[str, ItemScores]:
    """By item, from lines of {"id"[, "scores", "explanation", "matcher", "version", "score"]}; the
    explanation that `score_pairs --matcher cap --explain` writes has CAP's score. Lines that name
    a matcher, as those of `export_suggestions`, are one for each of its versions, the newest last,
    and their `score` is the matcher's.

    Raises InputError with file, line and field, also for an id that stands twice.
    """
    ids, found = DistinctKeys("the id", "id"), dict[str, ItemScores]()
    for row in json_lines(path):
        item = row.name("id")
        of = (row.optional_name("matcher"), row.optional_text("version"))
        ids.add(" ".join(filter(None, (item, *of))), row.source)
        earlier, new = found.get(item, ItemScores({}, None)), _item_scores(row)
        found[item] = ItemScores(
            {**earlier.scores, **new.scores}, new.inferences or earlier.inferences
        )
    return found


def _item_scores(row: Row) -> ItemScores:
    scores, matcher = read_scores(row), row.optional_name("matcher")
    if matcher and row.field_of("score"):
        scores = {matcher: row.number("score"), **scores}
    if row.field_of("explanation") is None:
        return ItemScores(scores, None)
    score = part_of(row, "explanation").optional_number("score", 1.0)
    return ItemScores({**({} if score is None else {"cap": score}), **scores}, inferences_of(row))


def read_written_statements(path: Path) -> WrittenStatements:
    """From what `train_statements --json` printed: its figures on test triples, or else those on
    the dev triples. Raises InputError."""
    printed = _printed(path, "train_statements")
    is_test = printed.values.get("test") is not None
    said = printed.object("test") if is_test else printed
    rouge = said.object("rouge") if said.values.get("rouge") else None
    return WrittenStatements(
        int(_from_zero(said, "n" if is_test else "dev_examples", whole=True)),
        said.share("bleu"),
        rouge.share("rougeL") if rouge else None,
        said.share("exact"),
        chose_epoch=not is_test,
    )


def read_answers(path: Path, *, system: str | None = None) -> list[Answer]:
    """Lines of {"question", "references" | "reference", "candidate", "label"[, "system",
    "scores"]}; labels are as `HumanLabels` reads them. A candidate may be a list of the answer's
    names.

    With `system` all answers are of that system and need no label. Raises InputError with file,
    line and field, also for a file without a line.
    """
    labels = HumanLabels(InputFile.at(path))
    answers = [_answer(row, system, labels) for row in json_lines(path)]
    labels.check()
    return answers


def read_costs(path: Path) -> dict[str, MeasuredCost]:
    """By matcher, from what `evaluate cost --json` printed. Raises InputError."""
    return {
        one.name("matcher"): MeasuredCost(
            _from_zero(one.object("seconds_per_1000_pairs"), "median"),
            int(_from_zero(one, "disk_bytes", whole=True)),
        )
        for one in _printed(path, "evaluate cost").rows("matchers")
    }


def _printed(path: Path, command: str) -> Row:
    """The document that a command printed with --json. Raises InputError."""
    try:
        with InputFile.at(path).open() as stream:
            text = stream.read().decode()
        Extent().grow(text.strip(), 0)
        values = decode_line(text)
    except JsonError as error:
        raise InputError(f"is not what {command} --json prints: {error}", file=str(path)) from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8", file=str(path)) from None
    if not isinstance(values, dict):
        raise InputError(f"is not what {command} --json prints", file=str(path))
    return Row(Source(str(path), 1), values)


def _from_zero(row: Row, name: str, *, whole: bool = False) -> float:
    """A number that must be there and is none below 0."""
    value = row.as_number(name, row.values[row.required_field(name)])
    if value < 0 or (whole and not isinstance(value, int)):
        raise row.error(f"must be a {'whole ' if whole else ''}number from 0 on", name)
    return value


def _is_synthetic(row: Row) -> bool:
    return bool(row.optional_text(SYNTHETIC_LABEL))


def _cap_answers(row: Row, classes: Collection[str]) -> Iterator[CapAnswer]:
    published, human = CORRECTNESS_LABEL, row.field_of("human_label")
    if row.field_of(published) is None and row.field_of("id") and row.field_of("label"):
        raise row.error(
            "is missing; scored items of a release go beside it: scores=FILE", published
        )
    is_drawn, systems = was_drawn(row.values), cap_systems(row)
    if "label_source" in row.values:
        systems = models_of(systems)
    if _is_synthetic(row):
        yield _cap_answer(row, classes, SYNTHETIC_LABEL, None if is_drawn else published)
    elif SYNTHETIC_LABEL not in row.values:
        systems = systems or [""]
    for system in () if is_drawn else systems:
        yield _cap_answer(row, classes, published, human, system)


def _cap_answer(
    row: Row, classes: Collection[str], published: str, human: str | None, system: str = ""
) -> CapAnswer:
    answer = CapAnswer(
        pair=Pair(
            question=row.text("question"),
            context="",
            references=pair_references(row),
            candidate=pair_candidate(row),
        ),
        label=class_of(row, published, classes),
        human_label=class_of(row, human, classes) if human else None,
        system=system,
        scores=read_scores(row),
        id=row.optional_name("id") or "",
        corpus=row.optional_name("source") or "",
    )
    if row.field_of("explanation") is None:
        return answer
    score = part_of(row, "explanation").optional_number("score", 1.0)
    return answer.with_inferences(score, *inferences_of(row))


def read_scores(row: Row) -> dict[str, float]:
    """The numbers under "scores" by metric; none where the row has no scores."""
    if row.field_of("scores") is None:
        return {}
    scores = row.object_by_name("scores")
    given = (name for name, value in scores.values.items() if value is not None)
    return {name: scores.number(name) for name in given}


def _answer(row: Row, system: str | None, labels: HumanLabels) -> Answer:
    named = named_pair(row)
    has_label = system is None or row.field_of("label") is not None
    return Answer(
        pair=named.pair,
        is_right=labels.is_right(row) if has_label else None,
        system=(row.optional_name("system") or "") if system is None else system,
        other_names=named.other_names,
        scores=read_scores(row),
    )
