"""The image is built, its parts are started as the compose file says, and an item is rated.

Through the proxy, over TLS; then each part is killed once. What Docker does besides (restarting,
networks, a root that is read-only) is not tried: no engine is needed here.
"""

import json
import os
import shutil
import signal
import ssl
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bootstrap.debian import debian_folder
from bootstrap.processes import free_port, is_port_free
from bootstrap.services import PrivatePostgres, PrivateRedis
from tests.docker.compose import FOLDER, interpolated, services
from tests.docker.image import BASE, IMAGE, Images

pytestmark = pytest.mark.faults

USER = 10001
MOST_MEGABYTES = 520  # that our layers add; what they hold is in docs/operate.md
READY_SECONDS = 90
ITEM = {
    "question": "Where does the river rise?",
    "reference": "in the northern hills",
    "candidate": "in the hills",
}


class Deployment:
    """The parts of the compose file: ours in containers, other servers beside them."""

    def __init__(
        self, folder: Path, images: Images, postgres: PrivatePostgres, redis: PrivateRedis
    ) -> None:
        self.folder, self.images, self.postgres, self.redis = folder, images, postgres, redis
        self.web_port, self.port = free_port(), free_port()
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._variables = {
            "TOMAHTO_SECRET_KEY": "k" * 64,
            "TOMAHTO_ALLOWED_HOSTS": "localhost",
            "TOMAHTO_TRUSTED_ORIGINS": f"https://localhost:{self.port}",
            "POSTGRES_PASSWORD": postgres.password,
            "REDIS_PASSWORD": redis.password,
        }
        self._exchanged = {
            "@postgres:5432": f"@127.0.0.1:{postgres.port}",
            "@redis:6379": f"@127.0.0.1:{redis.port}",
            "0.0.0.0:8000": f"127.0.0.1:{self.web_port}",
        }
        for volume in ("releases", "matchers", "schedule"):
            (folder / volume).mkdir()
            os.chown(folder / volume, USER, USER)

    def run(self, *command: str) -> str:
        """Run one command in a container of its own."""
        return self.images.buildah(*self._in_container("web", command))

    def start(self, service: str) -> None:
        """Start a part; a killed one is started in a new container, as Docker does."""
        command = [self._here(argument) for argument in services()[service]["command"]]
        words = self.images.command(*self._in_container(service, command))
        with (self.folder / f"{service}.log").open("ab") as log:
            self.processes[service] = subprocess.Popen(
                words,
                env=self.images.environment(),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def start_proxy(self) -> None:
        """Caddy with our Caddyfile, a certificate of its own, and free ports."""
        settings = (FOLDER / "Caddyfile").read_text()
        own = f"admin off\n\tskip_install_trust\n\thttp_port {free_port()}"
        (self.folder / "Caddyfile").write_text(settings.replace("admin off", own))
        program = debian_folder().provide("caddy") / "usr" / "bin" / "caddy"
        with (self.folder / "proxy.log").open("ab") as log:
            self.processes["proxy"] = subprocess.Popen(
                [program, "run", "--config", "Caddyfile", "--adapter", "caddyfile"],
                cwd=self.folder,
                env={
                    "HOME": str(self.folder),
                    "TOMAHTO_DOMAIN": f"localhost:{self.port}",
                    "TOMAHTO_TLS": "tls internal",
                    "TOMAHTO_UPSTREAMS": f"127.0.0.1:{self.web_port}",
                },
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def kill(self, part: str) -> None:
        """kill -9 for all processes of a part."""
        process = self.processes.pop(part)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        port = {"web": self.web_port, "proxy": self.port}.get(part)
        deadline = time.monotonic() + 10
        while port and not is_port_free("127.0.0.1", port):
            assert time.monotonic() < deadline, f"{part} lives"
            time.sleep(0.05)

    def stop(self) -> None:
        for process in self.processes.values():
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.processes.clear()

    def call(self, path: str, token: str = "", body: Any = None, **headers: str) -> tuple[int, str]:
        """Ask the proxy over TLS, and trust its own authority alone."""
        authority = self.folder / ".local/share/caddy/pki/authorities/local/root.crt"
        request = urllib.request.Request(
            f"https://localhost:{self.port}{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", **headers},
        )
        if token:
            request.add_header("Authorization", f"Token {token}")
        trusted = ssl.create_default_context(cafile=str(authority))
        try:
            with urllib.request.urlopen(request, timeout=30, context=trusted) as answer:  # noqa: S310
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def await_ready(self) -> None:
        """Returns once the proxy passes on that the site is ready."""
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline:
            with suppress(OSError, ssl.SSLError):
                if self.call("/readyz")[0] == 200:
                    return
            time.sleep(0.2)
        logs = [f"{log.name}:\n{log.read_text()[-3000:]}" for log in self.folder.glob("*.log")]
        raise AssertionError("\n".join(["not ready", *logs]))

    def _in_container(self, service: str, command: list[str] | tuple[str, ...]) -> list[str]:
        variables = services()[service]["environment"]
        given = [f"--env={name}={self._here(value)}" for name, value in variables.items()]
        volumes = [
            f"--volume={self.folder / volume}:/data/{volume}"
            for volume in ("releases", "matchers", "schedule")
        ]
        container = self.images.container()
        as_user = f"--user={USER}:{USER}"
        return ["run", "--network=host", as_user, *given, *volumes, container, "--", *command]

    def _here(self, text: str) -> str:
        text = interpolated(text, self._variables)
        for container, plain in self._exchanged.items():
            text = text.replace(container, plain)
        return text


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Images]:
    folder = tmp_path_factory.mktemp("images")
    made = Images(folder)
    made.make_base()
    made.build()
    yield made
    shutil.rmtree(folder)


