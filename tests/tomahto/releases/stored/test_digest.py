from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporters.planned_release import ReleaseContent
from tests.exporters.builders import build_dataset
from tests.exporters.samples import (
    ADJUDICATIONS,
    CAMPAIGN,
    CAP_SCHEME,
    CONTENT,
    item,
)
from tomahto.releases.dataset.labels import LabelChoice
from tomahto.releases.records.records import AdjudicationRecord, RatingRecord, SplitSpec
from tomahto.releases.stored.digest import content_digest


def digest(content: ReleaseContent) -> str:
    return content_digest(build_dataset(content))


def test_content_digest_is_that_of_lines_of_canonical_json() -> None:
    content = replace(
        CONTENT,
        campaign=replace(
            CAMPAIGN,
            protocol="cap",
            scheme=CAP_SCHEME,
            question_keys=("label",),
            question_schemes=(),
        ),
        items=[item("i", "é", candidate='"\n', index=None)],
        ratings=[RatingRecord("i", "r", "partial", {"label": "partial"}, seconds=2)],
        spec=SplitSpec("document", {"test": 100}),
    )
    lines = (
        '{"format":"tomahto release content 1","labels":["exact","partial","invalid"],'
        '"level":"ordinal","protocol":"cap","questions":["label"],"ranks":[2.0,1.0,0.0],'
        '"seed":13,"shares":{"test":100.0},"split_by":"document"}\n'
        '{"candidate":"\\"\\n","context":"A passage of é.","document":"é","id":"i",'
        '"label":"partial","question":"What is q?","question_id":"q","question_type":"",'
        '"reference_index":null,"references":["Paris"],"split":"test","systems":["bidaf"],"votes":[0,1,0]}\n'
        '{"answers":{},"counted":true,"created_at":null,"id":"i","label":"partial","rater":"r",'
        '"seconds":2.0}\n'
    )
    assert digest(content) == sha256(lines.encode()).hexdigest()


@settings(max_examples=15)
@given(st.randoms())
def test_content_digest_is_the_same_in_any_order(random: Random) -> None:
    items, ratings = list(CONTENT.items), list(CONTENT.ratings)
    random.shuffle(items)
    random.shuffle(ratings)
    shares = dict(reversed(list(CONTENT.spec.shares.items())))
    spec = replace(CONTENT.spec, shares=shares)
    assert digest(replace(CONTENT, items=items, ratings=ratings, spec=spec)) == digest(CONTENT)


def test_content_digest_leaves_out_names_versions_and_what_imports_cannot_know() -> None:
    campaign = replace(CAMPAIGN, slug="x", title="X", description="", licence="x", guidelines=())
    other = replace(
        CONTENT,
        campaign=campaign,
        version="7.1.2",
        created_at=datetime(2030, 1, 1, tzinfo=UTC),
        software="another",
        ratings=[
            replace(rating, guideline_version=None, suggestion_shown=None)
            for rating in CONTENT.ratings
        ],
    )
    assert digest(other) == digest(CONTENT)


def changed_rating(**changes: object) -> Sequence[RatingRecord]:
    return [replace(CONTENT.ratings[0], **changes), *CONTENT.ratings[1:]]  # type: ignore[arg-type]  # fields of several types


@pytest.mark.parametrize(
    "other",
    [
        replace(CONTENT, seed=14),
        replace(CONTENT, spec=SplitSpec("document", {"dev": 31, "test": 69})),
        replace(CONTENT, items=[replace(CONTENT.items[0], context=""), *CONTENT.items[1:]]),
        replace(CONTENT, items=[replace(CONTENT.items[0], systems=()), *CONTENT.items[1:]]),
        replace(CONTENT, ratings=CONTENT.ratings[1:]),
        replace(CONTENT, ratings=changed_rating(rater="r9")),
        replace(CONTENT, ratings=changed_rating(answers={})),
        replace(CONTENT, ratings=changed_rating(counted=False)),
        replace(CONTENT, adjudications=ADJUDICATIONS),
        replace(CONTENT, ratings=changed_rating(seconds=None)),
        replace(CONTENT, ratings=changed_rating(rated_at=datetime(2026, 3, 1, tzinfo=UTC))),
        replace(
            CONTENT,
            ratings=changed_rating(
                rated_at=datetime(2026, 3, 1, 12, 30, tzinfo=UTC) + timedelta(microseconds=1)
            ),
        ),
    ],
)
def test_content_digest_covers_items_and_ratings(other: ReleaseContent) -> None:
    assert digest(other) != digest(CONTENT)


def test_content_digest_of_a_known_content_never_changes() -> None:
    content = replace(CONTENT, spec=SplitSpec("document", {"test": 100.0}))
    assert digest(content) == "679e68f7c37c0a5f8838e5784a14ca18792f56d14a7a10e37a84bcdfe8e44ecf"


def test_content_digest_tells_the_choice_of_label() -> None:
    choices: tuple[LabelChoice, ...] = ("majority", "adjudicated", "dawid-skene")
    assert len({digest(replace(CONTENT, labels=choice)) for choice in choices}) == 3


def test_content_digest_ends_in_the_adjudications() -> None:
    content = replace(
        CONTENT,
        campaign=replace(
            CAMPAIGN,
            protocol="cap",
            scheme=CAP_SCHEME,
            question_keys=("label",),
            question_schemes=(),
        ),
        items=[item("i", "D", candidate="c", index=None)],
        ratings=[RatingRecord("i", "r", "partial", {"label": "partial"}, seconds=2)],
        adjudications=[AdjudicationRecord("i", "x", "exact", "partial", guideline_version=3)],
        spec=SplitSpec("document", {"test": 100}),
        labels="adjudicated",
    )
    lines = (
        '{"format":"tomahto release content 1","label_choice":"adjudicated",'
        '"labels":["exact","partial","invalid"],'
        '"level":"ordinal","protocol":"cap","questions":["label"],"ranks":[2.0,1.0,0.0],'
        '"seed":13,"shares":{"test":100.0},"split_by":"document"}\n'
        '{"candidate":"c","context":"A passage of D.","document":"D","id":"i",'
        '"label":"exact","question":"What is q?","question_id":"q","question_type":"",'
        '"reference_index":null,"references":["Paris"],"split":"test","systems":["bidaf"],'
        '"votes":[0,1,0]}\n'
        '{"answers":{},"counted":true,"created_at":null,"id":"i","label":"partial","rater":"r",'
        '"seconds":2.0}\n'
        '{"adjudicator":"x","first_label":"partial","id":"i","label":"exact"}\n'
    )
    assert digest(content) == sha256(lines.encode()).hexdigest()


@settings(max_examples=15)
@given(st.randoms())
def test_content_digest_does_not_depend_on_the_order_of_adjudications(random: Random) -> None:
    content = replace(CONTENT, adjudications=ADJUDICATIONS, labels="dawid-skene")
    shuffled = replace(
        content,
        ratings=random.sample(CONTENT.ratings, len(CONTENT.ratings)),
        adjudications=random.sample(ADJUDICATIONS, len(ADJUDICATIONS)),
    )
    assert digest(shuffled) == digest(content)
