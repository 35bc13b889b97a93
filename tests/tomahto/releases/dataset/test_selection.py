from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exporters.builders import build_dataset, write_release, write_verified
from tests.exporters.samples import CONTENT, reseal
from tomahto.releases.comparison.diff import diff_releases
from tomahto.releases.dataset.choices import EVERYTHING, LeftOut, Selection
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.digest import content_digest
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import verify_release

VERSIONS = Selection(guideline_versions=(2,))
SELECTED = replace(
    CONTENT,
    selection=replace(VERSIONS, without_controls=True),
    left_out=LeftOut(
        items=1, ratings=4, by_filter={"without_controls": 3, "guideline_versions": 2}
    ),
)

selections = st.builds(
    Selection,
    without_controls=st.booleans(),
    without_deactivated=st.booleans(),
    guideline_versions=st.lists(st.integers(0, 9), max_size=3).map(tuple),
    consented_only=st.booleans(),
)


@given(selections)
def test_selection_is_read_back_from_json_as_it_was(selection: Selection) -> None:
    assert Selection.from_json(selection.as_json()) == selection


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "selection: is not an object"),
        ({}, "selection, field without_controls: is missing"),
        (
            Selection().as_json() | {"guideline_versions": ["1"]},
            "selection, field guideline_versions: is not a list of whole numbers from 0",
        ),
    ],
)
def test_selection_names_a_wrong_field(data: object, message: str) -> None:
    with pytest.raises(ReleaseError) as caught:
        Selection.from_json(data)
    assert str(caught.value) == message


def test_selection_does_not_know_the_order_of_versions() -> None:
    assert Selection(guideline_versions=(3, 1, 3)) == Selection(guideline_versions=(1, 3))


def test_selection_is_in_the_digest_unless_nothing_is_left_out() -> None:
    digests = {
        content_digest(build_dataset(replace(CONTENT, selection=selection)))
        for selection in (EVERYTHING, Selection(), VERSIONS, Selection(consented_only=True))
    }
    assert len(digests) == 3
    assert content_digest(build_dataset(CONTENT)) in digests


def test_selection_is_in_manifest_and_card_and_the_release_verifies(tmp_path: Path) -> None:
    write_verified(SELECTED, tmp_path / "out")
    manifest = read_release(tmp_path / "out").manifest
    assert (manifest.terms.selection, manifest.left_out) == (SELECTED.selection, SELECTED.left_out)
    assert (
        "1 item of the campaign had no counted rating that was selected and is left out.\n"
        "\n"
        "Left out on purpose: 4 ratings in all; a rating with several reasons is counted with "
        "each of them below. Surplus ratings stay surplus even where a counted one was left out.\n"
        "\n"
        "- items that repeat a control item, whose answer is known: 1 item with 3 ratings\n"
        "- ratings under no guideline of version 2: 2 ratings\n"
    ) in (tmp_path / "out/README.md").read_text()


def test_verify_finds_ratings_under_guidelines_that_were_left_out(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write_release(SELECTED, folder)
    path = folder / "ratings/dev.parquet"
    table = pq.read_table(path)
    rows = [row | {"guideline_version": 1} for row in table.to_pylist()]
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path)
    reseal(folder)
    assert (
        "manifest.json, field selection: names guidelines 2; ratings have others"
    ) in verify_release(folder)


def test_diff_tells_another_selection(written: Path, tmp_path: Path) -> None:
    write_release(replace(SELECTED, version="1.1.0"), tmp_path / "out")
    diff = diff_releases(written, tmp_path / "out")
    assert (diff.settings, diff.required_bump, diff.is_honest) == (("selection",), "minor", True)
