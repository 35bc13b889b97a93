"""The processes of `./run`: loaded together, then divided. Their life is in
tests/faults/test_scheduler.py."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from annotation_site import embedded
from annotation_site.env import SettingError
from bootstrap import BootstrapError
from bootstrap.serving import Site
from tests.loaded_modules import HEAVY
from tests.site import ROOT

_LOAD: Final = """
import json, sys
from pathlib import Path
from annotation_site import embedded
from bootstrap.serving import Site

embedded.load(Site(Path(sys.argv[1])))
from django.db import connection
print(json.dumps({
    "heavy": [each for each in json.loads(sys.argv[2]) if each in sys.modules],
    "modules": len(sys.modules),
    "threads": len(list(Path("/proc/self/task").iterdir())),
    "is_connected": connection.connection is not None,
    "is_web_server": "annotation_site.wsgi" in sys.modules,
}))
"""


@pytest.mark.slow
def test_what_is_loaded_before_the_processes_divide(tmp_path: Path) -> None:
    """Little of it, and neither threads nor connections, which no two processes can share."""
    loaded = subprocess.run(
        [sys.executable, "-c", _LOAD, str(tmp_path), json.dumps(HEAVY)],
        cwd=ROOT,
        env={**os.environ, "TOMAHTO_DATA": str(tmp_path), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    said = json.loads(loaded.stdout)
    assert said.pop("modules") < 2200
    assert said == {"heavy": [], "threads": 1, "is_connected": False, "is_web_server": False}


def test_settings_that_cannot_be_used_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_name: str) -> None:
        raise SettingError("TOMAHTO_DEBUG must be 1 or 0, not 'maybe'")

    monkeypatch.setattr(embedded, "import_module", refuse)
    line = "^SettingError: TOMAHTO_DEBUG must be 1 or 0, not 'maybe'$"
    with pytest.raises(BootstrapError, match=line):
        embedded.load(Site(tmp_path))


def test_worker_that_has_grown_ends_after_its_job(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = list[tuple[int, int]]()
    monkeypatch.setattr(os, "kill", lambda *asked: ended.append(asked))
    for memory in (100, 200):
        monkeypatch.setattr(embedded, "most_memory", lambda memory=memory: memory)
        embedded.leave_when_grown(100)
    assert ended == []
    monkeypatch.setattr(embedded, "most_memory", lambda: 201)
    embedded.leave_when_grown(100)
    assert ended == [(os.getpid(), signal.SIGTERM)]
