"""`manage.py agreement`, `release`, `verify_release`, `diff_releases`, on the demo's own files."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tasks.management.conftest import Manage

DEMO = Path(__file__).resolve().parents[3] / "demo"
SPLIT = ("--split", "document:dev=30,test=70")
SYSTEMS = ("juniper", "marigold", "thistle")


def load_ae(manage: Manage, slug: str, *, is_reversed: bool = False) -> None:
    """The demo of answer equivalence. Predictions need their questions; all else has no order."""
    manage("create_campaign", slug, "--protocol", "ae", "--overlap", "3")
    steps: list[tuple[object, ...]] = [("import_questions", slug, DEMO / "questions.json")]
    steps += [
        ("import_predictions", slug, DEMO / f"predictions/{name}.json", "--system", name)
        for name in (reversed(SYSTEMS) if is_reversed else SYSTEMS)
    ]
    ratings = ("import_ratings", slug, DEMO / "ratings_ae.jsonl")
    for step in [ratings, *steps] if is_reversed else [*steps, ratings]:
        manage(*step)


def load_cap(manage: Manage, slug: str) -> None:
    manage("create_campaign", slug, "--protocol", "cap", "--overlap", "3")
    manage("import_items", slug, DEMO / "items_cap.jsonl")
    manage("import_ratings", slug, DEMO / "ratings_cap.jsonl")


def release(manage: Manage, slug: str, out: Path, version: str = "1.0.0") -> dict[str, Any]:
    return manage.json("release", slug, "--version", version, *SPLIT, "--out", out)


@pytest.fixture
def ae(manage: Manage) -> str:
    load_ae(manage, "ae")
    return "ae"


def test_agreement_prints_every_figure(manage: Manage, ae: str) -> None:
    report = manage.json("agreement", ae)
    assert [*report] == [
        *("protocol", "items", "ratings", "ratings_per_item", "labels", "majority", "ties"),
        *("alpha", "ac1", "observed_agreement", "pair_agreement", "full_agreement", "kappa"),
    ]
    # the counts that demo/README.md promises
    assert (report["items"], report["ratings"], report["ties"]) == (94, 266, 1)
    assert report["ratings_per_item"]["3"] == 82
    assert round(report["alpha"]["value"], 3) == 0.784
    assert set(report["alpha"]) == {"level", "value", "low", "high", "n", "replicates", "seed"}
    assert [set(kappa) for kappa in report["kappa"]] == [
        {"raters", "items", "unweighted", "linear", "quadratic"}
    ] * 3


def test_agreement_without_ratings_says_why_it_is_undefined(manage: Manage, campaign: str) -> None:
    report = manage.json("agreement", campaign)
    assert (report["items"], report["ratings"], report["kappa"]) == (0, 0, [])
    for place in (report["alpha"], report["pair_agreement"], report):
        assert place["reason"]
    assert report["alpha"]["value"] is report["observed_agreement"] is None
    assert report["pair_agreement"]["item_mean"] is report["full_agreement"] is None


def test_release_prints_its_digest_and_sizes(manage: Manage, ae: str, tmp_path: Path) -> None:
    made = release(manage, ae, tmp_path / "out")
    assert set(made) == {"digest", "path", "items", "ratings", "splits"}
    assert (made["path"], made["items"], made["ratings"]) == (str(tmp_path / "out"), 94, 266)
    assert list(made["splits"]) == ["dev", "test"]
    assert sum(made["splits"].values()) == 94
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["digest"] == made["digest"]
    assert (manifest["campaign"], manifest["version"]) == (ae, "1.0.0")


def test_release_holds_the_agreement_that_the_command_prints(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    release(manage, ae, tmp_path / "out")
    stored = json.loads((tmp_path / "out" / "agreement.json").read_text())
    assert stored["whole"] == manage.json("agreement", ae)


def test_release_takes_an_empty_folder(manage: Manage, ae: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    release(manage, ae, tmp_path / "out")
    assert manage.json("verify_release", tmp_path / "out")["ok"]


def test_release_again_is_the_same_release(manage: Manage, ae: str, tmp_path: Path) -> None:
    first = release(manage, ae, tmp_path / "one")
    before = (tmp_path / "one" / "manifest.json").read_bytes()
    assert release(manage, ae, tmp_path / "one") == first
    assert (tmp_path / "one" / "manifest.json").read_bytes() == before
    second = release(manage, ae, tmp_path / "two")
    assert second == {**first, "path": str(tmp_path / "two")}


def test_release_has_the_same_digest_whatever_the_order_of_imports(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    load_ae(manage, "other", is_reversed=True)
    first = release(manage, ae, tmp_path / "one")
    assert release(manage, "other", tmp_path / "two")["digest"] == first["digest"]


@pytest.mark.parametrize(("protocol", "load"), [("ae", load_ae), ("cap", load_cap)])
def test_release_imported_and_released_again_has_the_same_digest(
    manage: Manage, tmp_path: Path, protocol: str, load: Any
) -> None:
    load(manage, "first")
    first = release(manage, "first", tmp_path / "one")
    manage("create_campaign", "second", "--protocol", protocol, "--overlap", "1")
    for table, command in (("items", "import_items"), ("ratings", "import_ratings")):
        for split in ("test", "dev"):
            manage(command, "second", tmp_path / "one" / "jsonl" / table / f"{split}.jsonl")
    second = release(manage, "second", tmp_path / "two", "2.0.0")
    assert second == {**first, "path": str(tmp_path / "two")}
    assert manage.json("agreement", "second") == manage.json("agreement", "first")


def test_release_in_the_public_ae_format_holds_the_same_votes(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    release(manage, ae, tmp_path / "out")
    manage("create_campaign", "again", "--protocol", "ae", "--overlap", "1")
    for split in ("dev", "test"):
        path = tmp_path / "out" / "ae" / f"{split}.jsonl"
        manage("import_ratings", "again", path, "--format", "ae")
    again, first = manage.json("agreement", "again"), manage.json("agreement", ae)
    # the format does not say who rated, so kappa of raters is another thing
    assert {**again, "kappa": []} == {**first, "kappa": []}


@pytest.mark.parametrize(
    ("version", "split", "error"),
    [
        ("1.0", SPLIT[1], "version '1.0' is not three numbers like 1.0.0"),
        ("1.0.0-rc", SPLIT[1], "version '1.0.0-rc' is not three numbers like 1.0.0"),
        ("1.0.0", "system:dev=50,test=50", "splits are made by document, not by 'system'"),
        ("1.0.0", "document:dev=30,test=60", "the shares sum to 90, not to 100"),
        ("1.0.0", "halves", "split 'halves' is not written like document:dev=30,test=70"),
        (
            f"1.0.{'9' * 60}",
            SPLIT[1],
            "version: Ensure this value has at most 40 characters (it has 64).",
        ),
    ],
)
def test_release_refuses_before_anything_is_written(
    manage: Manage, ae: str, tmp_path: Path, version: str, split: str, error: str
) -> None:
    printed = manage.error(
        "release", ae, "--version", version, "--split", split, "--out", tmp_path / "out"
    )
    assert printed == f"CommandError: {error}\n"
    assert list(tmp_path.iterdir()) == []


def test_release_refuses_a_negative_seed(manage: Manage, ae: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ("release", ae, "--version", "1.0.0", *SPLIT, "--seed=-1", "--out", out)
    assert "'-1' is not a whole number from 0" in manage.error(*arguments, code=2)


def test_release_refuses_other_content_under_the_same_version(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    release(manage, ae, tmp_path / "one")
    out = tmp_path / "two"
    printed = manage.error("release", ae, "--version", "1.0.0", *SPLIT, "--seed", 7, "--out", out)
    assert printed == (
        "CommandError: ae 1.0.0 is released already, with other content; "
        "take the next version number\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_release_of_an_unrated_campaign_says_why(
    manage: Manage, campaign: str, tmp_path: Path
) -> None:
    printed = manage.error(
        "release", campaign, "--version", "1.0.0", *SPLIT, "--out", tmp_path / "out"
    )
    assert printed == ("CommandError: no item has a counted rating: there is nothing to release\n")


def test_release_never_overwrites_what_is_in_a_folder(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    (tmp_path / "note.txt").write_text("mine")
    printed = manage.error("release", ae, "--version", "1.0.0", *SPLIT, "--out", tmp_path)
    assert printed == (
        f"CommandError: {tmp_path} is there already; a release is never overwritten\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["note.txt"]


def test_release_does_not_take_another_version_for_its_own(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    release(manage, ae, out)
    printed = manage.error("release", ae, "--version", "1.0.1", *SPLIT, "--out", out)
    assert printed == f"CommandError: {out} is there already; a release is never overwritten\n"


def test_verify_release_of_what_was_released(manage: Manage, ae: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    release(manage, ae, out)
    assert manage.json("verify_release", out) == {"path": str(out), "ok": True, "differences": []}
    assert manage("verify_release", out) == f"{out} is as it was released\n"


def test_verify_release_prints_the_differences_and_fails(
    manage: Manage, ae: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release(manage, ae, tmp_path / "out")
    (tmp_path / "out" / "README.md").unlink()
    with pytest.raises(SystemExit) as caught:
        manage("verify_release", tmp_path / "out", "--json")
    assert caught.value.code == 1
    found = json.loads(capsys.readouterr().out)
    assert found["ok"] is False
    assert [line.split(":")[0] for line in found["differences"]] == ["README.md"]


def test_verify_release_of_no_release_fails(
    manage: Manage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        manage("verify_release", tmp_path / "none")
    assert caught.value.code == 1
    assert capsys.readouterr().out == "manifest.json: is not there as a plain file\n"


def test_diff_releases_tells_what_was_added_and_whether_the_version_says_so(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    release(manage, ae, tmp_path / "one")
    more = {
        "document": "Arctic tern",
        "question": "What colour is it?",
        "context": "It is white.",
        "reference": "white",
        "candidate": "grey",
        "rater": "ann",
        "label": "not-equivalent",
    }
    path = tmp_path / "more.jsonl"
    path.write_text(json.dumps(more))
    manage("import_ratings", ae, path)
    release(manage, ae, tmp_path / "two", "1.0.1")
    found = manage.json("diff_releases", tmp_path / "one", tmp_path / "two")
    assert set(found) == {"from", "to", "settings_changed", "items", "ratings", "bump"}
    assert (found["from"]["version"], found["to"]["version"]) == ("1.0.0", "1.0.1")
    assert len(found["items"]["added"]) == found["ratings"]["added"]["count"] == 1
    assert found["items"]["split_changed"] == found["items"]["removed"] == []
    assert found["bump"] == {"required": "minor", "actual": "patch", "honest": False}


def test_diff_releases_needs_two_releases(manage: Manage, ae: str, tmp_path: Path) -> None:
    release(manage, ae, tmp_path / "one")
    assert manage.error("diff_releases", tmp_path / "one", tmp_path / "none") == (
        "CommandError: manifest.json: is not there as a plain file\n"
    )
