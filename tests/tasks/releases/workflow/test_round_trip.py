"""A release that was imported elsewhere and released again is the same. On both databases."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.db.models.functions import Now

from exporters.planned_release import ReleasePlan
from tasks.adjudication.workflow import adjudicate, store_first_look
from tasks.campaigns.workflow.campaign import create_campaign
from tasks.intake.workflow.adjudications import import_adjudications
from tasks.intake.workflow.answers import import_answers
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import (
    Adjudication,
    Assignment,
    Campaign,
    Item,
    Membership,
    Question,
    Rating,
    Release,
    Slot,
)
from tasks.protocols import protocols
from tasks.rating.queries.exported_ratings import rating_lines
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.releases.workflow.release import publish_release
from tests.sampling import mostly
from tests.tasks.conftest import MakeMember, item_row, rating_row
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.campaigns.questions import read_answers
from tomahto.interchange.campaigns.ratings import read_adjudications, read_ratings
from tomahto.releases.stored.manifest import read_manifest
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import verify_release
from tomahto.votes.remarks import Remarks

pytestmark = pytest.mark.slow


ITEMS = 9
FORMULAS = {1: "=1+1", 2: "'=1+1", 3: "'+'"}  # candidates that CSV must keep apart
TEXTS = ("“quoted”, =1+1", "two\nlines\r\nand a third\u2028or so", " \tblank at the ends ", "é ́ 🦊")

Answers = Callable[[], Mapping[str, object]]


def rows(protocol: str) -> list[Any]:
    """Items of three documents, with all that a file can say of them."""
    more = () if protocol == "ae" else ("another reference",)
    return [
        item_row(
            n,
            candidate=FORMULAS.get(n, f"candidate {n} {TEXTS[n % len(TEXTS)]}"),
            references=(f"reference {n}, “{n}”", *more),
            reference_index=n % 3 if protocol == "ae" else None,
            systems=("juniper", "thistle")[: n % 3],
            question_type=("", "when")[n % 2],
            split=("", "dev", "train")[n % 3],
            unrated_references=() if n % 3 else (f"{n}", f"unrated {n} {TEXTS[n % len(TEXTS)]}"),
        )
        for n in range(1, ITEMS + 1)
    ]


def rate(rater: Membership, answers: Answers) -> list[Assignment]:
    """All that the rater can get."""
    claimed = []
    while claim := claim_item(membership=rater):
        submit(rater, claim.assignment_id, answers(), "first")
        claimed.append(Assignment.objects.get(pk=claim.assignment_id))
    return claimed


def submit(rater: Membership, assignment: int, answers: Mapping[str, object], key: str) -> Rating:
    return submit_rating(
        assignment_id=assignment,
        membership=rater,
        answers=answers,
        idempotency_key=f"{key} {assignment}",
        seconds=assignment / 7,
        remarks=Remarks(
            comment=f" said\r\nof {assignment} ", wording="de-1" if assignment % 2 else ""
        ),
    ).rating


def judge(judges: list[Membership], answers: Answers, keys: list[str]) -> None:
    """Blind looks and decisions, one of them revised."""
    for adjudicator in judges:
        for item in adjudicator.campaign.items.filter(key__in=keys):
            store_first_look(item=item, adjudicator=adjudicator, answers=answers())
            for key in ("first", "second")[: 1 + (item.key == keys[0])]:
                adjudicate(
                    item=item,
                    adjudicator=adjudicator,
                    answers=answers(),
                    reason="So it is.",
                    idempotency_key=f"{key} {item.pk}",
                )


@pytest.fixture
def make_rated(make_member: MakeMember) -> Callable[[str], Campaign]:
    def make(protocol: str) -> Campaign:
        """Rated twice in the workflow, some of it revised or surplus or imported, and judged."""
        campaign = create_campaign(slug="first", protocol=protocol, overlap=2)
        import_items(campaign=campaign, rows=rows(protocol))
        random = Random(protocol)
        outcomes = [o.answers for o in campaign.annotation_protocol.outcomes if o.answers]

        def answers() -> Mapping[str, object]:
            return random.choice(outcomes)

        oak, elm, late = (make_member(campaign, name) for name in ("oak", "elm", "late"))
        for assignment in rate(oak, answers)[:3]:
            submit(oak, assignment.pk, answers(), "revised")
        held = claim_item(membership=late)
        assert held is not None
        slots = Slot.objects.filter(holder__isnull=False)
        slots.update(expires_at=Now() - timedelta(seconds=1))
        rate(elm, answers)
        assert not submit(late, held.assignment_id, answers(), "late").is_counted
        import_items(campaign=campaign, rows=[item_row(90)])  # with surplus ratings alone
        label = campaign.annotation_protocol.labels[0].value
        bare = [rating_row(1, "bare", label), rating_row(90, "bare", label, counted=False)]
        import_ratings(campaign=campaign, rows=bare)
        judges = [make_member(campaign, name, "researcher") for name in ("fern", "moss")]
        judge(judges, answers, ["item-2", "item-3", "item-4"])
        return campaign

    return make


def publish(campaign: Campaign, out: Path, **changes: Any) -> Release:
    plan = ReleasePlan(
        version="1.0.0",
        split="document:dev=40,test=60:stratify=label",
        seed=3,
        labels="adjudicated",
    )
    release = publish_release(campaign=campaign, plan=replace(plan, **changes), out=out)
    assert verify_release(release.folder) == []
    return release


def load(campaign: Campaign, folder: Path, suffix: str) -> None:
    """The release's own files of one format, splits in no particular order."""
    keys = campaign.annotation_protocol.question_keys
    for path in sorted(folder.glob(f"items/*.{suffix}"), reverse=True):
        import_items(campaign=campaign, rows=read_items(path, format=None, question_keys=keys))
    for path in folder.glob(f"ratings/*.{suffix}"):
        import_ratings(campaign=campaign, rows=read_ratings(path, format=None, question_keys=keys))
    for path in folder.glob(f"adjudications/*.{suffix}"):
        decisions = read_adjudications(path, format=None, question_keys=keys)
        import_adjudications(campaign=campaign, rows=decisions)
    for path in folder.glob(f"answers/*.{suffix}"):
        import_answers(campaign=campaign, rows=read_answers(path, format=None))


