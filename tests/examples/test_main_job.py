"""The example that does the main job, in short form, as a user starts it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.site import ROOT
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


def main_job(data: Path) -> list[str]:
    done = subprocess.run(
        [
            *(sys.executable, "examples/main_job.py", "demo/questions.json"),
            *("--raters", "2", "--items", "20", "--data", data),
        ],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": "", "TOMAHTO_BROKER_URL": ""},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.representative("an example script")
def test_main_job_makes_a_verified_release(tmp_path: Path) -> None:
    printed = main_job(tmp_path)
    timed = [re.fullmatch(r"(\S.*?) +[\d.]+ s", line) for line in printed]
    assert [match[1] for match in timed if match] == STEPS
    assert "  66 questions, 3 of them unanswerable" in printed
    assert "  40 ratings by 2 raters" in printed
    release = tmp_path / "release"
    assert verify_release(release) == []
    agreement = json.loads((release / "agreement.json").read_text())["whole"]
    assert (agreement["ratings"], len(agreement["kappa"])) == (40, 1)
