"""Releases with the figures of an earlier version go on verifying, as such."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.exporters.builders import write_first_version
from tests.exporters.folders import manifest_of
from tests.exporters.samples import CONTENT, ITEMS, reseal
from tomahto.releases.files.text_files import csv_of_version
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow

MARKED = replace(ITEMS[2], candidate="'+'", systems=("'=x",))
CONTENT_OF_BOTH = replace(
    CONTENT, items=(*ITEMS[:2], MARKED, *ITEMS[3:]), labels="dawid-skene", seed=1
)


def test_a_release_of_the_first_version_verifies_as_such_alone(tmp_path: Path) -> None:
    write_first_version(CONTENT_OF_BOTH, tmp_path / "earlier")
    for path in (tmp_path / "earlier").rglob("*.csv"):
        path.write_bytes(path.read_bytes().replace(b"''+'", b"'+'").replace(b"''=x", b"'=x"))
    reseal(tmp_path / "earlier")
    assert "figures_version" not in manifest_of(tmp_path / "earlier")
    assert manifest_of(tmp_path / "now")["figures_version"] == 2
    assert verify_release(tmp_path / "earlier") == []
    iterations = [
        json.loads((tmp_path / name / "dawid_skene.json").read_text())["iterations"]
        for name in ("earlier", "now")
    ]
    assert iterations[0] < iterations[1]
    reseal(tmp_path / "earlier", figures_version=2)
    found = verify_release(tmp_path / "earlier")
    assert {line.partition(":")[0].partition(",")[0] for line in found} >= {
        "agreement.json",
        "csv/items/test.csv",
        "dawid_skene.json",
        "statistics.json",
    }


def test_csv_of_the_first_version_has_no_second_apostrophe() -> None:
    now = ['"a\n""b""",\'\'=1\r\n', "'+,'''-1,-1,''a\r\n"]
    assert [*csv_of_version(2, now)] == now
    assert [*csv_of_version(1, now)] == [now[0].replace("''", "'"), "'+,''-1,-1,''a\r\n"]
