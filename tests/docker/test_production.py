"""The commands of the compose file as plain processes, in production mode.

Host names, ports and folders are exchanged; everything else is what the containers run.
"""

import json
import re
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from annotation_site.health import HOW_TO_START
from bootstrap.services import PrivatePostgres, PrivateRedis
from tests.docker.compose import interpolated, services
from tests.faults.jobs import await_acknowledged, await_job, await_line
from tests.site import STOP_SECONDS, Site

pytestmark = pytest.mark.faults

HTTPS = {"X-Forwarded-Proto": "https"}
CHECKS = ("database", "broker", "scheduler")
METRICS_TOKEN = "m" * 64
_START_A_JOB_THAT_FAILS = """
from annotation_site.request_log import current_request_id
from tasks.jobs.workflow.jobs import start_job
from tasks.models import Campaign, JobKind
current_request_id.set("proxy-0002")
start_job(campaign=Campaign.objects.get(), kind=JobKind.SUGGEST, parameters={})
"""
ITEMS = [
    {
        "id": f"item-{number}",
        "question": f"Where does river {number} rise?",
        "context": "All rivers here rise in the northern hills.",
        "reference": "in the northern hills",
        "candidate": candidate,
    }
    for number, candidate in enumerate(["in the hills", "at the coast"])
]


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: str


class _StayHere(urllib.request.HTTPRedirectHandler):
    """A redirection is an answer like any other."""

    def redirect_request(self, *_arguments: object) -> None:
        return None


class Production:
    """The services of the compose file on private servers."""

    def __init__(self, folder: Path, postgres: PrivatePostgres, redis: PrivateRedis) -> None:
        self.folder, self.redis = folder, redis
        for volume in ("releases", "matchers", "schedule"):
            (folder / volume).mkdir()
        self._exchanged = {
            "@postgres:5432": f"@127.0.0.1:{postgres.port}",
            "@redis:6379": f"@127.0.0.1:{redis.port}",
            "/data": str(folder),
            "/tmp/metrics": str(folder / "metrics"),  # noqa: S108 - exchanged, not used
        }
        self._variables = {
            "TOMAHTO_SECRET_KEY": "k" * 64,
            "TOMAHTO_ALLOWED_HOSTS": "tomahto.example.org",
            "TOMAHTO_METRICS_TOKEN": METRICS_TOKEN,
            "POSTGRES_PASSWORD": postgres.password,
            "REDIS_PASSWORD": redis.password,
        }
        static = {"TOMAHTO_STATIC": str(folder / "static"), "TOMAHTO_JOB_LEASE_SECONDS": "2"}
        python, manage, *migrate = self.command("migrate")
        assert (python, manage) == ("python", "manage.py")
        self.site = Site(folder, {**self.environment("web"), **static}, migrate=migrate)
        self._exchanged["0.0.0.0:8000"] = f"127.0.0.1:{self.site.port}"

    def command(self, service: str) -> list[str]:
        return [self._here(argument) for argument in services()[service]["command"]]

    def environment(self, service: str) -> dict[str, str]:
        found = services()[service]["environment"]
        return {name: self._here(value) for name, value in found.items()}

    def start(self, service: str) -> subprocess.Popen[bytes]:
        return self.site.start(*self.command(service))

    def call(self, path: str, token: str = "", body: Any = None, **headers: str) -> Answer:
        """GET, or POST if there is a body, as the proxy passes it on."""
        request = urllib.request.Request(  # noqa: S310 - our own server
            self.site.address + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={**HTTPS, "Content-Type": "application/json", **headers},
        )
        if token:
            request.add_header("Authorization", f"Token {token}")
        try:
            with urllib.request.build_opener(_StayHere).open(request, timeout=30) as response:
                return Answer(response.status, dict(response.headers), response.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, dict(error.headers), error.read().decode())

    def _here(self, text: str) -> str:
        text = interpolated(text, self._variables)
        for container, plain in self._exchanged.items():
            text = text.replace(container, plain)
        return text


def make_database(postgres: PrivatePostgres) -> None:
    """As the image of PostgreSQL does when it starts for the first time."""
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE tomahto SUPERUSER LOGIN PASSWORD '{postgres.password}'")
        connection.execute("CREATE DATABASE tomahto OWNER tomahto")


@pytest.fixture
def production(tmp_path: Path) -> Iterator[Production]:
    with PrivatePostgres() as postgres, PrivateRedis() as redis:
        make_database(postgres)
        running = Production(tmp_path, postgres, redis)
        try:
            yield running
        finally:
            running.site.stop()


def member(production: Production, campaign: str) -> str:
    """The token of a new rater."""
    path = production.folder / "items.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in ITEMS))
    manage = production.site.manage
    manage("create_campaign", campaign, "--protocol", "ae", "--overlap", "1")
    manage("import_items", campaign, str(path))
    printed = manage("create_member", "ann", "--campaign", campaign, "--role", "rater", "--json")
    token: str = json.loads(printed)["token"]
    return token


def test_production_rates_scores_and_stops(production: Production) -> None:
    production.site.manage("collectstatic", "--noinput", "--verbosity", "0")
    token = member(production, "rivers")
    processes = {name: production.start(name) for name in ("web", "worker", "beat")}
    production.site.await_ready()

    rate_one(production, token)
    see_the_login_page(production)
    production.site.manage("prefill", "rivers", "--matcher", "f1")
    job = await_job(production.site, state="done")
    # the scheduler sweeps when it starts, before any job is due
    assert production.site.readiness() == {"status": 200, **dict.fromkeys(CHECKS, True)}
    assert (job["attempts"], job["done"], job["total"]) == (1, 2, 2)
    read_the_metrics(production)
    follow_a_request(production)
    lose_the_broker(production)
    stop_while_a_rating_is_stored(production, token, processes["web"])

    for process in processes.values():
        process.terminate()
    codes = {name: process.wait(STOP_SECONDS) for name, process in processes.items()}
    assert codes == {"web": 0, "worker": 0, "beat": 0}


