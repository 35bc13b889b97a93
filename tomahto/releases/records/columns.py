"""The columns of the tables of a release, the same in every format."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tomahto.votes.remarks import REMARKS

if TYPE_CHECKING:
    import pyarrow as pa

Kind = Literal["text", "texts", "label", "flag", "integer", "number", "time", "votes", "shares"]
TableName = Literal["items", "ratings", "adjudications", "answers"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, what it holds, what that means, and whether it may be empty (null)."""

    name: str
    kind: Kind
    meaning: str
    optional: bool = False


ITEM_COLUMNS: tuple[Column, ...] = (
    Column("id", "text", "Identifier of the item, unique in the campaign"),
    Column("document", "text", "Document the context comes from"),
    Column("question_id", "text", "Identifier of the question"),
    Column("question_type", "text", "The type of question, empty if none was given"),
    Column("source_split", "text", "The split of the question in its source, empty if none"),
    Column("question", "text", "The question"),
    Column("context", "text", "The passage that was shown with the question"),
    Column("references", "texts", "The gold answers the candidate was compared with"),
    Column("reference_index", "integer", "Place of the reference in its question, from 0", True),
    Column("candidate", "text", "The answer that was rated"),
    Column("systems", "texts", "The systems that gave this candidate"),
    Column("label", "label", "The item's label, chosen as the release says"),
    Column(
        "label_source", "text", "Source of the label: majority, adjudicated, dawid-skene, or a tie"
    ),
    Column("tie", "flag", "Whether labels shared the first place of the votes"),
    Column("tied_labels", "texts", "The labels that shared the first place, empty without a tie"),
    Column("votes", "votes", "Number of counted ratings with each label"),
    Column("n_ratings", "integer", "Number of counted ratings"),
    Column(
        "majority_label", "label", "Majority of the counted ratings, drawn by the seed in a tie"
    ),
    Column("confidence", "number", "Posterior mean of the majority label's share, given the votes"),
    Column(
        "dawid_skene_label", "label", "The most probable label under the model of Dawid and Skene"
    ),
    Column("dawid_skene_confidence", "number", "The probability of that label under the model"),
    Column("dawid_skene_posterior", "shares", "The probability of each label under the model"),
    Column("adjudicated_label", "label", "The label that all adjudicators of the item share", True),
    Column("f1", "number", "Token F1 of the candidate against its best reference", True),
)

OPTIONAL_ITEM_COLUMNS: tuple[Column, ...] = (
    Column(
        "intended", "text", "Target of the generation, empty if the candidate was not generated"
    ),
    Column(
        "unrated_references", "texts", "Gold answers of the question in no item or answer, sorted"
    ),
)
"""Those of items that a release has where one of its items has something to say in them."""

_BEFORE_ANSWERS: tuple[Column, ...] = (
    Column("id", "text", "Identifier of the rated item"),
    Column("rater", "text", "Pseudonym of the rater, the same throughout the campaign"),
    Column("label", "label", "Label that follows from the rater's answers"),
)
_AFTER_ANSWERS: tuple[Column, ...] = (
    Column("counted", "flag", "Whether the rating is one of the item's votes or surplus"),
    Column("seconds", "number", "Seconds the rater took", True),
    Column("created_at", "time", "When the rating was given", True),
    Column("guideline_version", "integer", "Version of the guideline the rater saw", True),
    Column("suggestion_shown", "flag", "Whether the rater saw a matcher's suggestion first", True),
)

SET_ASIDE = Column(
    "set_aside", "flag", "Whether an admin has set the rating aside: not counted, and not surplus"
)
_COMMENT, *_OTHER_REMARKS = REMARKS
COMMENT = Column(_COMMENT.name, "text", _COMMENT.meaning, True)

