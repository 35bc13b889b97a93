"""Withdrawing releases: once, for good, with a reason. On both databases."""

from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from exporters.plan import ReleasePlan
from exporters.release import write_release
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Release, Withdrawal
from tasks.releases.workflow import release as stage
from tasks.releases.workflow.listing import ReleaseRefused
from tasks.releases.workflow.release import publish_release
from tasks.releases.workflow.withdrawal import MAX_REASON, WithdrawalRefused, withdraw_release
from tests.tasks.conftest import MakeCampaign, MakeMember, item_row, rating_row
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


SPLIT = "document:dev=40,test=60"


def rate(campaign: Campaign, items: range) -> None:
    rows = [rating_row(n, rater, "equivalent") for n in items for rater in ("ann", "ben")]
    import_ratings(campaign=campaign, rows=rows)


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=6)
    rate(campaign, range(1, 7))
    return campaign


def publish(campaign: Campaign, out: Path, version: str = "1.0.0") -> Release:
    plan = ReleasePlan(version=version, seed=0, split=SPLIT)
    return publish_release(campaign=campaign, plan=plan, out=out)


def test_withdrawal_says_why_who_and_when(
    campaign: Campaign, make_member: MakeMember, tmp_path: Path
) -> None:
    release = publish(campaign, tmp_path / "one")
    admin = make_member(campaign, role="admin")
    made = withdraw_release(release=release, reason="  Names are in it.\n", by=admin)
    stored = Withdrawal.objects.get()
    assert (stored, stored.release) == (made, release)
    assert (stored.reason, stored.withdrawn_by, stored.role) == (
        *("Names are in it.", admin.user, "admin"),
    )
    assert stored.created_at == made.created_at
    assert Release.objects.get().withdrawn == stored
    assert verify_release(release.folder) == []


def test_operators_withdraw_without_an_account(campaign: Campaign, tmp_path: Path) -> None:
    made = withdraw_release(release=publish(campaign, tmp_path / "one"), reason="A\0B")
    assert (made.withdrawn_by, made.role, made.reason) == (None, "", "A\N{REPLACEMENT CHARACTER}B")


@pytest.mark.parametrize(
    ("reason", "refusal"),
    [
        (" \n", "a withdrawal needs a reason, in words"),
        ("x" * (MAX_REASON + 1), "the reason has 2001 characters, over 2000"),
    ],
)
def test_withdrawal_wants_a_reason_of_some_length(
    campaign: Campaign, tmp_path: Path, reason: str, refusal: str
) -> None:
    release = publish(campaign, tmp_path / "one")
    with pytest.raises(WithdrawalRefused, match=f"^{refusal}$"):
        withdraw_release(release=release, reason=reason)
    assert not Withdrawal.objects.exists()


def test_a_release_is_withdrawn_once(campaign: Campaign, tmp_path: Path) -> None:
    release = publish(campaign, tmp_path / "one")
    withdraw_release(release=release, reason="First.")
    with pytest.raises(WithdrawalRefused, match=r"1\.0\.0 was withdrawn before$"):
        withdraw_release(release=Release.objects.get(), reason="Second.")
    assert Withdrawal.objects.get().reason == "First."


def test_the_database_keeps_withdrawals_as_they_are(campaign: Campaign, tmp_path: Path) -> None:
    made = withdraw_release(release=publish(campaign, tmp_path / "one"), reason="Leaks.")
    rows = Withdrawal.objects.filter(pk=made.pk)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        rows.update(reason="Nothing.")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        rows.delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        Withdrawal.objects.create(release=publish(campaign, tmp_path / "b", "1.0.1"), reason="")
    assert rows.get().reason == "Leaks."


def test_a_withdrawn_number_is_never_used_again(campaign: Campaign, tmp_path: Path) -> None:
    withdraw_release(release=publish(campaign, tmp_path / "one"), reason="Leaks.")
    refusal = rf"^{campaign.slug} 1\.0\.0 was withdrawn; its number is never used again$"
    with pytest.raises(ReleaseRefused, match=refusal):
        publish(campaign, tmp_path / "two")  # the same content, even
    with pytest.raises(ReleaseRefused, match=refusal):
        publish(campaign, tmp_path / "one")
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_a_release_withdrawn_while_it_is_written_again_stays_withdrawn(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = publish(campaign, tmp_path / "one")

    def overtaken(*arguments: Any, **options: Any) -> None:
        withdraw_release(release=release, reason="Meanwhile.")
        write_release(*arguments, **options)

    monkeypatch.setattr(stage, "write_release", overtaken)
    with pytest.raises(ReleaseRefused, match="was withdrawn"):
        publish(campaign, tmp_path / "two")
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_documents_of_a_withdrawn_release_stay_in_their_split(
    campaign: Campaign, tmp_path: Path
) -> None:
    first = publish(campaign, tmp_path / "one")
    withdraw_release(release=first, reason="Names are in it.")
    import_items(campaign=campaign, rows=[item_row(n, document=f"more-{n}") for n in range(7, 40)])
    rate(campaign, range(7, 40))
    second = publish(campaign, tmp_path / "two", "1.1.0")
    assert {name: second.documents[name] for name in first.documents} == first.documents
