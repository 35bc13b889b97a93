"""A release in the splits that its questions came in, on the demo cut into two SQuAD files."""

import json
from pathlib import Path
from typing import Any

import pytest

from tasks.models import Release
from tests.tasks.management.conftest import Manage
from tests.tasks.management.test_releases import DEMO, SYSTEMS

pytestmark = [pytest.mark.slow, pytest.mark.thorough]


DEV_ARTICLES = 2


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """The demo's questions by split, as SQuAD comes: two articles in dev, the others in train."""
    articles = json.loads((DEMO / "questions.json").read_text())["data"]
    parts = {"dev": articles[:DEV_ARTICLES], "train": articles[DEV_ARTICLES:]}
    for name, part in parts.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({"data": part}))
    return {name: tmp_path / f"{name}.json" for name in parts}


@pytest.fixture
def squad(manage: Manage, files: dict[str, Path]) -> str:
    manage("create_campaign", "squad", "--protocol", "ae", "--overlap", "3")
    for name, path in files.items():
        manage("import_questions", "squad", path, "--split", name)
    for system in SYSTEMS:
        predictions = DEMO / f"predictions/{system}.json"
        manage("import_predictions", "squad", predictions, "--system", system)
    manage("import_ratings", "squad", DEMO / "ratings_ae.jsonl")
    return "squad"


def release(manage: Manage, slug: str, out: Path, split: str = "predefined") -> dict[str, Any]:
    return manage.json("release", slug, "--version", "1.0.0", "--split", split, "--out", out)


def documents(out: Path, split: str) -> set[str]:
    lines = (out / f"jsonl/items/{split}.jsonl").read_text().splitlines()
    return {json.loads(line)["document"] for line in lines}


def test_release_keeps_the_splits_of_the_files(
    manage: Manage, squad: str, files: dict[str, Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    made = release(manage, squad, out)
    assert (list(made["splits"]), made["items"]) == (["dev", "train"], 94)
    for name, path in files.items():
        titles = {article["title"] for article in json.loads(path.read_text())["data"]}
        assert documents(out, name) <= titles
    assert manage("verify_release", out) == (
        f"{out} is as it was released; every item is in the split that its source has it in; "
        "no document and no near-duplicate question is on two sides; not signed\n"
    )


def test_release_has_train_beside_dev_and_test_divided_by_documents(
    manage: Manage, squad: str, files: dict[str, Path], tmp_path: Path
) -> None:
    split = "document:dev=30,test=70:keep=train"
    made = release(manage, squad, tmp_path / "one", split)
    assert list(made["splits"]) == ["train", "dev", "test"]
    titles = {article["title"] for article in json.loads(files["train"].read_text())["data"]}
    assert documents(tmp_path / "one", "train") <= titles
    sides = {name: documents(tmp_path / "one", name) for name in made["splits"]}
    assert sum(map(len, sides.values())) == len(set().union(*sides.values()))
    assert manage("verify_release", tmp_path / "one") == (
        f"{tmp_path / 'one'} is as it was released; what the source has in train is there, and no "
        "more; no document and no near-duplicate question is on two sides; not signed\n"
    )
    stored = Release.objects.get()
    assert sides == {
        name: {document for document in found if stored.documents[document] == name}
        for name, found in sides.items()
    }
    again = manage.json(
        "release", squad, "--version", "1.1.0", "--split", f"{split}:leaks=report",
        "--labels", "dawid-skene", "--out", tmp_path / "two",
    )  # fmt: skip
    assert again["splits"] == made["splits"]
    assert {name: documents(tmp_path / "two", name) for name in sides} == sides


def test_release_imported_and_released_again_keeps_them(
    manage: Manage, squad: str, tmp_path: Path
) -> None:
    first = release(manage, squad, tmp_path / "one")
    manage("create_campaign", "again", "--protocol", "ae", "--overlap", "1")
    for table in ("items", "ratings", "answers"):
        for path in sorted((tmp_path / f"one/jsonl/{table}").iterdir()):
            manage(f"import_{table}", "again", path)
    second = release(manage, "again", tmp_path / "two", "predefined:train,dev")
    assert second["digest"] == first["digest"]


def test_release_refuses_items_of_files_without_a_split_unless_they_are_omitted(
    manage: Manage, files: dict[str, Path], tmp_path: Path
) -> None:
    manage("create_campaign", "half", "--protocol", "ae", "--overlap", "3")
    manage("import_questions", "half", files["dev"], "--split", "dev")
    manage("import_ratings", "half", DEMO / "ratings_ae.jsonl")
    arguments = ("release", "half", "--version", "1.0.0", "--out", tmp_path / "out", "--split")
    printed = manage.error(*arguments, "predefined")
    assert " items are in no split of their source that is named, such as 'i-" in printed
    assert printed.endswith("import what says their split, or leave them out by :others=omit\n")
    assert not (tmp_path / "out").exists()
    made = release(manage, "half", tmp_path / "out", "predefined:others=omit")
    assert list(made["splits"]) == ["dev"]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("Dev", "split name 'Dev' may hold only a-z, 0-9 and _"),
        ("all", "a split cannot be called 'all'"),
        ("d" * 41, "a split name has at most 40 characters"),
    ],
)
def test_import_questions_refuses_what_no_split_can_be_called(
    manage: Manage, campaign: str, files: dict[str, Path], name: str, error: str
) -> None:
    arguments = ("import_questions", campaign, files["dev"], "--split", name)
    assert f"argument --split: {error}" in manage.error(*arguments, code=2)
