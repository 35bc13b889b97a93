"""Scores made elsewhere are suggestions like any other. On both databases."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tasks.intake.queries import imported_matchers, imported_scores
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.suggestions import (
    MatcherNameError,
    Scale,
    SuggestionIntake,
    import_suggestions,
)
from tasks.models import AuditAction, AuditEntry, Campaign, Suggestion
from tests.tasks.conftest import MakeCampaign, item_row
from tomahto.interchange.reading.records import InputError, Source, SuggestionRow

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=3)


def row(number: int, score: float, **more: Any) -> SuggestionRow:
    return SuggestionRow(Source("lerc.jsonl", number), None, f"item-{number}", score, **more)


def taken_in(campaign: Campaign, rows: list[SuggestionRow], **more: Any) -> SuggestionIntake:
    given: dict[str, Any] = {
        "matcher": "lerc",
        "version": "imported|sha256:0",
        "scale": Scale(1, 5),
    } | more
    return import_suggestions(campaign=campaign, rows=rows, **given)


def stored() -> list[tuple[str, float, bool, object]]:
    found = Suggestion.objects.order_by("item__key", "pk").select_related("item")
    return [(each.item.key, each.score, each.is_correct, each.explanation) for each in found]


def test_scores_are_kept_from_0_to_1_whatever_their_scale(campaign: Campaign) -> None:
    rows = [row(1, 5.0, explanation={"why": "same"}), row(2, 2.0), row(3, 3.0, accepted=False)]
    assert taken_in(campaign, rows) == SuggestionIntake(3, 0)
    assert stored() == [
        ("item-1", 1.0, True, {"why": "same"}),
        ("item-2", 0.25, False, None),
        ("item-3", 0.5, False, None),
    ]
    entry = AuditEntry.objects.filter(action=AuditAction.IMPORT_DONE).latest("pk")
    assert (entry.subject_kind, entry.subject) == ("matcher", "lerc")
    assert json.loads(entry.details) == {"suggestions_created": 3, "suggestions_existing": 0}


def test_the_middle_of_the_scale_accepts_or_the_threshold(campaign: Campaign) -> None:
    taken_in(campaign, [row(1, 3.0), row(2, 2.9)])
    taken_in(campaign, [row(1, 3.0)], version="imported|sha256:1", scale=Scale(1, 5, 3.5))
    assert [each[2] for each in stored()] == [True, False, False]


def test_the_same_file_again_changes_nothing(campaign: Campaign) -> None:
    rows = [row(1, 4.0), row(2, 4.0)]
    taken_in(campaign, rows)
    assert taken_in(campaign, rows) == SuggestionIntake(0, 2)
    assert Suggestion.objects.count() == 2


@pytest.mark.parametrize("other", [Scale(1, 5, 2.5), Scale(0, 5), Scale(1, 6)])
def test_the_last_import_counts_also_of_an_earlier_file(campaign: Campaign, other: Scale) -> None:
    """Only what follows itself is there already."""
    first, second = [row(1, 4.0), row(2, 1.0)], [row(1, 2.0), row(2, 2.0)]
    scale, found = Scale(1, 5), []
    for sha256, rows, on in (
        ("a", first, scale),
        ("b", second, scale),
        ("a", first, scale),
        ("a", first, scale),
        ("a", first, other),
        ("a", first, scale),
    ):
        intake = taken_in(campaign, rows, version=on.version(sha256 * 64), scale=on)
        newest = imported_scores(campaign, "lerc")
        assert newest is not None
        found.append((intake.suggestions_created, newest.version))
        assert newest.scores == {f"item-{n}": on.place(r.score) for n, r in enumerate(rows, 1)}
        assert newest.threshold == on.place(on.accepts_from)
    a, b = (f"imported|range:1,5|threshold:3|sha256:{sha * 12}" for sha in "ab")
    assert found[:4] == [(2, a), (2, b), (2, f"{a}|import:2"), (0, f"{a}|import:2")]
    assert found[5] == (2, f"{a}|import:3")
    assert imported_matchers(campaign) == ["lerc"]


def test_a_campaign_knows_its_own_imports_alone(make_campaign: MakeCampaign) -> None:
    campaign, other = make_campaign(items=1), make_campaign(items=1)
    taken_in(other, [row(1, 4.0)])
    assert (imported_matchers(campaign), imported_scores(campaign, "lerc")) == ([], None)


def test_items_are_known_by_their_texts(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0)
    item = replace(item_row(1), id=None)
    import_items(campaign=campaign, rows=[item])
    by_texts = SuggestionRow(Source("lerc.jsonl", 1), item, None, 0.5)
    assert taken_in(campaign, [by_texts], scale=Scale()) == SuggestionIntake(1, 0)


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([row(9, 1.0)], "line 9, field id: there is no item 'item-9'"),
        ([row(1, 0.5)], "line 1, field score: 0.5 is not within 1 and 5; --range LOW,HIGH"),
        ([row(1, 1.0), row(1, 2.0)], "line 1, field score: item 'item-1' already has a score"),
    ],
)
def test_a_wrong_row_is_named_and_nothing_is_stored(
    campaign: Campaign, rows: list[SuggestionRow], fault: str
) -> None:
    with pytest.raises(InputError) as caught:
        taken_in(campaign, rows)
    assert str(caught.value) == f"lerc.jsonl, {fault}"
    assert not Suggestion.objects.exists()


@pytest.mark.parametrize("name", ["f1", "feather", "", "a b", "x:y", "x@lakes", "n" * 81])
def test_names_of_our_own_matchers_and_what_is_no_name_are_refused(
    campaign: Campaign, name: str
) -> None:
    with pytest.raises(MatcherNameError):
        taken_in(campaign, [row(1, 3.0)], matcher=name)
