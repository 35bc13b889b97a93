"""`manage.py agreement`, `release`, `verify_release`, `sign_release`, `diff_releases` and
`withdraw_release`."""

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from exporters.planned_release import ReleasePlan
from tasks.agreement.figures.agreement_figures import agreement_of
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Release
from tests.exporters.builders import write_release
from tests.exporters.samples import CONTENT
from tests.factories import make_campaign as new_campaign
from tests.factories import make_labelled_items
from tests.tasks.conftest import EQUIVALENT, YES_DIFFERENT, MakeCampaign, item_row, rating_row
from tests.tasks.management.conftest import Manage
from tomahto.releases.comparison.diff import diff_releases
from tomahto.releases.dataset.choices import SYNTAX, Selection

pytestmark = pytest.mark.slow


SPLIT = "document:dev=50,test=50"
PROMISE = "no document and no near-duplicate question is on two sides"


@pytest.fixture
def lakes(db: None) -> Campaign:
    campaign = new_campaign("lakes", overlap=1)
    Campaign.objects.update(seed=5)
    make_labelled_items(campaign, items=12, documents=4)
    campaign.refresh_from_db()
    return campaign


def release(
    manage: Manage, out: Path, *options: object, slug: str = "lakes", version: str = "1.0.0"
) -> dict[str, Any]:
    chosen = ("--version", version, "--split", SPLIT, *options)
    return manage.json("release", slug, *chosen, "--out", out)


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("keys") / "author"
    subprocess.run(["ssh-keygen", "-t", "ed25519", "-N", "", "-f", str(place), "-q"], check=True)
    return place


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release that nothing is wrong with. Not to be changed."""
    return write_release(CONTENT, tmp_path_factory.mktemp("written") / "whole").path


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def test_agreement_prints_every_figure_and_a_line_for_each_question(
    manage: Manage, lakes: Campaign
) -> None:
    assert manage.json("agreement", "lakes") == agreement_of(lakes).as_json()
    lines = manage("agreement", "lakes").splitlines()
    assert lines[:3] == ["protocol: ae", "items: 12", "ratings: 12"]
    assert [line.split(":")[0] for line in lines[-4:]] == [f"question q{n}" for n in (1, 2, 3, 4)]


def test_release_is_made_signed_and_found_whole(
    manage: Manage, lakes: Campaign, tmp_path: Path, key: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    made = release(manage, out, "--without-controls", "--formats", "none", "--sign-key", key)
    stored = Release.objects.get()
    assert made == {
        "digest": stored.digest,
        "path": str(out),
        "items": 12,
        "ratings": 12,
        "splits": {"dev": 6, "test": 6},
    }
    manifest = json.loads((out / "manifest.json").read_text())
    assert (manifest["digest"], manifest["campaign"]) == (stored.digest, "lakes")
    agreement = json.loads((out / "agreement.json").read_text())
    assert agreement["whole"] == manage.json("agreement", "lakes")
    found = manage.json("verify_release", out, "--public-key", key.with_suffix(".pub"))
    assert (found["ok"], found["signature"]) == (True, "signed with the key")


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[ReleasePlan]:
    """The plans that the command would have had released."""
    asked: list[ReleasePlan] = []

    def publish(
        *, campaign: Campaign, plan: ReleasePlan, out: Path, note: Any, sign: object
    ) -> Release:
        asked.append(plan)
        note("1.0.0 is not there")
        assert sign is None
        return Release(campaign=campaign, path=str(out), items=1, ratings=1, splits={})

    monkeypatch.setattr("tasks.management.commands.release.publish_release", publish)
    return asked


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        ((), {}),
        (("--seed", 7), {"seed": 7}),
        (("--labels", "dawid-skene"), {"labels": "dawid-skene"}),
        (("--formats", "none"), {"formats": ()}),
        (("--formats", "doccano,squad"), {"formats": ("doccano", "squad")}),
        (("--comments",), {"comments": True}),
        (("--allow-personal-data", "Ann agreed."), {"personal_data_reason": "Ann agreed."}),
        (("--require-datasheet",), {"requires_datasheet": True}),
        (("--without-controls",), {"selection": Selection(without_controls=True)}),
        (("--without-deactivated",), {"selection": Selection(without_deactivated=True)}),
        (("--guideline-versions", "1,7"), {"selection": Selection(guideline_versions=(1, 7))}),
        (("--consented-only",), {"selection": Selection(consented_only=True)}),
    ],
)
def test_release_makes_what_is_chosen_and_tells_what_it_notes(
    manage: Manage, lakes: Campaign, plans: list[ReleasePlan],
    options: tuple[object, ...], chosen: dict[str, Any],
) -> None:  # fmt: skip
    release(manage, Path("out"), *options)
    usual = ReleasePlan(version="1.0.0", split=SPLIT, seed=5)
    assert plans == [replace(usual, **chosen)]
    assert manage.stderr == "note: 1.0.0 is not there\n"


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--seed=-1",), "argument --seed: '-1' is not a whole number from 0"),
        (("--labels", "best"), "argument --labels: invalid choice: 'best'"),
        *((("--guideline-versions", text), "argument --guideline-versions: ")
          for text in ("", "1,", "0", "one")),
    ],
)  # fmt: skip
def test_release_refuses_what_is_no_choice(
    manage: Manage, plans: list[ReleasePlan], options: tuple[str, ...], error: str
) -> None:
    wanted = ("--version", "1.0.0", "--split", SPLIT, "--out", "out")
    assert error in manage.error("release", "lakes", *wanted, *options, code=2)
    assert plans == []


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--version", "1.0"), "version '1.0' is not three numbers like 1.0.0"),
        (("--split", "halves"), f"split 'halves' is not written like {SYNTAX}"),
        (("--formats", "cap-statements"), "format cap-statements is not for the protocol ae"),
        (("--guideline-versions", "1,7"), "guidelines of version 7 do not exist; known: 1"),
        (
            (f"--version=1.0.{'9' * 60}",),
            "version: Ensure this value has at most 40 characters (it has 64).",
        ),
    ],
)
def test_release_says_in_one_line_why_it_cannot_be_and_writes_nothing(
    manage: Manage, lakes: Campaign, tmp_path: Path, options: tuple[str, ...], error: str
) -> None:
    wanted = ("--version", "1.0.0", "--split", SPLIT, "--out", tmp_path / "out")
    assert manage.error("release", "lakes", *wanted, *options) == f"CommandError: {error}\n"
    assert list(tmp_path.iterdir()) == []


def test_release_writes_over_nothing_and_not_with_a_key_that_cannot_sign(
    manage: Manage, lakes: Campaign, tmp_path: Path
) -> None:
    note = tmp_path / "note.txt"
    note.write_text("mine")
    wanted = ("release", "lakes", "--version", "1.0.0", "--split", SPLIT, "--out")
    assert manage.error(*wanted, tmp_path) == (
        f"CommandError: {tmp_path} already exists; a release is never overwritten\n"
    )
    error = manage.error(*wanted, tmp_path / "out", "--sign-key", note)
    assert error.startswith(f"CommandError: {note}: cannot sign: ")
    assert list(tmp_path.iterdir()) == [note]


def test_release_keeps_train_and_divides_the_rest_by_documents(
    manage: Manage, make_campaign: MakeCampaign, tmp_path: Path
) -> None:
    campaign = make_campaign(items=0, slug="parts")
    parts = {1: "train", 2: "dev", 3: "dev", 4: "train", 5: "test"}
    rows = [item_row(n, document=f"d{n}", split=split) for n, split in parts.items()]
    import_items(campaign=campaign, rows=rows)
    import_ratings(campaign=campaign, rows=[rating_row(n, "ann", "equivalent") for n in parts])
    split = ("--split", "document:dev=50,test=50:keep=train:leaks=report")
    for version, labels in (("1.0.0", "majority"), ("1.1.0", "dawid-skene")):
        made = manage.json(
            *("release", "parts", "--version", version, *split, "--formats", "none"),
            *("--labels", labels, "--out", tmp_path / version),
        )
        assert list(made["splits"]) == ["train", "dev", "test"]
        documents = Release.objects.get(version=version).documents
        assert {name for name, part in documents.items() if part == "train"} == {"d1", "d4"}
    kept = "the source's documents in train are in these splits, and no others"
    assert kept in manage("verify_release", tmp_path / "1.0.0")
    first, second = Release.objects.order_by("version")
    assert second.documents == first.documents


@pytest.fixture
def rated(make_campaign: MakeCampaign) -> Campaign:
    """Nine items with the answers of two raters, who differ on every third item."""
    campaign = make_campaign(items=9, slug="rated")
    rows = [
        rating_row(n, rater, answers=YES_DIFFERENT if n % step == 0 else EQUIVALENT)
        for n in range(1, 10)
        for rater, step in (("ann", 2), ("ben", 3))
    ]
    import_ratings(campaign=campaign, rows=rows)
    return campaign


def import_ae_files(manage: Manage, slug: str, out: Path) -> None:
    """Into a new campaign, with what a release has in the format of the paper."""
    manage("create_campaign", slug, "--protocol", "ae", "--overlap", "1")
    Campaign.objects.update(seed=5)
    for path in sorted((out / "ae").iterdir()):
        manage("import_ratings", slug, path, "--format", "ae")


def exported_votes(manage: Manage, slug: str, out: Path) -> list[tuple[object, ...]]:
    manage("export_ratings", slug, "--out", out)
    fields = ("question", "references", "candidate", "label", "q1", "q2", "q3", "q4")
    lines = map(json.loads, out.read_text().splitlines())
    return sorted(tuple(map(str, map(line.get, fields))) for line in lines)


def test_release_in_the_public_ae_format_holds_the_same_votes(
    manage: Manage, rated: Campaign, tmp_path: Path
) -> None:
    release(manage, tmp_path / "rated", "--formats", "none", slug="rated")
    import_ae_files(manage, "again", tmp_path / "rated")
    votes = [exported_votes(manage, slug, tmp_path / "votes") for slug in ("rated", "again")]
    assert votes[0] == votes[1]
    assert len(votes[0]) == 18


@pytest.mark.thorough
def test_release_of_an_ae_file_has_the_digest_of_the_one_made_of_its_own_ae_file(
    manage: Manage, rated: Campaign, tmp_path: Path
) -> None:
    """The format knows neither raters nor documents: what is lost is lost with the first."""
    release(manage, tmp_path / "rated", slug="rated")
    digests = []
    for slug, before in (("second", "rated"), ("third", "second")):
        import_ae_files(manage, slug, tmp_path / before)
        digests.append(release(manage, tmp_path / slug, slug=slug)["digest"])
    assert digests[0] == digests[1]


def test_verify_release_says_what_is_promised_and_who_signed(
    manage: Manage, folder: Path, key: Path
) -> None:
    public = key.with_suffix(".pub")
    assert manage.json("verify_release", folder) == {
        "path": str(folder),
        "ok": True,
        "differences": [],
        "splits": PROMISE,
        "signature": "not signed",
    }
    printed = manage("verify_release", folder)
    assert printed == f"{folder} is as it was released; {PROMISE}; not signed\n"
    unsigned = manage.json("verify_release", folder, "--public-key", public, code=1)
    assert unsigned["differences"] == ["SHA256SUMS.sig: is missing: the release is not signed"]
    assert manage.json("sign_release", folder, "--key", key) == {
        "path": str(folder),
        "signature": str(folder / "SHA256SUMS.sig"),
    }
    unchecked = "signed, but the signer was not checked: add --public-key FILE"
    assert manage.json("verify_release", folder)["signature"] == unchecked
    known = manage.json("verify_release", folder, "--public-key", public)
    assert known["signature"] == "signed with the key"
    assert "a signature is never overwritten" in manage.error("sign_release", folder, "--key", key)
    (folder / "SHA256SUMS").write_text("")
    changed = manage.json("verify_release", folder, "--public-key", public, code=1)
    assert changed["signature"] == "not signed with the key"


def test_verify_release_prints_the_differences_and_fails(
    manage: Manage, folder: Path, key: Path
) -> None:
    readme = (folder / "README.md").read_bytes()
    (folder / "README.md").write_bytes(readme + b"!")
    fault = f"README.md: has {len(readme) + 1} bytes, not {len(readme)}"
    found = manage.json("verify_release", folder, code=1)
    assert (found["ok"], found["differences"], found["splits"]) == (False, [fault], None)
    assert manage("verify_release", folder, code=1) == f"{fault}\n"
    assert manage.error("sign_release", folder, "--key", key) == (
        f"CommandError: not signed, because it is damaged: {fault}\n"
    )


def test_diff_releases_compares_the_first_with_the_second(
    manage: Manage, whole: Path, tmp_path: Path
) -> None:
    later = write_release(replace(CONTENT, version="1.0.1"), tmp_path / "later").path
    found = manage.json("diff_releases", whole, later)
    assert found == diff_releases(whole, later).as_json()
    assert (found["from"]["version"], found["to"]["version"]) == ("1.0.0", "1.0.1")
    assert manage.error("diff_releases", whole, tmp_path / "none") == (
        "CommandError: manifest.json: is missing or not a regular file\n"
    )


def test_withdraw_release_is_final(manage: Manage, lakes: Campaign, tmp_path: Path) -> None:
    arguments = ("withdraw_release", "lakes", "1.0.0", "--reason")
    unknown = "CommandError: there is no release '1.0.0' of lakes; known: "
    assert manage.error(*arguments, "x") == f"{unknown}none yet\n"
    made = release(manage, tmp_path / "one", "--formats", "none")
    empty = manage.error(*arguments, " ")
    assert empty == "CommandError: give a reason for the withdrawal\n"
    withdrawn = manage.json(*arguments, "Names are in it.")
    assert withdrawn.pop("withdrawn_at") == Release.objects.get().withdrawal.created_at.isoformat()
    assert withdrawn == {
        "campaign": "lakes",
        "version": "1.0.0",
        "digest": made["digest"],
        "reason": "Names are in it.",
    }
    assert manage.error(*arguments, "x") == "CommandError: lakes 1.0.0 was withdrawn before\n"
    other = manage.error("withdraw_release", "lakes", "2.0.0", "--reason", "x")
    assert other == "CommandError: there is no release '2.0.0' of lakes; known: 1.0.0\n"
