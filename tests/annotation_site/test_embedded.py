"""The processes of `./run`: loaded together, then divided. Their life is in
tests/faults/test_scheduler.py."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from celery.beat import Service

from annotation_site import embedded
from annotation_site.celery import app
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


@dataclass(frozen=True)
class Task:
    name: str


def test_worker_that_has_grown_ends_once_it_is_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    memory, now, ended = [100], [1000.0], list[tuple[int, int]]()
    monkeypatch.setattr(os, "kill", lambda *asked: ended.append(asked))
    monkeypatch.setattr(embedded, "most_memory", lambda: memory[0])
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    growth, job, sweep = embedded.Growth(), Task("tasks.run_job"), Task("tasks.sweep")
    for size, task, later in [
        *((140, sweep, 60.0), (141, job, 0.0), (141, sweep, 30.0), (141, job, 60.0)),
        *((141, job, 0.0), (141, sweep, 30.0)),
    ]:
        memory[0], now[0] = size, now[0] + later
        growth.look(task=task)
    assert ended == []
    now[0] += 0.1
    growth.look(task=sweep)
    assert ended == [(os.getpid(), signal.SIGTERM)]


def test_worker_ends_with_its_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = list[tuple[int, int]]()
    monkeypatch.setattr(os, "kill", lambda *asked: ended.append(asked))
    scheduler = Service(app)
    monkeypatch.setattr(scheduler, "start", lambda: None)
    embedded.keep_schedule(scheduler)
    assert ended == []

    def fail() -> None:
        raise OSError("no room is left for the schedule")

    monkeypatch.setattr(scheduler, "start", fail)
    with pytest.raises(OSError, match="no room"):
        embedded.keep_schedule(scheduler)
    assert ended == [(os.getpid(), signal.SIGTERM)]
