"""`manage.py agreement`, `release`, `verify_release`, `diff_releases`, on the demo's own files."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.tasks.management.conftest import Manage
from tomahto.releases.dataset.split_spec import SYNTAX

pytestmark = pytest.mark.slow


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
        "questions",
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


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("split", "names"),
    [
        ("folds:3:stratify=label", ["fold1", "fold2", "fold3"]),
        ("document:dev=30,test=70:stratify=label", ["dev", "test"]),
        ("system:dev=juniper,test=marigold+thistle", ["dev", "test"]),
    ],
)
def test_release_of_every_kind_of_split_is_verified(
    manage: Manage, ae: str, tmp_path: Path, split: str, names: list[str]
) -> None:
    out = tmp_path / "out"
    made = manage.json("release", ae, "--version", "1.0.0", "--split", split, "--out", out)
    assert (list(made["splits"]), made["items"]) == (names, 94)
    assert manage.json("verify_release", out)["ok"]


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


@pytest.mark.thorough
def test_release_has_the_same_digest_whatever_the_order_of_imports(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    load_ae(manage, "other", is_reversed=True)
    first = release(manage, ae, tmp_path / "one")
    assert release(manage, "other", tmp_path / "two")["digest"] == first["digest"]


@pytest.mark.thorough
@pytest.mark.parametrize(("protocol", "load"), [("ae", load_ae), ("cap", load_cap)])
def test_release_imported_and_released_again_has_the_same_digest(
    manage: Manage, tmp_path: Path, protocol: str, load: Any
) -> None:
    load(manage, "first")
    first = release(manage, "first", tmp_path / "one")
    manage("create_campaign", "second", "--protocol", protocol, "--overlap", "1")
    for table in ("items", "ratings", "answers"):
        for path in sorted((tmp_path / "one" / "jsonl" / table).iterdir(), reverse=True):
            manage(f"import_{table}", "second", path)
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


@pytest.mark.thorough
def test_release_of_an_ae_file_has_the_digest_of_the_one_made_of_its_own_ae_file(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    """The format knows neither raters nor documents: what is lost is lost with the first."""
    release(manage, ae, tmp_path / "first")
    made, lines = [], [ae_lines_of(tmp_path / "first")]
    for slug, before in (("second", "first"), ("third", "second")):
        manage("create_campaign", slug, "--protocol", "ae", "--overlap", "1")
        for path in sorted((tmp_path / before / "ae").iterdir()):
            manage("import_ratings", slug, path, "--format", "ae")
        made.append(release(manage, slug, tmp_path / slug))
        lines.append(ae_lines_of(tmp_path / slug))
    assert made[0]["digest"] == made[1]["digest"]
    assert lines[0] == lines[1] == lines[2]


def ae_lines_of(folder: Path) -> list[str]:
    """Of all splits: documents are others where they are not known."""
    texts = [path.read_text() for path in (folder / "ae").iterdir()]
    return sorted(line for text in texts for line in text.splitlines())


@pytest.mark.parametrize(
    ("version", "split", "error"),
    [
        ("1.0", SPLIT[1], "version '1.0' is not three numbers like 1.0.0"),
        ("1.0.0-rc", SPLIT[1], "version '1.0.0-rc' is not three numbers like 1.0.0"),
        (
            "1.0.0",
            "system:dev=50,test=50",
            "split 'dev': no rated item is of system '50'; there are juniper, marigold, thistle",
        ),
        ("1.0.0", "document:dev=30,test=60", "the shares sum to 90, not to 100"),
        ("1.0.0", "halves", f"split 'halves' is not written like {SYNTAX}"),
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
    promise = "no document and no near-duplicate question is on two sides"
    assert manage.json("verify_release", out) == {
        "path": str(out),
        "ok": True,
        "differences": [],
        "splits": promise,
        "signature": "not signed",
    }
    assert manage("verify_release", out) == f"{out} is as it was released; {promise}; not signed\n"


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


def add_an_item(manage: Manage, slug: str, folder: Path) -> None:
    more = {
        "document": "Arctic tern",
        "question": "What colour is it?",
        "context": "It is white.",
        "reference": "white",
        "candidate": "grey",
        "rater": "ann",
        "label": "not-equivalent",
    }
    path = folder / "more.jsonl"
    path.write_text(json.dumps(more))
    manage("import_ratings", slug, path)


def test_diff_releases_tells_what_was_added_and_whether_the_version_says_so(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    release(manage, ae, tmp_path / "one")
    add_an_item(manage, ae, tmp_path)
    release(manage, ae, tmp_path / "two", "1.1.0")
    found = manage.json("diff_releases", tmp_path / "one", tmp_path / "two")
    assert set(found) == {
        *("from", "to", "settings_changed", "documentation_changed", "item_counts"),
        *("items", "ratings", "adjudications", "answers", "bump"),
    }
    assert (found["from"]["version"], found["to"]["version"]) == ("1.0.0", "1.1.0")
    assert len(found["items"]["added"]) == found["ratings"]["added"]["count"] == 1
    assert found["items"]["split_changed"] == found["items"]["removed"] == []
    assert found["bump"] == {"required": "minor", "actual": "minor", "honest": True}
    back = manage.json("diff_releases", tmp_path / "two", tmp_path / "one")
    assert back["bump"] == {"required": "major", "actual": "backward", "honest": False}


def test_release_refuses_a_number_that_says_too_little(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    release(manage, ae, tmp_path / "one")
    add_an_item(manage, ae, tmp_path)
    out = tmp_path / "two"
    printed = manage.error("release", ae, "--version", "1.0.1", *SPLIT, "--out", out)
    assert printed.startswith(
        "CommandError: version 1.0.1 is too small a step from 1.0.0: 1 item is new: '"
    )
    assert printed.endswith("; the least honest number is 1.1.0, a minor step\n")
    assert not out.exists()
    assert release(manage, ae, out, "1.1.0")["items"] == 95


@pytest.mark.thorough
def test_release_says_which_earlier_release_it_could_not_be_compared_with(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    release(manage, ae, tmp_path / "one")
    (tmp_path / "one").rename(tmp_path / "elsewhere")
    manage("release", ae, "--version", "1.0.1", *SPLIT, "--seed", 7, "--out", tmp_path / "two")
    assert manage.stderr == (
        "note: 1.0.0 cannot be compared with: manifest.json: is not there as a plain file\n"
    )


def test_diff_releases_needs_two_releases(manage: Manage, ae: str, tmp_path: Path) -> None:
    release(manage, ae, tmp_path / "one")
    assert manage.error("diff_releases", tmp_path / "one", tmp_path / "none") == (
        "CommandError: manifest.json: is not there as a plain file\n"
    )


@pytest.mark.thorough
@pytest.mark.parametrize("choice", ["majority", "adjudicated", "dawid-skene"])
def test_release_has_the_labels_that_were_chosen(
    manage: Manage, ae: str, tmp_path: Path, choice: str
) -> None:
    out = tmp_path / "out"
    manage("release", ae, "--version", "1.0.0", *SPLIT, "--labels", choice, "--out", out)
    assert json.loads((out / "manifest.json").read_text())["label_choice"] == choice
    assert manage.json("verify_release", out)["ok"]
    rows = [
        json.loads(line)
        for split in ("dev", "test")
        for line in (out / f"jsonl/items/{split}.jsonl").read_text().splitlines()
    ]
    column = "dawid_skene_label" if choice == "dawid-skene" else "majority_label"
    assert [row["label"] for row in rows] == [row[column] for row in rows]
    # the demo has one tie of votes; the model knows whom to believe there
    sources = [row["label_source"] for row in rows]
    ties = 0 if choice == "dawid-skene" else 1
    assert (sources.count("tie"), len(set(sources) - {"tie"})) == (ties, 1)


def test_release_does_not_know_another_choice_of_label(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    error = manage.error(
        *("release", ae, "--version", "1.0.0", *SPLIT),
        *("--labels", "best", "--out", tmp_path / "out"),
        code=2,
    )
    assert "--labels: invalid choice: 'best'" in error
    assert not (tmp_path / "out").exists()


def test_release_leaves_out_what_is_not_selected(manage: Manage, ae: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    manage("release", ae, "--version", "1.0.0", *SPLIT, "--without-controls", "--out", out)
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["selection"] == {
        "without_controls": True,
        "without_deactivated": False,
        "guideline_versions": [],
        "consented_only": False,
    }
    assert manage.json("verify_release", out)["ok"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (
            ("--guideline-versions", "1,7"),
            "guidelines of version 7 do not exist; there are 1",
        ),
        (
            ("--consented-only", "--without-deactivated"),
            (
                "the selection leaves no item with a counted rating: of 266 ratings "
                "without_deactivated leaves out 0, consented_only leaves out 266"
            ),
        ),
    ],
)
def test_release_of_a_selection_that_cannot_be_says_why(
    manage: Manage, ae: str, tmp_path: Path, options: tuple[str, ...], error: str
) -> None:
    printed = manage.error(
        "release", ae, "--version", "1.0.0", *SPLIT, *options, "--out", tmp_path / "out"
    )
    assert printed == f"CommandError: {error}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("versions", ["", "1,", "0", "one"])
def test_release_reads_versions_of_guidelines(
    manage: Manage, ae: str, tmp_path: Path, versions: str
) -> None:
    arguments = ("release", ae, "--version", "1.0.0", *SPLIT, "--guideline-versions", versions)
    error = manage.error(*arguments, "--out", tmp_path / "out", code=2)
    assert "argument --guideline-versions: " in error


def test_withdraw_release_is_final(manage: Manage, ae: str, tmp_path: Path) -> None:
    made = release(manage, ae, tmp_path / "one")
    arguments = ("withdraw_release", ae, "1.0.0", "--reason", "Names are in it.")
    withdrawn = manage.json(*arguments)
    assert withdrawn.pop("withdrawn_at")
    assert withdrawn == {
        "campaign": ae,
        "version": "1.0.0",
        "digest": made["digest"],
        "reason": "Names are in it.",
    }
    assert manage.error(*arguments) == "CommandError: ae 1.0.0 was withdrawn before\n"
    refused = manage.error("release", ae, "--version", "1.0.0", *SPLIT, "--out", tmp_path / "two")
    assert refused == ("CommandError: ae 1.0.0 was withdrawn; its number is never used again\n")
    assert not (tmp_path / "two").exists()


def test_withdraw_release_names_the_versions_there_are(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    arguments = ("withdraw_release", ae, "2.0.0", "--reason", "x")
    unknown = "CommandError: there is no release '2.0.0' of ae; there are: "
    assert manage.error(*arguments) == f"{unknown}none yet\n"
    release(manage, ae, tmp_path / "one")
    assert manage.error(*arguments) == f"{unknown}1.0.0\n"
    empty = manage.error("withdraw_release", ae, "1.0.0", "--reason", " ")
    assert empty == "CommandError: a withdrawal needs a reason, in words\n"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    (tmp_path / "keys").mkdir()
    place = tmp_path / "keys" / "author"
    subprocess.run(["ssh-keygen", "-t", "ed25519", "-N", "", "-f", str(place), "-q"], check=True)
    return place


def test_release_is_signed_and_verified_with_the_key(
    manage: Manage, ae: str, tmp_path: Path, key: Path
) -> None:
    out, public = tmp_path / "out", key.with_suffix(".pub")
    arguments = ("release", ae, "--version", "1.0.0", *SPLIT, "--out", out)
    made = manage.json(*arguments, "--sign-key", key)
    assert manage.json("verify_release", out, "--public-key", public) == {
        "path": str(out),
        "ok": True,
        "differences": [],
        "splits": "no document and no near-duplicate question is on two sides",
        "signature": "signed with the key",
    }
    unchecked = "signed, by whom was not checked: --public-key FILE does"
    assert manage.json("verify_release", out)["signature"] == unchecked
    # the signature is no part of the release: unsigned it is the same
    assert manage.json(*arguments)["digest"] == made["digest"]
    (out / "SHA256SUMS.sig").unlink()
    found = manage.json("verify_release", out, "--public-key", public, code=1)
    assert found["differences"] == ["SHA256SUMS.sig: is missing: the release is not signed"]
    manage(*arguments, "--sign-key", key)  # what is there already is signed where it lies
    assert manage.json("verify_release", out, "--public-key", public)["ok"]


def test_release_with_a_key_that_cannot_sign_writes_nothing(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    (tmp_path / "text").write_text("no key")
    arguments = ("release", ae, "--version", "1.0.0", *SPLIT, "--out", tmp_path / "out")
    error = manage.error(*arguments, "--sign-key", tmp_path / "text")
    assert error.startswith(f"CommandError: {tmp_path / 'text'}: cannot sign: ")
    assert error.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["text"]


def test_sign_release_signs_what_verifies(
    manage: Manage, ae: str, tmp_path: Path, key: Path
) -> None:
    out, public = tmp_path / "out", key.with_suffix(".pub")
    release(manage, ae, out)
    readme = (out / "README.md").read_bytes()
    (out / "README.md").write_bytes(readme + b"!")
    assert manage.error("sign_release", out, "--key", key) == (
        "CommandError: not signed, because it is damaged: "
        f"README.md: has {len(readme) + 1} bytes, not {len(readme)}\n"
    )
    (out / "README.md").write_bytes(readme)
    assert manage.json("sign_release", out, "--key", key) == {
        "path": str(out),
        "signature": str(out / "SHA256SUMS.sig"),
    }
    assert manage.json("verify_release", out, "--public-key", public)["ok"]
    assert "a signature is never overwritten" in manage.error("sign_release", out, "--key", key)


def test_release_has_comments_when_asked_for_and_refuses_personal_data(
    manage: Manage, ae: str, tmp_path: Path
) -> None:
    told = {"id": "told", "question": "q?", "context": "", "reference": "a", "candidate": "b"}
    rating = {"rater": "ann", "q1": True, "comment": "ask me: me@example.org"}
    (tmp_path / "told.jsonl").write_text(json.dumps({**told, **rating}))
    manage("import_ratings", ae, tmp_path / "told.jsonl")
    chosen = ("release", ae, "--version", "1.0.0", *SPLIT, "--out", tmp_path / "out", "--comments")
    refused = manage.error(*chosen)
    assert "1 comment may hold personal data: item 'told', rater" in refused
    assert "me@example.org" not in refused
    assert not (tmp_path / "out").exists()
    manage(*chosen, "--allow-personal-data", "Ann agreed.")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["personal_data"] == {"comments": 1, "reason": "Ann agreed."}
    assert manage.json("verify_release", tmp_path / "out")["ok"]