def rate_one(production: Production, token: str) -> None:
    claimed = production.call("/api/v1/campaigns/rivers/claim", token, {})
    assert claimed.status == 200
    work = json.loads(claimed.body)
    stored = production.call(
        f"/api/v1/assignments/{work['assignment']}/rating",
        token,
        {"q1": False, "q2": True},
        **{"Idempotency-Key": work["idempotency_key"]},
    )
    assert (stored.status, json.loads(stored.body)["label"]) == (201, "equivalent")


def stop_while_a_rating_is_stored(
    production: Production, token: str, web: subprocess.Popen[bytes]
) -> None:
    """The web server is told to stop while a rater's rating waits for the database."""
    work = json.loads(production.call("/api/v1/campaigns/rivers/claim", token, {}).body)
    with (
        psycopg.connect(production.site.environment["DATABASE_URL"]) as database,
        ThreadPoolExecutor(1) as pool,
    ):
        lock = "SELECT FROM tasks_assignment WHERE id = %s FOR UPDATE"
        database.execute(lock, [work["assignment"]])
        submit = pool.submit(
            production.call,
            f"/api/v1/assignments/{work['assignment']}/rating",
            token,
            {"q1": False, "q2": True},
            **{"Idempotency-Key": work["idempotency_key"]},
        )
        await_waiting(database)
        web.terminate()
        await_line(production.folder / "gunicorn.log", "Handling signal: term")
        database.rollback()
        stored = submit.result(30)
    assert (stored.status, json.loads(stored.body)["label"]) == (201, "equivalent")


def await_waiting(database: psycopg.Connection[Any], *, seconds: float = 20) -> None:
    """Returns once somebody waits for a lock."""
    deadline = time.monotonic() + seconds
    while database.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone() == (0,):
        assert time.monotonic() < deadline, "nobody waits"
        time.sleep(0.02)


def see_the_login_page(production: Production) -> None:
    """Nothing without TLS; with it a page whose style sheets are there under hashed names."""
    plain = production.call("/login/", **{"X-Forwarded-Proto": "http"})
    assert (plain.status, plain.headers["Location"][:8]) == (301, "https://")
    page = production.call("/login/")
    sheets = re.findall(r'href="(/static/css/[\w-]+\.[0-9a-f]{12}\.css)"', page.body)
    assert page.status == 200
    assert sheets
    assert {production.call(sheet).status for sheet in sheets} == {200}
    hsts = "max-age=31536000; includeSubDomains; preload"
    assert page.headers["Strict-Transport-Security"] == hsts
    assert page.headers["Cache-Control"].endswith("private")
    assert production.call(sheets[0]).headers["Cache-Control"].endswith("immutable")
    cookie = page.headers["Set-Cookie"]
    assert cookie.startswith("csrftoken=")
    assert {"Secure", "SameSite=Lax"} <= set(cookie.split("; "))
    says = "from django.conf import settings as s; print(s.SESSION_COOKIE_SECURE,"
    says += " s.SESSION_COOKIE_HTTPONLY, s.SESSION_COOKIE_SAMESITE)"
    assert production.site.python(says) == "True True Lax\n"


def read_the_metrics(production: Production) -> None:
    """Both processes of the web server are in the sum, whichever is asked."""
    for _ in range(10):
        assert production.call("/healthz").status == 200
    assert production.call("/metrics").status == 401
    answer = production.call("/metrics", Authorization=f"Bearer {METRICS_TOKEN}")
    healthz = 'tomahto_request_seconds_count{method="GET",route="healthz",status="200"} 10.0'
    jobs = 'tomahto_jobs{kind="suggest",state="done"} 1.0'
    assert {healthz, jobs, "tomahto_ratings_last_hour 1.0"} <= set(answer.body.splitlines())


def follow_a_request(production: Production) -> None:
    """From the proxy to the log of the web server, and to that of the worker."""
    answer = production.call("/healthz", **{"X-Request-ID": "proxy-0001"})
    assert answer.headers["X-Request-ID"] == "proxy-0001"
    [line] = logged(production.folder / "gunicorn.log", "proxy-0001")
    assert (line["path"], line["status"], line["user"]) == ("/healthz", 200, None)
    production.site.python(_START_A_JOB_THAT_FAILS)
    await_line(production.folder / "celery.log", "proxy-0002")
    [line] = logged(production.folder / "celery.log", "proxy-0002")
    assert re.fullmatch(r"job \d+ failed", line["message"])
    assert line["exception"].endswith("KeyError: 'name'")


def logged(log: Path, request_id: str) -> list[dict[str, Any]]:
    lines = [line for line in log.read_text().splitlines() if request_id in line]
    return [json.loads(line) for line in lines]


def lose_the_broker(production: Production) -> None:
    """A site without broker lives, says what it lacks, and takes orders for later."""
    await_acknowledged(production.redis.url)
    production.redis.kill()
    assert production.call("/healthz").status == 200
    answer = production.call("/readyz", **{"X-Forwarded-Proto": "http"})
    missing = f"broker: {HOW_TO_START['broker']}"
    found = {"database": True, "broker": False, "scheduler": True, "missing": missing}
    assert (answer.status, json.loads(answer.body)) == (503, found)
    production.site.manage("prefill", "rivers", "--matcher", "em")
    production.redis.start()
    production.site.await_ready()
    await_job(production.site, state="done", parameters={"name": "em"})
