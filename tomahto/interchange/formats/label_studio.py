"""Tasks with annotations from Label Studio's export in JSON (1.x: "Label Studio JSON format of
annotated tasks"), and as a release writes them (`tomahto.releases.formats.label_studio`)."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final, NamedTuple

from tomahto.interchange.campaigns.items import given_answer, item_of
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.records import (
    MAX_NAME,
    MAX_SECONDS,
    GivenAnswer,
    ItemRow,
    RatingRow,
    SkippedAnnotation,
)
from tomahto.interchange.reading.row import Row, name_in_error
from tomahto.interchange.reading.strict_json import open_document
from tomahto.interchange.table import FileToRead, ImportFormat
from tomahto.releases.formats.label_studio import RATER, TEXT, VALUE_FIELDS

_SHOWN: Final = 5  # names of controls in an error


def _tasks(file: InputFile) -> Iterator[Row]:
    """Yield the tasks of one JSON array, one in memory at a time; fields of task n are below [n].

    Raises InputError with the line on which the task begins.
    """
    with open_document(file) as document:
        for task in document.rows():
            if not isinstance(task.values.get("data"), dict):
                raise task.error("must be an object; is this Label Studio's export JSON?", "data")
            yield task
        document.finish()


def _items(file: FileToRead) -> Iterator[ItemRow]:
    return (_item(task, file) for task in _tasks(file.file))


def _item(task: Row, file: FileToRead) -> ItemRow:
    return item_of(file.fields.item_row(task, "data."))


class _Annotation(NamedTuple):
    """A rating with the object that it was read from."""

    row: Row
    rating: RatingRow

    @property
    def changed_at(self) -> datetime:
        """When it was given or last changed. Raises InputError if that is not said."""
        moment = self.row.optional_moment("updated_at") or self.row.optional_moment("created_at")
        if moment is None:
            raise self.row.error("is missing, so the newest is unknown", "updated_at")
        return moment


def _ratings(file: FileToRead) -> Iterator[RatingRow | SkippedAnnotation]:
    return (row for task in _tasks(file.file) for row in _ratings_of(task, file))


def _ratings_of(task: Row, file: FileToRead) -> Iterator[RatingRow | SkippedAnnotation]:
    """The annotations of a task: a rating by each rater, and what is none."""
    item, by_rater = _item(task, file), dict[str, _Annotation]()
    skipped = []
    for row in task.rows("annotations"):
        if row.optional_flag("was_cancelled"):
            skipped.append("cancelled annotation")
        elif _is_empty(row.values.get("result"), file):
            skipped.append("empty annotation")
        else:
            found = _Annotation(row, _rating(row, item, file))
            before = by_rater.setdefault(found.rating.rater, found)
            if before is not found:
                by_rater[found.rating.rater] = _newer(before, found, file)
                skipped.append("older annotation by the same rater")
    yield from (found.rating for found in by_rater.values())
    key = task.optional_name("id")
    yield from (SkippedAnnotation(task.source, key, reason) for reason in skipped)


def _is_empty(results: object, file: FileToRead) -> bool:
    """Whether nothing was answered: all there is was taken back or is a comment, which is a text
    under a control of others."""
    if not isinstance(results, list):
        return results is None
    ours = (RATER, *map(file.fields.place, ("label", *file.question_keys)))
    return all(
        isinstance(one, dict)
        and (form := str(one.get("type"))) in VALUE_FIELDS
        and (
            one.get("value") == {VALUE_FIELDS[form]: []}
            or (form == TEXT and one.get("from_name") not in ours)
        )
        for one in results
    )


def _newer(before: _Annotation, found: _Annotation, file: FileToRead) -> _Annotation:
    if not file.fields.takes_newest:
        message = (
            f"{found.rating.rater!r} has several annotations of this task; use --newest to keep "
            "the newest"
        )
        raise found.row.error(message, "completed_by")
    return max(found, before, key=lambda each: each.changed_at)


def _rating(annotation: Row, item: ItemRow, file: FileToRead) -> RatingRow:
    """The label and the answers are the results of controls named `label` and as the questions are,
    unless the file's fields are mapped. The rater is the one that is said of the file, else what
    the control `rater` says, else the user who completed the annotation."""
    results = _results(annotation)
    given = _answer_of_annotation(annotation, results, file)
    return RatingRow(
        source=annotation.source,
        item=item,
        item_id=item.id,
        rater=file.fields.rater or _rater(annotation, results),
        label=given.label,
        answers=given.answers,
        seconds=annotation.optional_number("lead_time", MAX_SECONDS),
        rated_at=annotation.optional_moment("created_at"),
    )


def _results(annotation: Row) -> dict[str, list[Row]]:
    """The results by the name of their control; relations between regions have none."""
    results: dict[str, list[Row]] = {}
    for result in annotation.rows("result"):
        name = result.optional_text("from_name", limit=MAX_NAME)
        if name:
            results.setdefault(name, []).append(result)
    return results


def _answer_of_annotation(
    annotation: Row, results: dict[str, list[Row]], file: FileToRead
) -> GivenAnswer:
    fields = file.fields
    values: dict[str, object] = {}
    names: dict[str, str] = {}
    for key in dict.fromkeys(("label", *file.question_keys)):
        result = _only(results.get(fields.place(key), []))
        if result is not None:
            texts, names[key] = _texts(result)
            values[key] = "+".join(map(fields.label, texts) if key == "label" else texts)
    answer = given_answer(Row(annotation.source, values, "", names), file.question_keys, "label")
    if answer is None:
        controls = ", ".join(map(name_in_error, list(results)[:_SHOWN])) or "none"
        wanted = fields.place("label")
        message = f"has no answer by the control {wanted}, but by {controls}; --map label=CONTROL"
        raise annotation.error(message, "result")
    return answer


def _only(results: list[Row]) -> Row | None:
    if len(results) > 1:
        raise results[1].error("is the second answer by this control", "from_name")
    return results[0] if results else None


def _texts(result: Row) -> tuple[list[str], str]:
    """The chosen or written value, and the field that says it."""
    form = result.text("type", limit=MAX_NAME)
    if form not in VALUE_FIELDS:
        raise result.error(f"must be {' or '.join(VALUE_FIELDS)}, not {form!r:.40}", "type")
    field, inner = VALUE_FIELDS[form], result.object("value")
    texts = inner.texts(field)
    if not texts:
        raise inner.error("is empty", field)
    return texts, f"{inner.path}{field}"


def _rater(annotation: Row, results: dict[str, list[Row]]) -> str:
    named = _only(results.get(RATER, []))
    if named is not None:
        texts, field = _texts(named)
        return Row(named.source, {field: "\n".join(texts)}).name(field)
    if isinstance(annotation.values.get("completed_by"), dict):
        key = annotation.object("completed_by").optional_name("id", "email")
    else:
        key = annotation.optional_name("completed_by")
    if key is None:
        raise annotation.error(
            "is missing: the file does not name the rater; use --rater NAME", "completed_by"
        )
    return f"label-studio-{key}"


FORMATS: Final = (
    ImportFormat(
        name="label-studio",
        title="Label Studio",
        place=3,
        first_character="[",
        mapped=("label",),
        has_revisions=True,
        readers={"items": _items, "ratings": _ratings},
    ),
)
