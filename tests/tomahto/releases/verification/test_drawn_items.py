"""Version 0.1.0 drew the items of a bootstrap one by one, also where there are very many."""

from pathlib import Path

import pytest

import tomahto.estimates.resampled_sums as resampled_sums
from tests.exporters.samples import reseal
from tomahto.releases.verification.verify import verify_release


@pytest.mark.parametrize(
    ("software", "differences"),
    [
        ("tomahto 0.1.0", []),
        ("tomahto 0.2.0", ["agreement.json: is not what the ratings make"]),
    ],
)
def test_verify_release_takes_intervals_as_0_1_0_drew_them(
    release: Path, software: str, differences: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reseal(release, software=software)
    assert verify_release(release) == []
    for least in ("MANY_ITEMS", "MANY_KINDS", "RARE"):
        monkeypatch.setattr(resampled_sums, least, -1)
    assert verify_release(release) == differences
