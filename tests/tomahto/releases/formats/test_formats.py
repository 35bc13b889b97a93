"""The formats of a release, and that verification knows every byte of them."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from exporters.planned_release import ReleaseContent, planned_release
from tests.exporters.builders import build_dataset, write_release, write_verified
from tests.exporters.folders import contents
from tests.exporters.format_samples import AE, CAP, STATEMENT
from tests.exporters.samples import CONTENT, reseal
from tests.sampling import IS_WHOLE, sample
from tomahto.releases.dataset.choices import parse_split_spec
from tomahto.releases.formats.formats import FORMAT_FOLDERS, FORMATS, choose_formats
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


PLACES = {
    "squad": ["squad/dev.json", "squad/test.json"],
    "cap-correctness": ["cap_correctness/dev.jsonl", "cap_correctness/test.jsonl"],
    "cap-statements": ["cap_statements/dev.jsonl", "cap_statements/test.jsonl"],
    "label-studio": ["label_studio/tasks.json", "label_studio/config.xml"],
    "doccano": ["doccano/dev.jsonl", "doccano/test.jsonl"],
}
EVERY = [
    *((AE, path) for name in AE.formats or () for path in PLACES[name]),
    *((CAP, path) for path in PLACES["cap-correctness"]),
    *((STATEMENT, path) for path in PLACES["cap-statements"]),
]


@pytest.mark.parametrize(
    ("content", "names"),
    [
        (AE, ("squad",)),
        (CAP, ("squad", "cap-correctness")),
        (STATEMENT, ("cap-statements",)),
        (CONTENT, ()),  # says of no label that it accepts a candidate
    ],
)
def test_formats_by_default_are_those_of_papers_that_suit(
    content: ReleaseContent, names: tuple[str, ...]
) -> None:
    assert planned_release(replace(content, formats=None)).manifest.formats == names


def test_formats_come_once_and_in_one_order() -> None:
    wanted = ("doccano", "squad", "doccano")
    assert choose_formats("ae", ("equivalent",), wanted) == ("squad", "doccano")
    assert choose_formats("ae", ("equivalent",), ()) == ()


@pytest.mark.parametrize(
    ("content", "wanted", "message"),
    [
        (AE, "zip", f"format 'zip' is not one of {', '.join(FORMATS)}"),
        (AE, "cap-correctness", "format cap-correctness is not for the protocol ae"),
        (STATEMENT, "squad", "format squad is not for the protocol statement"),
    ],
)
def test_formats_that_do_not_suit_are_refused_before_anything_is_written(
    tmp_path: Path, content: ReleaseContent, wanted: str, message: str
) -> None:
    with pytest.raises(ReleaseError) as caught:
        write_release(replace(content, formats=(wanted,)), tmp_path / "out")
    assert str(caught.value) == message
    assert list(tmp_path.iterdir()) == []


def test_labels_that_there_are_not_cannot_be_accepted() -> None:
    campaign = replace(AE.campaign, accepted_labels=("equivalent", "exact"))
    with pytest.raises(ReleaseError) as caught:
        build_dataset(replace(AE, campaign=campaign))
    assert str(caught.value) == "exact cannot be accepted: it is not a label"


@pytest.fixture(scope="session")
def releases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A release of each protocol in all its formats, by protocol. Not to be changed."""
    folder = tmp_path_factory.mktemp("formats")
    for content in (AE, CAP, STATEMENT):
        write_release(content, folder / content.campaign.protocol)
    return {path.name: path for path in folder.iterdir()}


def test_formats_are_in_the_manifest_and_verified(releases: dict[str, Path]) -> None:
    expected = {
        "ae": ["squad", "label-studio", "doccano"],
        "cap": ["squad", "cap-correctness", "label-studio", "doccano"],
        "statement": ["cap-statements"],
    }
    for protocol, folder in releases.items():
        manifest = json.loads((folder / "manifest.json").read_text())
        listed = {file["path"] for file in manifest["files"]}
        paths = {path for name in expected[protocol] for path in PLACES[name]}
        if protocol == "ae":  # in every release of it, so that nobody chooses it
            paths |= {"ae/dev.jsonl", "ae/test.jsonl"}
        assert manifest["further_formats"] == expected[protocol]
        assert paths == {path for path in listed if path.startswith(FORMAT_FOLDERS)}
        assert verify_release(folder) == []


