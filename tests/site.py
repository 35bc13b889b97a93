"""A real Tomahto for tests and benchmarks: own data folder, own database, gunicorn, Celery.

The database is the one that the test run is for: a file of its own with SQLite, a database of
its own on the server of DATABASE_URL with PostgreSQL; either is a copy of a migrated one.
Only processes started here are ended.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from tests.migrated import SQLITE_FILE, address_of, migrated_database, migrated_file

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 60
STOP_SECONDS = 20
MIGRATE = ("migrate", "--verbosity", "0")
_MAKE_TABLES = """
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
settings.MIGRATION_MODULES = {app.label: None for app in apps.get_app_configs()}
call_command("migrate", run_syncdb=True, verbosity=0)
settings.MIGRATION_MODULES = {}
call_command("migrate", fake=True, verbosity=0)
"""


class Site:
    """A site in a folder; `start_web` and `start_worker` bring it to life.

    `migrate` is the management command that makes its database; None where that has been made.
    """

    def __init__(
        self,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        *,
        migrate: Sequence[str] | None = MIGRATE,
    ) -> None:
        self.folder = folder
        self.port = _free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **os.environ,
            "TOMAHTO_DATA": str(folder),
            "PYTHONPATH": str(ROOT),
            "HF_HUB_OFFLINE": "1",
            **(environment or {}),
        }
        self.wrapper: Sequence[str] = ()  # a program with its arguments that starts the others
        self.processes: list[subprocess.Popen[bytes]] = []
        if migrate is not None:
            self.manage(*migrate)

    def manage(self, *arguments: str) -> str:
        """Run a management command and return what it prints."""
        return self._run("manage.py", *arguments)

    def python(self, code: str, *, seconds: float = 300) -> str:
        """Run a few lines with Django set up and return what they print."""
        return self._run("-c", f"import django; django.setup()\n{code}", seconds=seconds)

    def make_tables(self) -> None:
        """A database as the migrations make it, at once, and said to have seen them."""
        self.python(_MAKE_TABLES)

    def start_web(
        self,
        *,
        workers: int = 1,
        threads: int = 8,
        application: str = "annotation_site.wsgi:application",
    ) -> None:
        """gunicorn on a free port of 127.0.0.1; returns when the site is ready."""
        self.launch_web(workers=workers, threads=threads, application=application)
        self.await_ready()

    def launch_web(
        self, *, workers: int, threads: int, application: str = "annotation_site.wsgi:application"
    ) -> subprocess.Popen[bytes]:
        """gunicorn, which is not ready yet."""
        return self.start(
            *("gunicorn", application, "--worker-class", "gthread"),
            *("--workers", str(workers), "--threads", str(threads)),
            *("--bind", f"127.0.0.1:{self.port}", "--timeout", "120", "--keep-alive", "30"),
            *("--no-control-socket", "--preload"),
        )

    def start_worker(self, *, application: str = "annotation_site") -> subprocess.Popen[bytes]:
        """One Celery worker with its scheduler."""
        return self.start(
            *("celery", "-A", application, "worker", "-B", "--concurrency", "1"),
            *("--schedule", str(self.folder / f"beat-{self.port}"), "--loglevel", "warning"),
        )

    def start_scheduler(self) -> subprocess.Popen[bytes]:
        """Celery beat in a process of its own, for a worker that has none."""
        return self.start(
            *("celery", "-A", "annotation_site", "beat", "--pidfile="),
            *("--schedule", str(self.folder / f"beat-{self.port}"), "--loglevel", "warning"),
        )

    def start(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{module}.log").open("ab") as log:
            process = subprocess.Popen(
                [*self.wrapper, sys.executable, "-m", module, *arguments],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.processes.append(process)
        return process

    def await_ready(self) -> None:
        """Returns once database and broker can be reached; a scheduler there need not be."""
        deadline = time.monotonic() + START_SECONDS
        readiness: dict[str, Any] = {}
        while time.monotonic() < deadline:
            if any(process.poll() is not None for process in self.processes):
                break
            readiness = self.readiness()
            if readiness.get("database") and readiness.get("broker"):
                return
            time.sleep(0.05)
        logs = [f"{log.name}:\n{log.read_text()}" for log in sorted(self.folder.glob("*.log"))]
        raise AssertionError("\n".join([f"not ready: {readiness}", *logs]))

    def readiness(self) -> dict[str, Any]:
        """The answer of /readyz, and its status; none where nobody answers."""
        try:
            with urllib.request.urlopen(f"{self.address}/readyz", timeout=2) as answer:  # noqa: S310
                return {"status": answer.status, **json.load(answer)}
        except urllib.error.HTTPError as error:
            with error:
                return {"status": error.code, **json.load(error)}
        except (urllib.error.URLError, OSError):
            return {}

    def stop(self) -> None:
        """End everything that was started, in groups, politely first."""
        for process in self.processes:
            _signal_group(process, signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                _signal_group(process, signal.SIGKILL)
                process.wait()
        self.processes.clear()

    def kill(self) -> None:
        """kill -9 for everything that was started."""
        for process in self.processes:
            _signal_group(process, signal.SIGKILL)
            process.wait()
        self.processes.clear()

    def _run(self, *arguments: str, seconds: float = 300) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env={**self.environment, "DJANGO_SETTINGS_MODULE": "annotation_site.settings"},
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        if done.returncode:
            raise AssertionError(f"{arguments[:3]} failed:\n{done.stdout}\n{done.stderr}")
        return done.stdout


@contextmanager
def running_site(
    folder: Path, *, environment: Mapping[str, str] | None = None, start: bool = True
) -> Iterator[Site]:
    """A fresh, migrated site on the database kind of this test run."""
    with _database(folder) as address:
        site = Site(folder, {"DATABASE_URL": address, **(environment or {})}, migrate=None)
        try:
            if start:
                site.start_web()
            yield site
        finally:
            site.stop()


@contextmanager
def _database(folder: Path) -> Iterator[str]:
    """The address of a migrated PostgreSQL database, or nothing: then SQLite's is in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    if server := os.environ.get("DATABASE_URL", ""):
        with _copied_database(server) as name:
            yield address_of(server, name)
        return
    shutil.copy(migrated_file(), folder / SQLITE_FILE)
    yield ""


@contextmanager
def _copied_database(server: str) -> Iterator[str]:
    name = f"tomahto_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {migrated_database(server)}")
        try:
            yield name
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    if process.poll() is None:
        os.killpg(process.pid, number)
