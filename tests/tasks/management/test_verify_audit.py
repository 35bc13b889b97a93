"""The message to an operator about the chain, and the code with which the command ends."""

from pathlib import Path

import pytest
from django.core import mail
from pytest_django import Settings

from exporters.planned_release import ReleasePlan
from tasks.agreement.work import tell_alerts
from tasks.agreement.workflow.alerts import raise_trial
from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.models import AuditEntry, Campaign
from tasks.releases.workflow.release import publish_release
from tests.factories import make_campaign, make_labelled_items, make_member
from tests.tasks.management.conftest import Manage
from tests.tasks.models.guards import remove_guard

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _no_releases_of_other_tests(settings: Settings, tmp_path: Path) -> None:
    settings.RELEASES_DIR = tmp_path / "releases"


@pytest.fixture
def head(manage: Manage) -> str:
    """Of a chain of two entries."""
    make_campaign("rivers")
    return AuditEntry.objects.latest("sequence").hash


def test_a_chain_that_holds_is_told_with_its_head(manage: Manage, head: str) -> None:
    assert manage("verify_audit") == (
        f"2 entries, head {head}\n"
        "a rewrite or cut after entry 0 could not be detected here: keep this head elsewhere\n"
    )
    make_campaign("lakes")
    assert "\n2 of them since the known head\n" in manage("verify_audit", "--head", head)
    assert manage.json("verify_audit", "--head", head) == {
        "ok": True,
        "entries": 4,
        "head": AuditEntry.objects.latest("sequence").hash,
        "since_known": 2,
        "anchors": {"releases": 0, "given": 0},
        "anchored": 0,
        "unreadable": [],
        "fault": "",
    }


def test_a_changed_entry_is_named_and_fails(manage: Manage, head: str) -> None:
    remove_guard("tasks_auditentry")
    AuditEntry.objects.filter(pk=2).update(actor="somebody else")
    first = AuditEntry.objects.get(pk=1).hash
    assert manage("verify_audit", code=1) == (
        "entry 2 was changed: its hash does not match\n"
        f"up to there the chain holds: 1 entries, head {first}\n"
    )


def test_a_chain_without_its_end_fails_for_whoever_knows_its_head(
    manage: Manage, head: str
) -> None:
    publish_guideline(campaign=Campaign.objects.get(), text="Others")
    last = AuditEntry.objects.get(pk=3).hash
    cut_off(after=2)
    assert manage.json("verify_audit")["ok"]
    assert last in manage.json("verify_audit", "--head", last, code=1)["fault"]


def cut_off(*, after: int) -> None:
    """By somebody who owns the database."""
    remove_guard("tasks_auditentry")
    AuditEntry.objects.filter(sequence__gt=after).delete()


@pytest.mark.parametrize(
    ("left", "lost"), [(0, "rivers, lakes"), (1, "rivers, lakes"), (3, "lakes")]
)
def test_a_campaign_whose_creation_was_cut_off_is_named(
    manage: Manage, head: str, left: int, lost: str
) -> None:
    make_campaign("lakes")
    cut_off(after=left)
    fault = (
        f"no entry records the creation of these campaigns: {lost}: the log was emptied, or its "
        "end was cut off"
    )
    assert manage("verify_audit", code=1).splitlines()[0] == fault
    assert manage.json("verify_audit", code=1)["ok"] is False


def test_a_log_that_went_on_after_it_was_emptied_lacks_the_campaigns_of_before(
    manage: Manage, head: str
) -> None:
    cut_off(after=0)
    make_campaign("lakes")
    assert ": rivers: " in manage.json("verify_audit", code=1)["fault"]


@pytest.fixture
def anchored_at(db: None, tmp_path: Path) -> int:
    """The last entry that a release knows, in a log that goes on after it."""
    campaign = make_campaign("lakes", overlap=1)
    make_labelled_items(campaign, items=2, documents=2)
    known = AuditEntry.objects.latest("sequence").sequence
    plan = ReleasePlan(version="1.0.0", split="document:dev=50,test=50", seed=0, formats=())
    publish_release(campaign=campaign, plan=plan, out=tmp_path / "releases/lakes/1.0.0")
    return known


