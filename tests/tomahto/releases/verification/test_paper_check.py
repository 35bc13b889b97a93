"""Tables and figures that were changed are found, however well the change is hidden."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from tests.exporters.samples import reseal
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


def turned(content: bytes) -> bytes:
    """The picture with a bar painted over."""
    with Image.open(io.BytesIO(content)) as picture:
        other = picture.convert("RGB")
    other.paste("#ffffff", (300, 900, 400, 1000))
    file = io.BytesIO()
    other.save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("tables/sizes.md", lambda content: content.replace(b" 11 ", b" 12 ")),
        ("tables/labels_by_system.tex", lambda content: content.replace(b"33.3", b"43.3")),
        ("tables/agreement.csv", lambda content: content.replace(b"0.111", b"0.911")),
        ("figures/f1_histogram.svg", lambda content: content + b"<!-- -->"),
        ("figures/f1_histogram.png", turned),
        ("figures/f1_histogram.png", lambda content: content[: len(content) // 2]),
    ],
)
def test_verify_release_finds_a_changed_table_or_figure(
    release: Path, path: str, change: Callable[[bytes], bytes]
) -> None:
    before = (release / path).read_bytes()
    (release / path).write_bytes(change(before))
    assert (release / path).read_bytes() != before
    reseal(release)
    assert verify_release(release) == [
        f"{path}: is not what statistics.json and agreement.json make"
    ]


def test_verify_release_takes_a_picture_that_is_packed_otherwise(release: Path) -> None:
    path = release / "figures/f1_histogram.png"
    with Image.open(path) as picture:
        picture.load()
    picture.save(path, "PNG", compress_level=1)
    reseal(release)
    assert verify_release(release) == []


def test_verify_release_wants_every_table_and_no_other(release: Path) -> None:
    (release / "tables/kappa.md").rename(release / "tables/kappas.md")
    manifest = json.loads((release / "manifest.json").read_text())
    for file in manifest["files"]:
        file["path"] = file["path"].replace("kappa.md", "kappas.md")
    reseal(release, files=manifest["files"])
    assert verify_release(release) == [
        "manifest.json: does not list tables/kappa.md",
        "tables/kappas.md: is no table or figure of this release",
    ]