@pytest.fixture
def deployment(tmp_path: Path, images: Images) -> Iterator[Deployment]:
    with PrivatePostgres() as postgres, PrivateRedis() as redis:
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            secret = postgres.password
            connection.execute(f"CREATE ROLE tomahto SUPERUSER LOGIN PASSWORD '{secret}'")
            connection.execute("CREATE DATABASE tomahto OWNER tomahto")
        running = Deployment(tmp_path, images, postgres, redis)
        try:
            yield running
        finally:
            running.stop()


def test_image_is_no_larger_than_it_has_to_be(images: Images) -> None:
    ours = images.size(IMAGE) - images.size(BASE)
    assert 0 < ours / 1e6 <= MOST_MEGABYTES, f"{ours / 1e6:.0f} MB"


def test_parts_of_the_compose_file_rate_an_item_and_outlive_a_kill_each(
    deployment: Deployment,
) -> None:
    deployment.run(*services()["migrate"]["command"])
    for service in ("web", "worker", "beat"):
        deployment.start(service)
    deployment.start_proxy()
    deployment.await_ready()
    token = member(deployment)
    rate(deployment, token)

    for part in ("web", "worker", "beat", "proxy"):
        deployment.kill(part)
        if part == "proxy":
            deployment.start_proxy()
        else:
            deployment.start(part)
        deployment.await_ready()
    for server in (deployment.redis, deployment.postgres):
        server.kill()
        server.start()
        deployment.await_ready()
    assert deployment.call("/api/v1/campaigns/rivers/claim", token, {})[0] == 204
    as_whom = deployment.run("id", "-u").strip()
    assert as_whom == str(USER)


def member(deployment: Deployment) -> str:
    """A campaign with one item, and the token of its rater."""
    path = deployment.folder / "releases" / "items.jsonl"
    path.write_text(json.dumps(ITEM) + "\n")
    manage = ("python", "manage.py")
    made = (*manage, "create_campaign", "rivers", "--protocol", "ae", "--overlap", "1")
    deployment.run(*made)
    deployment.run(*manage, "import_items", "rivers", "/data/releases/items.jsonl")
    rater = ("create_member", "ann", "--campaign", "rivers", "--role", "rater", "--json")
    token: str = json.loads(deployment.run(*manage, *rater))["token"]
    return token


def rate(deployment: Deployment, token: str) -> None:
    status, text = deployment.call("/api/v1/campaigns/rivers/claim", token, {})
    assert status == 200
    work = json.loads(text)
    status, text = deployment.call(
        f"/api/v1/assignments/{work['assignment']}/rating",
        token,
        {"q1": False, "q2": True},
        **{"Idempotency-Key": work["idempotency_key"]},
    )
    assert (status, json.loads(text)["label"]) == (201, "equivalent")
