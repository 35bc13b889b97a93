"""Settings read the names that operators are told."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from annotation_site.settings import VERSION
from tests.site import ROOT
from tomahto.matching.table import model_variables

pytestmark = pytest.mark.slow


def test_operators_are_told_of_every_variable() -> None:
    read = re.findall(r'env\.\w+\(\s*"(\w+)"', (ROOT / "annotation_site/settings.py").read_text())
    told = re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs/operate.md").read_text(), re.MULTILINE)
    models = [variable.name for variable in model_variables()]
    assert sorted(told) == sorted(read + models)


def test_site_package_and_changelog_have_the_same_version() -> None:
    package = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    changelog = re.findall(r"^## (\d\S+) ", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert package == VERSION == changelog[0]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("TOMAHTO_JOB_LEASE_SECONDS", "x", "SettingError: TOMAHTO_JOB_LEASE_SECONDS must be a"),
        ("TOMAHTO_OUTGOING_ALLOWED", "everything", "ImproperlyConfigured: TOMAHTO_OUTGOING_"),
        ("TOMAHTO_RELEASES_URL", "/srv", "SettingError: TOMAHTO_RELEASES_URL must be an address"),
        ("TOMAHTO_LOG_FORMAT", "xml", "SettingError: TOMAHTO_LOG_FORMAT must be text or json, not"),
        ("TOMAHTO_ANSWERERS", "none.toml", "ImproperlyConfigured: "),
    ],
)
def test_commands_say_in_one_line_which_setting_is_wrong(
    tmp_path: Path, name: str, value: str, said: str
) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**os.environ, "TOMAHTO_DATA": str(tmp_path), name: value},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1
