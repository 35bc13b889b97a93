"""The example that does the main job, in short form."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.site import ROOT, running_site
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.faults  # it starts a real server

STEPS = [
    "database made",
    "campaign created",
    "questions imported",
    "questions answered by the baseline",
    "items scored by the matchers",
    "items rated over the API",
    "agreement measured",
    "released",
    "release verified",
    "altogether",
]


OPTIONS = ["demo/questions.json", "--raters", "2", "--items", "20", "--data"]
_HERE = """
import sys
from contextlib import nullcontext
from io import StringIO
from django.core.management import call_command
from examples import main_job
from examples.checkout import Tomahto


def printed(tomahto, *arguments):
    output = StringIO()
    call_command(*map(str, arguments), stdout=output)
    return output.getvalue()


Tomahto.printed = printed
Tomahto.site = lambda tomahto: nullcontext({address!r})
sys.argv = ["main_job.py", *{options!r}]
main_job.main()
"""


def check(printed: list[str], release: Path) -> None:
    timed = [re.fullmatch(r"(\S.*?) +[\d.]+ s", line) for line in printed]
    assert [match[1] for match in timed if match] == STEPS
    assert "  66 questions, 3 of them unanswerable" in printed
    assert "  40 ratings by 2 raters" in printed
    assert verify_release(release) == []
    agreement = json.loads((release / "agreement.json").read_text())["whole"]
    assert (agreement["ratings"], len(agreement["kappa"])) == (40, 1)


@pytest.mark.representative("an example script")
def test_main_job_makes_a_verified_release(tmp_path: Path) -> None:
    """Its commands in one process, on a site that is migrated and serves."""
    data = tmp_path / "data"
    with running_site(tmp_path / "site") as site:
        options = [*OPTIONS, str(data)]
        printed = site.python(_HERE.format(address=site.address, options=options))
    check(printed.splitlines(), data / "release")


def test_main_job_is_done_as_a_user_starts_it(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "examples/main_job.py", *OPTIONS, tmp_path],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": "", "TOMAHTO_BROKER_URL": ""},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    check(done.stdout.splitlines(), tmp_path / "release")
