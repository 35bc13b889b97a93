"""Withdrawing releases: once, for good, with a reason. On both databases."""

from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, transaction

from exporters.release import write_release
from tasks.intake.workflow.items import import_items
from tasks.models import Campaign, Release, Withdrawal
from tasks.releases.workflow import release as stage
from tasks.releases.workflow.listing import (
    MAX_REASON,
    ReleaseRefused,
    WithdrawalRefused,
    withdraw_release,
)
from tests.tasks.conftest import MakeMember, item_row
from tests.tasks.releases.releasing import publish, rate, rated_campaign
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def _published(kept_rows: None, tmp_path_factory: pytest.TempPathFactory) -> Release:
    return publish(rated_campaign(), tmp_path_factory.mktemp("releases") / "one")


@pytest.fixture
def release(_published: Release, db: None) -> Release:
    return Release.objects.get(pk=_published.pk)


@pytest.fixture
def campaign(release: Release) -> Campaign:
    return release.campaign


def test_withdrawal_says_why_who_and_when(
    campaign: Campaign, release: Release, make_member: MakeMember
) -> None:
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


def test_operators_withdraw_without_an_account(release: Release) -> None:
    made = withdraw_release(release=release, reason="A\0B")
    assert (made.withdrawn_by, made.role, made.reason) == (None, "", "A\N{REPLACEMENT CHARACTER}B")


@pytest.mark.parametrize(
    ("reason", "refusal"),
    [
        (" \n", "give a reason for the withdrawal"),
        ("x" * (MAX_REASON + 1), "the reason has 2001 characters, over 2000"),
    ],
)
def test_withdrawal_wants_a_reason_of_some_length(
    release: Release, reason: str, refusal: str
) -> None:
    with pytest.raises(WithdrawalRefused, match=f"^{refusal}$"):
        withdraw_release(release=release, reason=reason)
    assert not Withdrawal.objects.exists()


def test_a_release_is_withdrawn_once(release: Release) -> None:
    withdraw_release(release=release, reason="First.")
    with pytest.raises(WithdrawalRefused, match=r"1\.0\.0 was withdrawn before$"):
        withdraw_release(release=Release.objects.get(), reason="Second.")
    assert Withdrawal.objects.get().reason == "First."


def test_the_database_keeps_withdrawals_as_they_are(
    campaign: Campaign, release: Release, tmp_path: Path
) -> None:
    made = withdraw_release(release=release, reason="Leaks.")
    rows = Withdrawal.objects.filter(pk=made.pk)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        rows.update(reason="Nothing.")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        rows.delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        Withdrawal.objects.create(release=publish(campaign, tmp_path / "b", "1.0.1"), reason="")
    assert rows.get().reason == "Leaks."


def test_a_withdrawn_number_is_never_used_again(
    campaign: Campaign, release: Release, tmp_path: Path
) -> None:
    withdraw_release(release=release, reason="Leaks.")
    refusal = rf"^{campaign.slug} 1\.0\.0 was withdrawn; its number is never used again$"
    with pytest.raises(ReleaseRefused, match=refusal):
        publish(campaign, tmp_path / "two")  # the same content, even
    with pytest.raises(ReleaseRefused, match=refusal):
        publish(campaign, release.folder)
    assert list(tmp_path.iterdir()) == []


def test_a_release_withdrawn_while_it_is_written_again_stays_withdrawn(
    campaign: Campaign, release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overtaken(*arguments: Any, **options: Any) -> None:
        withdraw_release(release=release, reason="Meanwhile.")
        write_release(*arguments, **options)

    monkeypatch.setattr(stage, "write_release", overtaken)
    with pytest.raises(ReleaseRefused, match="was withdrawn"):
        publish(campaign, tmp_path / "two")
    assert list(tmp_path.iterdir()) == []


def test_documents_of_a_withdrawn_release_stay_in_their_split(
    campaign: Campaign, release: Release, tmp_path: Path
) -> None:
    withdraw_release(release=release, reason="Names are in it.")
    import_items(campaign=campaign, rows=[item_row(n, document=f"more-{n}") for n in range(7, 40)])
    rate(campaign, *range(7, 40))
    second = publish(campaign, tmp_path / "two", "1.1.0")
    assert {name: second.documents[name] for name in release.documents} == release.documents
