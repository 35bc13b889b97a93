"""Exit codes and clean output, seen from outside: real processes, one site."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.site import ROOT, Site, running_site

pytestmark = pytest.mark.slow


Process = subprocess.CompletedProcess[str]
Start = Callable[..., Process]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("site"), start=False) as site:
        site.manage("create_campaign", "rivers", "--protocol", "ae", "--overlap", "1")
        yield site


@pytest.fixture
def start(site: Site) -> Start:
    def started(*arguments: object, **variables: str) -> Process:
        return subprocess.run(
            [sys.executable, "manage.py", *map(str, arguments)],
            cwd=ROOT,
            env={**site.environment, "PYTHONWARNINGS": "default", **variables},
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    return started


def test_success_is_0_and_stdout_is_one_document(start: Start) -> None:
    done = start("agreement", "rivers", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["protocol"] == "ae"


def test_a_wrong_input_is_1_with_one_line_on_stderr(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "i.jsonl"
    path.write_text('{"question": "Who?"}\n')
    done = start("import_items", "rivers", path, "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert (
        done.stderr
        == f"CommandError: {path}, line 1, field references: is missing (or reference)\n"
    )


def test_a_wrong_option_is_2(start: Start) -> None:
    done = start("create_campaign", "lakes", "--protocol", "ae", "--overlap", "many")
    assert (done.returncode, done.stdout) == (2, "")
    assert "argument --overlap: invalid int value: 'many'" in done.stderr


def test_a_release_that_is_off_is_1_with_the_differences(start: Start, tmp_path: Path) -> None:
    done = start("verify_release", tmp_path, "--json")
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads(done.stdout)["differences"] == ["manifest.json: is not there as a plain file"]


def test_output_is_utf8_whatever_the_locale(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"question": "Wo?", "references": ["Köln"], "candidate": "Köln"}\n')
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = start("score_pairs", path, "--matcher", "em", **plain)
    assert done.returncode == 0
    assert json.loads(done.stdout)["references"] == ["Köln"]