@pytest.mark.parametrize("suffix", mostly(["jsonl", "csv"], "jsonl"))
@pytest.mark.parametrize("protocol", mostly(sorted(protocols()), "ae", "rules"))
def test_release_imported_and_released_again_has_the_same_digest(
    make_rated: Callable[[str], Campaign], tmp_path: Path, protocol: str, suffix: str
) -> None:
    rated = make_rated(protocol)
    first = publish(rated, tmp_path / "one")
    before = stored()
    load(rated, first.folder / suffix, suffix)  # nothing new where it came from
    assert stored() == before
    dataset = read_release(first.folder).dataset
    assert (first.items, first.ratings, len(dataset.ratings)) == (ITEMS, 2 * ITEMS + 1, 20)
    assert len(dataset.adjudications) == 6
    assert dataset.optional_columns == {"unrated_references", "wording"}
    bare = rated.memberships.get(name="bare").pseudonym
    assert read_manifest(first.folder).imported_raters == (bare,)
    campaign = create_campaign(slug="second", protocol=protocol, overlap=1)
    load(campaign, first.folder / suffix, suffix)
    second = publish(campaign, tmp_path / "two")
    assert (second.digest, second.documents) == (first.digest, first.documents)
    everybody = {each.rater for each in dataset.ratings}
    everybody |= {each.adjudicator for each in dataset.adjudications}
    assert read_manifest(second.folder).imported_raters == tuple(sorted(everybody))
    card = (second.folder / "README.md").read_text(encoding="utf-8")
    assert f"Of the raters and adjudicators, {len(everybody)} had no account" in card
    again = read_release(second.folder).dataset
    assert again.items == dataset.items
    assert [replace(each, guideline_version=None) for each in dataset.adjudications] == list(
        again.adjudications
    )


@pytest.mark.parametrize("protocol", mostly(sorted(protocols()), "ae"))
def test_exported_ratings_imported_and_exported_again_are_the_same(
    make_rated: Callable[[str], Campaign], tmp_path: Path, protocol: str
) -> None:
    first = make_rated(protocol)
    lines = [json.loads(line) for line in rating_lines(first)]
    assert len(lines) == 2 * ITEMS + 3  # two surplus ones, one of a bare label
    imported = first.memberships.get(name="bare").pseudonym
    assert {line["rater"] for line in lines if line["imported"]} == {imported}
    file = tmp_path / "ratings.jsonl"
    file.write_text("".join(rating_lines(first, with_comments=True)), encoding="utf-8")
    campaign = create_campaign(slug="second", protocol=protocol, overlap=1)
    keys = campaign.annotation_protocol.question_keys
    before = stored()
    import_ratings(campaign=first, rows=read_ratings(file, format=None, question_keys=keys))
    assert stored() == before  # nothing new where it came from
    import_ratings(campaign=campaign, rows=read_ratings(file, format=None, question_keys=keys))
    for line in lines:
        line["imported"] = True
        # imported ratings follow no guidelines of ours, and who gave them saw nothing here
        line.pop("guideline_version", None)
        line.pop("suggestion_arm", None)
    assert [json.loads(line) for line in rating_lines(campaign)] == lines


def stored() -> dict[str, int]:
    models = (Adjudication, Item, Membership, Question, Rating, Slot)
    return {model.__name__: model._default_manager.count() for model in models}
