"""A release in the formats of others comes back as it went out. On both databases."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from datasets import load_dataset

from tests.exporters.builders import write_release
from tests.exporters.format_samples import CAP
from tests.sampling import mostly
from tests.tasks.management.conftest import Manage

pytestmark = pytest.mark.slow


FILES = {
    "label-studio": ["label_studio/tasks.json"],
    "doccano": ["doccano/test.jsonl", "doccano/dev.jsonl"],
}
ANSWERS: dict[str, list[dict[str, Any]]] = {
    "rules": [
        {"label": "correct", "rules": "aliasing+semantic"},
        {"label": "incorrect", "rules": "irrelevant"},
        {"label": "correct", "rules": "numerical"},
    ],
    "ae": [{"label": "equivalent"}, {"label": "not-equivalent"}, {"q1": True}],
    "cap": [{"label": "exact"}, {"label": "invalid"}, {"label": "exact"}],
}


@pytest.fixture(scope="module", autouse=True)
def _hub_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("hub")))
        yield


def release(manage: Manage, slug: str, out: Path, formats: str) -> dict[str, Any]:
    split = ("--split", "document:dev=30,test=70", "--formats", formats)
    return manage.json("release", slug, "--version", "1.0.0", *split, "--out", out)


@pytest.mark.parametrize("form", mostly(FILES, "label-studio"))
@pytest.mark.parametrize("protocol", mostly(ANSWERS, "rules"))
def test_release_for_another_tool_makes_the_same_release_again(
    manage: Manage, tmp_path: Path, protocol: str, form: str
) -> None:
    """The digest is of items, votes, answers, raters and times: all of them come back, with several
    choices in one answer and labels without answers."""
    item = {"reference": "a", "unrated_references": ["c"], "candidate": "b"}
    item["created_at"] = "2026-03-01T12:30:00+00:00"
    rows = [
        {**item, "document": question, "question": question, "rater": rater, **answer}
        for question in ("Where does it rise?", "How long is it?")
        for rater, answer in zip(("ann", "ben", "cem"), ANSWERS[protocol], strict=True)
    ]
    path = tmp_path / "ratings.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for slug in ("first", "second"):
        manage("create_campaign", slug, "--protocol", protocol, "--overlap", "3")
    manage("import_ratings", "first", path)
    first = release(manage, "first", tmp_path / "one", form)
    for name in FILES[form]:
        written = (tmp_path / "one" / name, "--format", form)
        manage("import_items", "second", *written)
        taken = manage.json("import_ratings", "second", *written)
        assert (taken["ratings_existing"], taken["items_created"]) == (0, 0)
        assert manage.json("import_ratings", "second", *written)["ratings_created"] == 0
    second = release(manage, "second", tmp_path / "two", "none")
    assert second == {**first, "path": str(tmp_path / "two")}


@pytest.mark.thorough
def test_formats_of_a_release_load_as_the_documentation_says(tmp_path: Path) -> None:
    out = tmp_path / "out"
    made = write_release(CAP, out)
    sizes = {split: figures["items"] for split, figures in made.splits.items()}

    def load(pattern: str, **options: Any) -> Any:
        files = {split: str(out / pattern.replace("SPLIT", split)) for split in made.splits}
        return load_dataset("json", data_files=files, **options)

    assert load("cap_correctness/SPLIT.jsonl").num_rows == sizes
    assert sum(load("doccano/SPLIT.jsonl").num_rows.values()) == made.ratings
    assert load("squad/SPLIT.json", field="data").num_rows == {
        split: len(json.loads((out / f"squad/{split}.json").read_text())["data"])
        for split in made.splits
    }
    tasks = load_dataset("json", data_files=str(out / "label_studio/tasks.json"), split="train")
    assert tasks.num_rows == made.items
