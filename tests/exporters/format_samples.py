"""The sample releases in every further format."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from exporters.planned_release import ReleaseContent
from tests.exporters.builders import build_dataset
from tests.exporters.samples import CAMPAIGN, CAP_CONTENT, CONTENT
from tomahto.releases.formats.formats import FORMATS
from tomahto.releases.records.records import ItemRecord, RatingRecord, SplitSpec
from tomahto.votes.scheme import LabelScheme, QuestionScheme

AE = replace(
    CONTENT,
    campaign=replace(CAMPAIGN, accepted_labels=("equivalent",)),
    formats=("squad", "label-studio", "doccano"),
)
CAP = replace(
    CAP_CONTENT,
    campaign=replace(CAP_CONTENT.campaign, accepted_labels=("exact",)),
    formats=("squad", "cap-correctness", "label-studio", "doccano"),
)
STATEMENT = replace(
    CAP_CONTENT,
    campaign=replace(
        CAP_CONTENT.campaign,
        protocol="statement",
        scheme=LabelScheme(("correct", "wrong"), (1, 0)),
        question_keys=("label",),
    ),
    ratings=[
        RatingRecord("a1", "r1", "correct", {"label": "correct"}),
        RatingRecord("b1", "r1", "wrong", {"label": "wrong"}),
    ],
)
RULES = replace(
    STATEMENT,
    campaign=replace(
        STATEMENT.campaign,
        question_keys=("label", "rules"),
        question_schemes=(
            QuestionScheme("label", ("correct", "wrong")),
            QuestionScheme("rules", ("aliasing", "numerical"), is_multiple=True),
        ),
    ),
    spec=SplitSpec("document", {"test": 100.0}),
    ratings=[RatingRecord("a1", "r1", "wrong", {"label": "wrong", "rules": "aliasing+numerical"})],
)


def texts(content: ReleaseContent, name: str) -> dict[str, str]:
    """The files of a format by path."""
    return {
        file.path: "".join(text for group in file.groups for text in group)
        for file in FORMATS[name].files(build_dataset(content))
    }


def json_rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return list(map(json.loads, lines))


def labelled(items: Sequence[tuple[ItemRecord, str]], **changes: Any) -> ReleaseContent:
    """Items of the protocol `ae`, each with the label that its one rater gave, in one split."""
    answers: Mapping[str, Mapping[str, str]] = {
        "equivalent": {"q1": "no", "q2": "yes"},
        "not-equivalent": {"q1": "yes"},
    }
    return replace(
        AE,
        items=[item for item, _ in items],
        ratings=[RatingRecord(item.id, "r1", label, answers[label]) for item, label in items],
        spec=replace(AE.spec, shares={"test": 100.0}),
        **changes,
    )
