"""What operators are told is what settings read."""

import re

from tests.site import ROOT


def test_operators_are_told_of_every_variable() -> None:
    read = re.findall(r'env\.\w+\(\s*"(\w+)"', (ROOT / "annotation_site/settings.py").read_text())
    told = re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs/operate.md").read_text(), re.MULTILINE)
    assert sorted(told) == sorted(read)
