"""Exit codes and clean output, seen from outside: real processes."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site import ROOT, Site, running_site

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("site"), start=False) as site:
        yield site


def start(site: Site, *arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *map(str, arguments)],
        cwd=ROOT,
        env={**site.environment, "PYTHONWARNINGS": "default", **variables},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def test_success_is_0_and_stdout_is_one_document(site: Site) -> None:
    made = ("--protocol", "ae", "--overlap", "1", "--json")
    done = start(site, "create_campaign", "rivers", *made)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["slug"] == "rivers"


def test_a_wrong_input_is_1_with_one_line_on_stderr(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "i.jsonl"
    path.write_text('{"question": "Who?"}\n')
    done = start(site, "score_pairs", path, "--matcher", "em")
    assert (done.returncode, done.stdout) == (1, "")
    said = f"CommandError: {path}, line 1, field references: is missing (or reference)\n"
    assert done.stderr == said


def test_output_is_utf8_whatever_the_locale(site: Site, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"question": "Wo?", "references": ["Köln"], "candidate": "Köln"}\n')
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = start(site, "score_pairs", path, "--matcher", "em", **plain)
    assert done.returncode == 0
    assert json.loads(done.stdout)["references"] == ["Köln"]