def test_a_release_shows_that_nothing_before_it_was_cut_off(
    manage: Manage, anchored_at: int
) -> None:
    found = manage.json("verify_audit")
    assert (found["anchors"], found["anchored"]) == ({"releases": 1, "given": 0}, anchored_at)
    head, compared, open_end = manage("verify_audit").splitlines()
    assert head.startswith(f"{found['entries']} entries, head ")
    assert compared == (
        "compared with 1 releases and 0 given heads: "
        f"nothing up to entry {anchored_at} was changed or cut off since"
    )
    assert open_end == (
        f"a rewrite or cut after entry {anchored_at} could not be detected here: keep this head "
        "elsewhere"
    )


def test_a_release_shows_that_the_end_was_cut_off(manage: Manage, anchored_at: int) -> None:
    """Its folder does, whether or not its row is there."""
    cut_off(after=1)
    said = f" records entry {anchored_at}, and the log ends at 1: its end was cut off"
    fault = manage.json("verify_audit", code=1)["fault"]
    assert fault.endswith(f"releases/lakes/1.0.0{said}")
    AuditEntry.objects.all().delete()
    assert "and the log ends at 0: its end" in manage.json("verify_audit", code=1)["fault"]
    Campaign.objects.get().releases.all().delete()
    assert "its end was cut off" in manage("verify_audit", code=1)


def test_a_manifest_that_cannot_be_read_is_named(
    manage: Manage, anchored_at: int, tmp_path: Path
) -> None:
    place = tmp_path / "releases" / "lakes" / "1.0.0"
    (place / "manifest.json").write_text("nothing")
    assert manage.json("verify_audit")["unreadable"] == [str(place)]
    assert f"its manifest cannot be read: {place}\n" in manage("verify_audit")


def test_a_mail_shows_that_the_end_was_cut_off(
    manage: Manage, tmp_path: Path, settings: Settings
) -> None:
    settings.SENDS_MAIL = True
    admin = make_member(make_campaign("rivers"), "admin", "oak")
    assert admin.user is not None
    admin.user.email = "oak@example.org"
    admin.user.save()
    raise_trial(campaign=admin.campaign, by=admin)
    known = AuditEntry.objects.latest("sequence").sequence
    tell_alerts()
    kept = tmp_path / "mail.txt"
    kept.write_text(str(mail.outbox[0].body))
    assert manage.json("verify_audit", "--anchor", kept)["anchored"] == known
    cut_off(after=known - 1)
    assert "its end was cut off" in manage("verify_audit", "--anchor", kept, code=1)


def test_what_was_printed_daily_shows_that_the_end_was_cut_off(
    manage: Manage, head: str, tmp_path: Path
) -> None:
    kept = tmp_path / "heads.jsonl"
    with kept.open("w") as file:
        for slug in ("lakes", "hills"):
            file.write(manage("verify_audit", "--json"))
            make_campaign(slug)
    found = manage.json("verify_audit", "--anchor", kept)
    assert (found["anchors"]["given"], found["anchored"], found["entries"]) == (2, 4, 6)
    cut_off(after=3)
    assert "records entry 4, and the log ends at 3" in manage(
        "verify_audit", "--anchor", kept, code=1
    )
    assert "records entry 2" not in manage("verify_audit", "--anchor", kept, code=1)


def test_an_anchor_that_is_none_is_refused(manage: Manage, head: str, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(head)
    assert manage.error("verify_audit", "--anchor", tmp_path / "note.txt") == (
        f"CommandError: {tmp_path}/note.txt names no head of the audit log\n"
    )
    assert manage.json("verify_audit", "--anchor", f"2:{head}")["anchored"] == 2
