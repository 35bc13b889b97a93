"""The datasheet of the sample release: what is known, what is stated, and what is blank."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from markdown_it import MarkdownIt

from tests.exporters.builders import digest_of, write_release
from tests.exporters.samples import ADJUDICATIONS, CONTENT, reseal
from tomahto.releases.documents.datasheet import QUESTIONS, blanks_among, blanks_of
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.records import CollectionRecord, Documentation, RaterRecord
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


KEYS = tuple(question.key for question in QUESTIONS)
COLLECTION = CollectionRecord(
    raters=[
        RaterRecord(
            pseudonym="r1",
            role="rater",
            entry="crowd",
            consents=(1, 2),
            calibration_attempts=2,
            has_passed_calibration=True,
        ),
        RaterRecord(pseudonym="r2", role="researcher", entry="account", is_active=False),
        RaterRecord(pseudonym="r3", role="rater", entry="crowd", consents=(2,)),
        RaterRecord(pseudonym="r9", role="admin", entry="invitation", consents=(1, 2)),
    ],
    consent_versions=(1, 2),
    requires_calibration=True,
    calibration_items=8,
    pass_percent=80,
    attempts_allowed=3,
)
ANSWERS = {
    "authors": "Hill, Bo\nInstitute of Rivers",
    "purpose": "To see <b>what</b> helps.\n\n- one\n# two",
    "contact": "data@example.org",
}
DOCUMENTED = replace(CONTENT, documentation=Documentation(answers=ANSWERS, collection=COLLECTION))


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documented") / "release"
    write_release(replace(DOCUMENTED, adjudications=ADJUDICATIONS), folder)
    return folder


def entries(folder: Path) -> dict[str, Any]:
    sheet = json.loads((folder / "datasheet.json").read_text())
    return {entry["key"]: entry for part in sheet["sections"] for entry in part["entries"]}


def answer(folder: Path, key: str) -> Any:
    return entries(folder)[key]["answer"]


def test_datasheet_has_facts_of_the_release(documented: Path) -> None:
    found = {key: entry["facts"] for key, entry in entries(documented).items() if "facts" in entry}
    assert {
        key: found[key] for key in ("raters", "period", "guidelines", "suggestions", "time")
    } == {
        # r1 a1 a2 b1 d1, r2 a1 b1 c1 d1, r3 a1 c1 d1, r4 d1; x1 decided on a1 and d1, x2 on a1
        "raters": {
            "raters": 4,
            "ratings": 12,
            "fewest": 1,
            "median": 3.5,
            "most": 4,
            "adjudicators": 2,
            "decisions": 3,
        },
        "period": {"first": "2026-03-01", "last": "2026-03-01", "ratings": 12, "undated": 1},
        "guidelines": {"versions": {"2": 12}, "unknown": 0},
        "suggestions": {"shown": 0, "hidden": 11, "unknown": 1},
        "time": {"median_seconds": 2.5, "total_seconds": 27.5, "timed": 11, "ratings": 12},
    }
    assert found["limits"]["ties"] == 1
    assert {(each["part"], each["figure"]) for each in found["limits"]["undefined"]} >= {
        ("dev", "alpha")
    }
    assert found["contents"]["items_without_ratings"] == 1


def test_datasheet_counts_those_who_rated_and_no_other_members(documented: Path) -> None:
    assert entries(documented)["people"]["facts"] == {
        "raters": 4,
        "roles": {"rater": 2, "researcher": 1},
        "entries": {"account": 1, "crowd": 2},
        "inactive": 1,
        "unknown": 1,
    }
    assert answer(documented, "consent") == (
        "Version 1 of the consent text: 1 of 4 raters agreed. Version 2 of the consent text: 2 of"
        " 4 raters agreed. To any version: 2."
    )
    assert answer(documented, "calibration") == (
        "As the release was made a calibration is required (8 items, 80 % as expected to pass,"
        " 3 attempts). Of 4 raters, 1 tried one and 1 passed."
    )


def test_datasheet_says_what_took_how_long(documented: Path) -> None:
    assert answer(documented, "time").startswith(
        "Median active time per rating: 2.5 seconds; in all 0.0 hours. It is known of 11 of 12"
    )


def test_datasheet_without_a_platform_claims_nothing_of_people(written: Path) -> None:
    found = entries(written)
    assert [found[key]["answer"] for key in ("people", "consent", "calibration")] == [None] * 3
    page = (written / "datasheet.md").read_text()
    assert page.count("**not stated**") == 3 + len(KEYS)


def test_datasheet_without_times_claims_none(tmp_path: Path) -> None:
    ratings = [
        replace(each, seconds=None, rated_at=None, guideline_version=None)
        for each in CONTENT.ratings
    ]
    write_release(replace(CONTENT, ratings=ratings), tmp_path / "out")
    assert answer(tmp_path / "out", "time") == "The active time is known of 0 of 12 ratings."
    assert answer(tmp_path / "out", "period") == "No rating has a date."
    assert answer(tmp_path / "out", "guidelines") == "No version is known of 12 ratings."
    assert verify_release(tmp_path / "out") == []


def test_blanks_are_the_questions_nobody_answered(documented: Path, written: Path) -> None:
    assert blanks_of(written) == KEYS
    assert blanks_of(documented) == tuple(key for key in KEYS if key not in ANSWERS)
    assert blanks_among(dict.fromkeys(KEYS, "x")) == ()
    assert blanks_among({"pay": " \n"}) == KEYS


def test_blanks_of_a_folder_without_a_datasheet_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"^datasheet\.json: cannot be read: .*No such file"):
        blanks_of(tmp_path)


@pytest.mark.parametrize("content", ["", "[]", '{"sections": 3}', '{"sections": [{}]}'])
def test_blanks_of_what_is_no_datasheet_are_an_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "datasheet.json").write_text(content)
    with pytest.raises(ReleaseError, match=r"^datasheet\.json: is not a datasheet"):
        blanks_of(tmp_path)


def test_page_shows_answers_as_they_were_typed(documented: Path) -> None:
    html = MarkdownIt("commonmark").render((documented / "datasheet.md").read_text())
    assert (
        "<p>To see &lt;b&gt;what&lt;/b&gt; helps.</p>\n<p>- one<br />\n# two</p>\n"
        "<p><em>Stated by the people behind the dataset.</em></p>"
    ) in html
    assert "<p>data@example.org</p>" in html
    assert html.count("<strong>not stated</strong>") == len(KEYS) - 3


def test_datasheet_is_no_part_of_the_digest() -> None:
    assert digest_of(DOCUMENTED) == digest_of(CONTENT)


def test_citation_and_card_name_the_authors(documented: Path) -> None:
    citation = yaml.safe_load((documented / "CITATION.cff").read_text())
    assert [*citation["authors"]] == [
        {"family-names": "Hill", "given-names": "Bo"},
        {"name": "Institute of Rivers"},
    ]
    card = (documented / "README.md").read_text()
    assert "  author = {Hill, Bo and {Institute of Rivers}},\n" in card
    assert "[`datasheet.md`](datasheet.md)" in card
    assert "11 questions that only the people behind the dataset can answer" in card
    metadata = json.loads((documented / "croissant.json").read_text())
    assert [creator["name"] for creator in metadata["creator"]] == [
        "Bo Hill",
        "Institute of Rivers",
    ]
    assert metadata["citeAs"].startswith("@misc{demo-1.0.0,")


def test_release_without_authors_has_no_citation(written: Path) -> None:
    assert not (written / "CITATION.cff").exists()
    card = (written / "README.md").read_text()
    assert "## Citation and licence\n\nNo citation is stated." in card
    assert "bibtex" not in card
    assert "citeAs" not in json.loads((written / "croissant.json").read_text())


def test_release_refuses_authors_that_are_none(tmp_path: Path) -> None:
    content = replace(CONTENT, documentation=Documentation(answers={"authors": "Hill,"}))
    with pytest.raises(ReleaseError, match="datasheet, authors: line 1: is neither"):
        write_release(content, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_croissant_with_authors_has_no_issues(documented: Path) -> None:
    from mlcroissant import Dataset

    issues = Dataset(jsonld=documented / "croissant.json").metadata.issues
    assert (issues.errors, issues.warnings) == (set(), set())


def change(path: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    sheet = json.loads(path.read_text())
    edit({entry["key"]: entry for part in sheet["sections"] for entry in part["entries"]})
    path.write_text(json.dumps(sheet))


@pytest.fixture
def tampered(documented: Path, tmp_path: Path) -> Path:
    import shutil

    return Path(shutil.copytree(documented, tmp_path / "tampered"))


def test_verify_release_accepts_what_was_written(documented: Path) -> None:
    assert verify_release(documented) == []


@pytest.mark.parametrize(
    "edit",
    [
        lambda entries: entries["raters"]["facts"].update(raters=40),
        lambda entries: entries["raters"].update(answer="40 raters gave 12 ratings."),
        lambda entries: entries["people"].update(answer="All were experts."),
        lambda entries: entries["pay"].update(stated_by="platform"),
        lambda entries: entries["purpose"].update(question="What for?"),
        lambda entries: entries["time"].pop("facts"),
    ],
)
def test_verify_release_finds_a_datasheet_that_says_something_else(
    tampered: Path, edit: Callable[[dict[str, Any]], None]
) -> None:
    change(tampered / "datasheet.json", edit)
    reseal(tampered)
    (found,) = verify_release(tampered)
    assert found.startswith("datasheet.json: ")


@pytest.mark.parametrize("content", ["", "null", '{"sections": [{"entries": [{}]}]}', "[" * 9000])
def test_verify_release_finds_what_is_no_datasheet(tampered: Path, content: str) -> None:
    (tampered / "datasheet.json").write_text(content)
    reseal(tampered)
    (found,) = verify_release(tampered)
    assert found.startswith("datasheet.json: is not a datasheet: ")


@pytest.mark.parametrize("path", ["datasheet.md", "LICENSE.md", "CITATION.cff"])
def test_verify_release_finds_pages_that_do_not_say_what_the_datasheet_says(
    tampered: Path, path: str
) -> None:
    content = (tampered / path).read_bytes()
    (tampered / path).write_bytes(content.replace(b"1", b"2", 1).replace(b"CC-BY", b"CC-ZY"))
    reseal(tampered)
    assert verify_release(tampered) == [f"{path}: does not say what datasheet.json says"]


def test_verify_release_knows_that_an_answer_changes_citation_and_page(tampered: Path) -> None:
    change(
        tampered / "datasheet.json", lambda entries: entries["authors"].update(answer="Else, Some")
    )
    reseal(tampered)
    assert verify_release(tampered) == [
        "datasheet.md: does not say what datasheet.json says",
        "CITATION.cff: does not say what datasheet.json says",
    ]


def test_verify_release_wants_a_citation_where_there_are_authors(tampered: Path) -> None:
    (tampered / "CITATION.cff").unlink()
    manifest = json.loads((tampered / "manifest.json").read_text())
    files = [file for file in manifest["files"] if file["path"] != "CITATION.cff"]
    (tampered / "manifest.json").write_text(json.dumps({**manifest, "files": files}))
    reseal(tampered)
    assert verify_release(tampered) == ["manifest.json: does not list CITATION.cff"]


def test_verify_release_wants_no_citation_where_there_are_none(release: Path) -> None:
    (release / "CITATION.cff").write_text("cff-version: 1.2.0\n")
    manifest = json.loads((release / "manifest.json").read_text())
    entry = {**manifest["files"][0], "path": "CITATION.cff", "rows": None}
    reseal(release, files=[*manifest["files"], entry])
    assert verify_release(release) == ["manifest.json: lists CITATION.cff"]
