"""Private PostgreSQL, Redis and S3 servers: own folder, free port of 127.0.0.1, own password.

For `./test`, and for tests and benchmarks that need servers they may break:

    with PrivatePostgres(durable=True) as postgres, PrivateRedis() as redis:
        serve(DATABASE_URL=postgres.url, TOMAHTO_BROKER_URL=redis.url)

A server may be killed and started again inside the block; it keeps folder, port and password. Only
processes started here are ever ended.
"""

import os
import secrets
import shutil
import signal
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

from bootstrap import BootstrapError, programs, system
from bootstrap.system import Account, Process, free_port, server_folder, unprivileged_account

READY_SECONDS = 60
STOP_SECONDS = 20
BUILTIN_LOCALES_SINCE = (17,)

# Only a crash of the whole machine needs these. A kill does not: commits are still written to the
# system before they are answered, which synchronous_commit=off would give up.
QUICK = ("fsync=off", "full_page_writes=off")
# Tests roll back: autovacuum would find tables with pages and no rows, and note that they are
# empty, from where on the planner joins them by nested loops. A table that was never looked at is
# taken to be of ten pages. A statement ends before the test that waits for it is given up.
FOR_ROLLED_BACK = ("autovacuum=off", "statement_timeout=100s")
CONNECTIONS = 200  # 64 raters, several web processes and workers
POSTGRES_OPTIONS = (
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    f"max_connections={CONNECTIONS}",
)
LEFTOVERS = "is still in use"  # what postgres says of its predecessor's shared memory


class PrivateServer(ABC):
    """One server of ours between `__enter__` and `__exit__`."""

    name: str
    stop_request = signal.SIGTERM
    account: Account | None = None  # another account to run as
    environment: Mapping[str, str] | None = None  # instead of ours

    def __init__(self) -> None:
        self.port = free_port()
        self.password = secrets.token_hex(16)
        self.folder = Path()
        self._process: Process | None = None

    @property
    @abstractmethod
    def url(self) -> str:
        """The address for clients, password included."""

    @abstractmethod
    def _prepare(self) -> None:
        """Fill the new, empty folder."""

    @abstractmethod
    def _command(self) -> Sequence[str]:
        """The program and its arguments; it must not put itself into the background."""

    @abstractmethod
    def _is_ready(self) -> bool:
        """Whether clients get answers."""

    @property
    def process(self) -> Process:
        if self._process is None:
            raise BootstrapError(f"{self.name} has not been started")
        return self._process

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def __enter__(self) -> Self:
        self.folder = server_folder(f"tomahto-{self.name.lower()}-")
        try:
            self._prepare()
            self.start()
        except BaseException:
            self._clear()
            raise
        return self

    def __exit__(self, *_error: object) -> None:
        self._clear()

    def start(self) -> None:
        """Start the server, again after `stop` or `kill`; returns when it answers."""
        self._process = system.start(
            self._command(),
            log=self.log,
            folder=self.folder,
            environment=self.environment,
            account=self.account,
        )
        system.await_ready(
            self._process, self._is_ready, name=self.name, log=self.log, seconds=READY_SECONDS
        )

    def stop(self) -> None:
        """End the server as its manual says, or after 20 s by force."""
        system.stop(self.process, request=self.stop_request, patience=STOP_SECONDS)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def _answer(self, request: str) -> str:
        """All that the server says before it closes the connection; nothing while it is not up."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(request.encode())
                return connection.makefile("rb").read().decode()
        except OSError:
            return ""

    def _clear(self) -> None:
        if self._process is not None:
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class PrivatePostgres(PrivateServer):
    """A PostgreSQL cluster as tests want it; a `durable` one is as a site has it.

    `programs_folder` holds `initdb` and `postgres`; by default programs.find_postgres() says.
    """

    name = "PostgreSQL"
    stop_request = signal.SIGINT  # "fast": end sessions, write a checkpoint

    def __init__(self, *, durable: bool = False, programs_folder: Path | None = None) -> None:
        super().__init__()
        self.account = unprivileged_account()
        self.durable = durable
        self.programs_folder = programs_folder or programs.find_postgres()

    @property
    def url(self) -> str:
        return f"postgresql://postgres:{self.password}@127.0.0.1:{self.port}/postgres"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def start(self) -> None:
        """Also after `kill`: the processes of a killed server take a moment to notice and go."""
        deadline = time.monotonic() + STOP_SECONDS
        while True:
            try:
                return super().start()
            except BootstrapError as failure:
                if LEFTOVERS not in str(failure) or time.monotonic() > deadline:
                    raise

    def _prepare(self) -> None:
        self._give_away(self.folder)
        password = private_file(self.folder / "password", self.password)
        self._give_away(password)
        command = [str(self.programs_folder / "initdb"), "--pgdata", str(self.data)]
        account = ("--username", "postgres", "--auth", "password", "--pwfile", str(password))
        # order by code point, as SQLite does, and upper case for every script
        version = programs.version_of(self.programs_folder / "postgres")
        locale: tuple[str, ...] = ("--locale=C.UTF-8",)
        if version is not None and version >= BUILTIN_LOCALES_SINCE:
            locale = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
        options = ("--encoding", "UTF8", *locale, "--no-sync")
        process = system.start(
            [*command, *account, *options], log=self.log, folder=self.folder, account=self.account
        )
        if system.await_end(process, time.monotonic() + READY_SECONDS):
            raise BootstrapError(f"initdb failed:\n{system.log_tail(self.log)}")
        password.unlink()

    def _give_away(self, path: Path) -> None:
        if self.account is not None:
            os.chown(path, self.account.user, self.account.group)

    def _command(self) -> Sequence[str]:
        options = (*POSTGRES_OPTIONS, *(() if self.durable else (*QUICK, *FOR_ROLLED_BACK)))
        settings = [part for option in options for part in ("-c", option)]
        program = str(self.programs_folder / "postgres")
        return [program, "-D", str(self.data), "-p", str(self.port), *settings]

    def _is_ready(self) -> bool:
        """As pg_ctl tells: the eighth line of postmaster.pid, if the file is this process's."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        is_ours = bool(lines) and lines[0].strip() == str(self.process.pid)
        return is_ours and len(lines) > 7 and lines[7].strip() == "ready"