def test_formats_leave_the_digest_and_all_other_files_as_they_are(
    tmp_path: Path, releases: dict[str, Path]
) -> None:
    write_release(replace(AE, formats=()), tmp_path / "bare")
    bare, whole = contents(tmp_path / "bare"), contents(releases["ae"])
    changed = {name for name in bare if bare[name] != whole[name]}
    assert changed == {"README.md", "manifest.json", "SHA256SUMS"}
    assert whole.keys() - bare.keys() == {p for name in AE.formats or () for p in PLACES[name]}
    digests = {json.loads(each["manifest.json"])["digest"] for each in (bare, whole)}
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("content", "path"),
    [
        pytest.param(
            *each,
            id=f"{each[0].campaign.protocol}-{each[1]}",
            marks=[pytest.mark.thorough] if "/dev." in each[1] else [],
        )
        for each in EVERY
    ],
)
def test_formats_changed_under_right_checksums_are_found(
    releases: dict[str, Path], tmp_path: Path, content: ReleaseContent, path: str
) -> None:
    folder = tmp_path / "release"
    shutil.copytree(releases[content.campaign.protocol], folder)
    original = (folder / path).read_bytes()
    for place in sample(range(0, len(original), 97), 12 if IS_WHOLE else 3):
        changed = original[:place] + bytes([original[place] ^ 1]) + original[place + 1 :]
        (folder / path).write_bytes(changed)
        reseal(folder)
        assert [line.partition(",")[0].partition(":")[0] for line in verify_release(folder)] == [
            path
        ], place
    (folder / path).write_bytes(original[:-2])
    reseal(folder)
    assert verify_release(folder) != []
    (folder / path).write_bytes(original + b" ")
    reseal(folder)
    assert verify_release(folder) != []
    (folder / path).write_bytes(original)
    reseal(folder)
    assert verify_release(folder) == []


@pytest.mark.parametrize("split", ["system:dev=bidaf,test=xlnet+luke", "folds:2"])
def test_formats_of_other_splits_are_verified(tmp_path: Path, split: str) -> None:
    """By system, a1 and a2 are in both splits."""
    content = replace(AE, spec=parse_split_spec(split))
    write_verified(content, tmp_path / "out")
    tasks = json.loads((tmp_path / "out/label_studio/tasks.json").read_text())
    assert {task["data"]["item_id"]: task["data"]["splits"] for task in tasks} == {
        item.record.id: list(item.splits) for item in build_dataset(content).items
    }


def test_formats_are_told_in_the_card(releases: dict[str, Path]) -> None:
    section = (releases["statement"] / "README.md").read_text().partition("## Further formats")[2]
    assert section.partition("## ")[0].strip() == (
        "- `cap_statements/`: question, answer and statement, as in CAP-Statements, with the label."
    )


def test_formats_that_a_manifest_names_must_be_there(
    releases: dict[str, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "release"
    shutil.copytree(releases["ae"], folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    kept = [file for file in manifest["files"] if not file["path"].startswith("squad/")]
    shutil.rmtree(folder / "squad")
    reseal(folder, files=kept)
    assert verify_release(folder) == [
        "manifest.json: does not list squad/dev.json",
        "manifest.json: does not list squad/test.json",
    ]


def test_formats_that_no_manifest_names_are_strays(
    releases: dict[str, Path], tmp_path: Path
) -> None:
    folder = tmp_path / "release"
    shutil.copytree(releases["ae"], folder)
    reseal(folder, further_formats=["squad", "doccano"])
    assert verify_release(folder) == [
        "manifest.json: lists label_studio/config.xml, which belongs to no split",
        "manifest.json: lists label_studio/tasks.json, which belongs to no split",
    ]
