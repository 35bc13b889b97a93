"""Small releases whose figures can be computed by hand."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from exporters.planned_release import ReleaseContent
from tomahto.releases.documents.datasheet import QUESTIONS
from tomahto.releases.files.folder import FileEntry
from tomahto.releases.records.records import (
    AdjudicationRecord,
    CampaignRecord,
    Documentation,
    Guideline,
    ItemRecord,
    RatingRecord,
    SplitSpec,
)
from tomahto.releases.stored.manifest import CHECKSUMS, MANIFEST, checksum_lines
from tomahto.votes.scheme import LabelScheme, QuestionScheme

AE_SCHEME = LabelScheme(("equivalent", "not-equivalent"), (1, 0))
EQUIVALENT = {"q1": "no", "q2": "yes"}
DIFFERENT = {"q1": "yes"}
LESS = {"q1": "no", "q2": "no", "q3": "yes", "q4": "no"}
RATED_AT = datetime(2026, 3, 1, 12, 30, 0, 250_000, tzinfo=UTC)

CAMPAIGN = CampaignRecord(
    slug="demo",
    title="Answers | about cities",
    description="What people asked about cities.",
    protocol="ae",
    scheme=AE_SCHEME,
    question_keys=("q1", "q2", "q3", "q4"),
    question_schemes=tuple(QuestionScheme(key, ("yes", "no")) for key in ("q1", "q2", "q3", "q4")),
    guidelines=(Guideline(1, "# First\n"), Guideline(2, "# Second — clearer\n")),
)


def item(
    id_: str,
    document: str,
    *,
    question: str = "q",
    reference: str = "Paris",
    candidate: str = "Rome",
    systems: tuple[str, ...] = ("bidaf",),
    index: int | None = 0,
) -> ItemRecord:
    return ItemRecord(
        id=id_,
        document=document,
        question_id=question,
        question=f"What is {question}?",
        context=f"A passage of {document}.",
        references=(reference,),
        candidate=candidate,
        systems=systems,
        reference_index=index,
    )


def rating(
    item_id: str, rater: str, answers: Mapping[str, str], *, counted: bool = True
) -> RatingRecord:
    label = "equivalent" if answers == EQUIVALENT else "not-equivalent"
    return RatingRecord(
        item_id=item_id,
        rater=rater,
        label=label,
        answers=answers,
        counted=counted,
        seconds=2.5,
        rated_at=RATED_AT,
        guideline_version=2,
        suggestion_shown=False,
    )


# Token F1: a1 1/2 (1 of 3 tokens, 1 of 1), a2 1/3 (1 of 3, 1 of 3), b1 0, c1 4/5 (2 of 3, 2 of 2),
# d1 1 (neither has a token). e1 has no counted rating.
ITEMS = (
    item("a1", "A", question="qa", candidate="in Paris, France", systems=("xlnet", "bidaf")),
    item(
        "a2",
        "A",
        question="qa",
        reference="the city of Paris",
        candidate="in Paris, France",
        systems=("xlnet", "bidaf"),
        index=1,
    ),
    item("b1", "B", question="qb", reference="two", candidate="=2+2", systems=("luke",)),
    item(
        "c1",
        "C",
        question="qc",
        reference="O notation",
        candidate="Big O notation",
        systems=("xlnet",),
        index=None,
    ),
    item("d1", "D", question="qd", reference="", candidate=""),
    item("e1", "D", question="qd", candidate="a\0b\r\nc\u2028“d”"),
)
# Votes (equivalent, not-equivalent): a1 (2, 1), a2 (0, 1), b1 (1, 1), c1 (1, 0), d1 (0, 4).
RATINGS = (
    rating("a1", "r1", EQUIVALENT),
    rating("a1", "r2", EQUIVALENT),
    rating("a1", "r3", LESS),
    rating("a2", "r1", DIFFERENT),
    rating("b1", "r1", DIFFERENT),
    rating("b1", "r2", EQUIVALENT),
    replace(rating("c1", "r2", EQUIVALENT), seconds=None, rated_at=None, suggestion_shown=None),
    rating("c1", "r3", LESS, counted=False),
    rating("d1", "r1", DIFFERENT),
    rating("d1", "r2", DIFFERENT),
    rating("d1", "r3", DIFFERENT),
    rating("d1", "r4", LESS),
    rating("e1", "r1", EQUIVALENT, counted=False),
)

# a1: both say not equivalent, against the majority. e1 is left out.
ADJUDICATIONS = (
    AdjudicationRecord("a1", "x1", "not-equivalent", first_label="equivalent"),
    AdjudicationRecord("a1", "x2", "not-equivalent", guideline_version=2),
    AdjudicationRecord("d1", "x1", "not-equivalent"),
    AdjudicationRecord("e1", "x1", "equivalent"),
)
# b1, a tie of votes: its adjudicators differ as well.
DIFFERING = (
    *ADJUDICATIONS,
    AdjudicationRecord("b1", "x1", "not-equivalent"),
    AdjudicationRecord("b1", "x2", "equivalent"),
)

CONTENT = ReleaseContent(
    campaign=CAMPAIGN,
    items=ITEMS,
    ratings=RATINGS,
    spec=SplitSpec("document", {"dev": 30.0, "test": 70.0}),
    seed=13,
    version="1.0.0",
    created_at=datetime(2026, 3, 2, 9, tzinfo=UTC),
    software="tomahto 0.1.0",
)

# Every question of its datasheet is answered.
ANSWERED = replace(
    CONTENT,
    documentation=Documentation(
        answers={question.key: "Stated." for question in QUESTIONS} | {"authors": "Hill, Bo"}
    ),
)

CAP_SCHEME = LabelScheme(("exact", "partial", "invalid"), (2, 1, 0), "ordinal")
CAP_CONTENT = replace(
    CONTENT,
    campaign=replace(
        CAMPAIGN,
        protocol="cap",
        scheme=CAP_SCHEME,
        question_keys=("label", "why"),
        question_schemes=(),
        guidelines=(),
    ),
    items=[replace(record, references=("Paris", "Lutetia")) for record in ITEMS],
    ratings=[
        RatingRecord(record.id, "r1", label, {"label": label, "why": why})
        for record, label, why in zip(
            ITEMS[:4],
            ("exact", "partial", "invalid", "exact"),
            ("aliasing", "more-details+other", "yes", "no"),
            strict=True,
        )
    ],
)


def reseal(folder: Path, **changes: object) -> None:
    """Make manifest and checksums fit the files again, as somebody who hides a change would."""
    manifest = json.loads((folder / MANIFEST).read_text()) | changes
    manifest["files"] = [asdict(_entry(folder, FileEntry(**file))) for file in manifest["files"]]
    (folder / MANIFEST).write_text(json.dumps(manifest))
    paths = [*(file["path"] for file in manifest["files"]), MANIFEST]
    (folder / CHECKSUMS).write_text(
        checksum_lines({path: sha256((folder / path).read_bytes()).hexdigest() for path in paths})
    )


def _entry(folder: Path, entry: FileEntry) -> FileEntry:
    content = (folder / entry.path).read_bytes()
    return replace(entry, sha256=sha256(content).hexdigest(), bytes=len(content))
