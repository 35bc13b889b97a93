"""Tables and figures that were changed are found, however well the change is hidden."""

import json
import sys
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from tests.exporters.builders import write_release
from tests.exporters.samples import CONTENT, reseal
from tomahto.charts import chart_files
from tomahto.charts.chart_files import Chart, ChartContents, ChartFormat, drawn_by
from tomahto.releases.documents.document_files import paper_files
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow
SORTED = ("pdf", "png", "svg")
OTHER = "does not follow from statistics.json and agreement.json"


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("tables/sizes.md", lambda content: content.replace(b" 11 ", b" 12 ")),
        ("tables/labels_by_system.tex", lambda content: content.replace(b"33.3", b"43.3")),
        ("tables/agreement.csv", lambda content: content.replace(b"0.111", b"0.911")),
        ("figures/f1_histogram.svg", lambda content: content + b"<!-- -->"),
        ("figures/f1_histogram.pdf", lambda content: content.replace(b"0.6", b"0.9")),
        ("figures/f1_histogram.png", lambda content: content[: len(content) // 2]),
        ("figures/f1_histogram.png", lambda _: b"\x89PNG"),
    ],
)
def test_verify_release_finds_a_changed_table_or_figure(
    release: Path, path: str, change: Callable[[bytes], bytes]
) -> None:
    before = (release / path).read_bytes()
    (release / path).write_bytes(change(before))
    assert (release / path).read_bytes() != before
    reseal(release)
    assert verify_release(release) == [f"{path}: {OTHER}"]


def test_a_release_and_its_verification_draw_every_figure_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[str, ...]] = []
    draw = chart_files._drawn

    def counted(chart: Chart, kinds: Collection[ChartFormat]) -> ChartContents:
        drawn.append(tuple(sorted(kinds)))
        return draw(chart, kinds)

    monkeypatch.setattr(chart_files, "_drawn", counted)
    write_release(CONTENT, tmp_path / "release")
    assert drawn == [SORTED] * 3
    drawn.clear()
    assert verify_release(tmp_path / "release") == []
    assert drawn == [SORTED] * 3


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_verify_release_takes_a_figure_that_other_versions_drew(release: Path, kind: str) -> None:
    path = release / f"figures/f1_histogram.{kind}"
    path.write_bytes(path.read_bytes().replace(drawn_by().encode(), b"Tomahto charts 0"))
    reseal(release)
    assert verify_release(release) == []


@pytest.mark.parametrize(
    ("software", "differences"),
    [
        ("tomahto 0.1.0", []),
        (
            "tomahto 0.2.0",
            [
                "manifest.json: does not list figures/f1_histogram.pdf",
                f"figures/f1_histogram.png: {OTHER}",
                f"figures/f1_histogram.svg: {OTHER}",
            ],
        ),
    ],
)
def test_verify_release_takes_the_figures_of_0_1_0(
    release: Path, software: str, differences: list[str]
) -> None:
    """They do not name what drew them, and there is no PDF."""
    drop(release, ".pdf", "figures/agreement.", "figures/kappa.")
    for kind in ("svg", "png"):
        (release / f"figures/f1_histogram.{kind}").write_bytes(b"drawn by hand")
    files = json.loads((release / "manifest.json").read_text())["files"]
    kept = [file for file in files if (release / file["path"]).exists()]
    reseal(release, files=kept, software=software)
    assert verify_release(release) == differences


@pytest.mark.parametrize(
    ("dropped", "differences"),
    [
        (("figures/agreement.", "figures/kappa."), []),
        (
            ("figures/kappa.",),
            [
                f"manifest.json: does not list figures/kappa.{kind}"
                for kind in ("pdf", "png", "svg")
            ],
        ),
    ],
)
def test_verify_release_takes_one_without_figures_of_agreement(
    release: Path, dropped: tuple[str, ...], differences: list[str]
) -> None:
    """As they were before there were any: but all of them or none."""
    drop(release, *dropped)
    files = json.loads((release / "manifest.json").read_text())["files"]
    reseal(release, files=[file for file in files if (release / file["path"]).exists()])
    assert verify_release(release) == differences


def drop(release: Path, *parts: str) -> None:
    """Delete the figures in whose paths one of these stands."""
    for path in (release / "figures").iterdir():
        if any(part in f"figures/{path.name}" for part in parts):
            path.unlink()


@pytest.mark.parametrize(
    ("software", "differences"),
    [
        ("tomahto 0.1.0", []),
        ("tomahto 0.2.0", ["statistics.json: does not follow from the ratings"]),
    ],
)
def test_verify_release_wants_no_readings_of_0_1_0(
    release: Path, software: str, differences: list[str]
) -> None:
    statistics = json.loads((release / "statistics.json").read_text())
    agreement = json.loads((release / "agreement.json").read_text())
    campaign = json.loads((release / "manifest.json").read_text())["campaign"]
    del statistics["f1_readings"]
    (release / "statistics.json").write_text(json.dumps(statistics))
    for file in paper_files(campaign, statistics, agreement):
        (release / file.path).write_bytes(file.content)
    reseal(release, software=software)
    assert verify_release(release) == differences


def test_verify_release_needs_no_matplotlib(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert verify_release(release) == []


def test_verify_release_wants_every_table_and_no_other(release: Path) -> None:
    (release / "tables/kappa.md").rename(release / "tables/kappas.md")
    manifest = json.loads((release / "manifest.json").read_text())
    for file in manifest["files"]:
        file["path"] = file["path"].replace("kappa.md", "kappas.md")
    reseal(release, files=manifest["files"])
    assert verify_release(release) == [
        "manifest.json: does not list tables/kappa.md",
        "tables/kappas.md: is not a table or figure of this release",
    ]