OPTIONAL_RATING_COLUMNS: tuple[Column, ...] = (
    *(Column(remark.name, "text", remark.meaning) for remark in _OTHER_REMARKS),
    SET_ASIDE,
)
OPTIONAL_COLUMNS = (*OPTIONAL_ITEM_COLUMNS, *OPTIONAL_RATING_COLUMNS)
"""Those of items and ratings that a release has where a row has something to say in them."""

ADJUDICATION_COLUMNS: tuple[Column, ...] = (
    Column("id", "text", "Identifier of the item"),
    Column("adjudicator", "text", "Pseudonym of the adjudicator, the same throughout the campaign"),
    Column("label", "label", "The adjudicator's decision"),
    Column("first_label", "label", "Label given before the ratings were shown", True),
    Column("guideline_version", "integer", "Version of the guideline the adjudicator saw", True),
)

ANSWER_COLUMNS: tuple[Column, ...] = (
    Column("document", "text", "Document the question belongs to"),
    Column("question_id", "text", "Identifier of the question"),
    Column("source_split", "text", "The split of the question in its source, empty if none"),
    Column("question", "text", "The question"),
    Column("context", "text", "The passage, if no item of the question has it", True),
    Column("references", "texts", "All gold answers of the question, sorted"),
    Column("system", "text", "The system that gave the answer"),
    Column("candidate", "text", "The answer, empty if the system abstained"),
    Column("settled", "text", "Whether it is exact, rated, or not-rated"),
    Column("items", "texts", "Identifiers of its items in this release"),
)

FIXED_COLUMNS: Mapping[TableName, tuple[Column, ...]] = {
    "adjudications": ADJUDICATION_COLUMNS,
    "answers": ANSWER_COLUMNS,
}
"""Those of the tables that have the same in every release."""

# `label` may be a question: its answers are the label, so they need no column of their own.
RESERVED_NAMES = frozenset(
    column.name for column in (*_BEFORE_ANSWERS, *_AFTER_ANSWERS, *OPTIONAL_RATING_COLUMNS, COMMENT)
) - {"label"}


def item_columns(optional: Set[str]) -> tuple[Column, ...]:
    """The last are those of OPTIONAL_ITEM_COLUMNS that are named."""
    return (*ITEM_COLUMNS, *(each for each in OPTIONAL_ITEM_COLUMNS if each.name in optional))


def rating_columns(
    answer_columns: Sequence[str],
    flags: Set[str],
    optional: Set[str] = frozenset(),
    has_comments: bool = False,
) -> tuple[Column, ...]:
    """The columns of the ratings: one per question, a flag where only yes and no are answered;
    then those of OPTIONAL_RATING_COLUMNS that are among the `optional` ones, and the comment where
    comments are released."""
    answers = tuple(
        Column(key, "flag" if key in flags else "text", f"Answer to the question {key}", True)
        for key in answer_columns
    )
    more = (each for each in OPTIONAL_RATING_COLUMNS if each.name in optional)
    comment = (COMMENT,) if has_comments else ()
    return (*_BEFORE_ANSWERS, *answers, *_AFTER_ANSWERS, *more, *comment)


def arrow_schema(columns: Sequence[Column], labels: Sequence[str]) -> "pa.Schema":
    """The types of the columns in Parquet. Every field may be null to Parquet's eyes: `datasets`
    knows no other, and `Column.optional` is enforced by verification."""
    import pyarrow as pa  # slow to load, and few pages and commands need it

    types: dict[Kind, pa.DataType] = {
        "text": pa.string(),
        "texts": pa.list_(pa.string()),
        "label": pa.string(),
        "flag": pa.bool_(),
        "integer": pa.int32(),
        "number": pa.float64(),
        "time": pa.timestamp("us", tz="UTC"),
        "votes": pa.struct([pa.field(label, pa.int32()) for label in labels]),
        "shares": pa.struct([pa.field(label, pa.float64()) for label in labels]),
    }
    return pa.schema([pa.field(column.name, types[column.kind]) for column in columns])