class PrivateRedis(PrivateServer):
    """A Redis server that keeps everything in memory.

    `program` is the server's program; by default programs.find_redis() says.
    """

    name = "Redis"

    def __init__(self, *, program: Path | None = None) -> None:
        super().__init__()
        self.program = program or programs.find_redis()

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    def _prepare(self) -> None:
        """Settings in a file: arguments, and so the password, would be seen by everybody."""
        settings = {
            "bind": "127.0.0.1",
            "port": self.port,
            "requirepass": self.password,
            "dir": f'"{self.folder}"',
            "save": '""',
            "appendonly": "no",
        }
        lines = [f"{key} {value}\n" for key, value in settings.items()]
        private_file(self.folder / "redis.conf", "".join(lines))

    def _command(self) -> Sequence[str]:
        return [str(self.program), str(self.folder / "redis.conf")]

    def _is_ready(self) -> bool:
        return self._answer(f"AUTH {self.password}\r\nPING\r\nQUIT\r\n").startswith(
            "+OK\r\n+PONG\r\n"
        )


def private_file(path: Path, text: str) -> Path:
    path.touch(mode=0o600)
    path.write_text(text)
    return path


class PrivateObjectStore(PrivateServer):
    """An S3-compatible store with one empty bucket, which keeps objects as files in its folder.

    `access_key` is its one access key, `password` the secret. `program` is an rclone; by default
    programs.find_rclone() says.
    """

    name = "rclone"
    access_key = "tomahto"

    def __init__(self, *, program: Path | None = None, bucket: str = "releases") -> None:
        super().__init__()
        self.program = program or programs.find_rclone()
        self.bucket = bucket
        # not an argument, which everybody could see
        self.environment = {**os.environ, "RCLONE_AUTH_KEY": f'"{self.access_key},{self.password}"'}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def objects(self) -> Path:
        return self.folder / "buckets" / self.bucket

    def variables(self) -> dict[str, str]:
        """The settings that a client of S3 reads from its environment, and from nothing else on
        this machine."""
        nothing = str(self.folder / "none")
        return {
            "AWS_CONFIG_FILE": nothing,
            "AWS_SHARED_CREDENTIALS_FILE": nothing,
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_ACCESS_KEY_ID": self.access_key,
            "AWS_SECRET_ACCESS_KEY": self.password,
            "AWS_ENDPOINT_URL_S3": self.url,
        }

    def _prepare(self) -> None:
        self.objects.mkdir(parents=True)
        private_file(self.folder / "rclone.conf", "[buckets]\ntype = local\n")

    def _command(self) -> Sequence[str]:
        return [
            *(str(self.program), "serve", "s3", f"buckets:{self.folder / 'buckets'}"),
            *("--config", str(self.folder / "rclone.conf")),
            *("--addr", f"127.0.0.1:{self.port}"),
            *("--dir-cache-time", "1ms"),  # a test may change objects behind its back
        ]

    def _is_ready(self) -> bool:
        return self._answer("GET / HTTP/1.0\r\n\r\n").startswith("HTTP/")


POSTGRES_URL = "TOMAHTO_TEST_POSTGRES_URL"
REDIS_URL = "TOMAHTO_TEST_REDIS_URL"


@contextmanager
def provided_services(*, browser: bool) -> Iterator[dict[str, str]]:
    """Variables that name PostgreSQL, Redis and the other programs, while the private servers run.

    rclone is a program only: tests start object stores that they may break. Servers named in the
    environment are used as they are; a `browser` is looked for if wanted.
    Raises ProgramNotFoundError, with every place that was tried, rather than leaving anything out.
    """
    variables = {
        "TOMAHTO_TEST_OPENSSH_BIN": str(programs.find_openssh()),
        "TOMAHTO_TEST_RCLONE": str(programs.find_rclone()),
        "TOMAHTO_TEST_STRACE": str(programs.find_strace()),
    }
    if browser:
        variables["TOMAHTO_TEST_CHROMIUM"] = str(programs.find_chromium())
    with ExitStack() as stack:
        if url := os.environ.get(POSTGRES_URL):
            variables[POSTGRES_URL] = url
        else:
            postgres = stack.enter_context(PrivatePostgres())
            variables[POSTGRES_URL] = postgres.url
            variables["TOMAHTO_TEST_POSTGRES_BIN"] = str(postgres.programs_folder)
        if url := os.environ.get(REDIS_URL):
            variables[REDIS_URL] = url
        else:
            redis = stack.enter_context(PrivateRedis())
            variables[REDIS_URL] = redis.url
            variables["TOMAHTO_TEST_REDIS_SERVER"] = str(redis.program)
        yield variables
