"""The real servers and the browser for `./test`, handed to pytest as environment variables."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bootstrap import programs
from bootstrap.services import PrivatePostgres, PrivateRedis

POSTGRES_URL = "TOMAHTO_TEST_POSTGRES_URL"
REDIS_URL = "TOMAHTO_TEST_REDIS_URL"
OPENSSH = "TOMAHTO_TEST_OPENSSH_BIN"
CHROMIUM = "TOMAHTO_TEST_CHROMIUM"
RCLONE = "TOMAHTO_TEST_RCLONE"
STRACE = "TOMAHTO_TEST_STRACE"


@contextmanager
def provided_services(*, browser: bool) -> Iterator[dict[str, str]]:
    """Variables that name PostgreSQL, Redis and the other programs, while the private servers run.

    rclone is a program only: tests start object stores that they may break. Servers named in the
    environment are used as they are; a `browser` is looked for if wanted.
    Raises ProgramNotFoundError, with every place that was tried, rather than leaving anything out.
    """
    with ExitStack() as stack:
        variables = _postgres(stack) | _redis(stack)
        variables |= {
            OPENSSH: str(programs.find_openssh()),
            RCLONE: str(programs.find_rclone()),
            STRACE: str(programs.find_strace()),
        }
        if browser:
            variables[CHROMIUM] = str(programs.find_chromium())
        yield variables


def _postgres(stack: ExitStack) -> dict[str, str]:
    if url := os.environ.get(POSTGRES_URL):
        return {POSTGRES_URL: url}
    server = stack.enter_context(PrivatePostgres())
    return {
        POSTGRES_URL: server.url,
        "TOMAHTO_TEST_POSTGRES_BIN": str(server.programs_folder),
    }


def _redis(stack: ExitStack) -> dict[str, str]:
    if url := os.environ.get(REDIS_URL):
        return {REDIS_URL: url}
    server = stack.enter_context(PrivateRedis())
    return {REDIS_URL: server.url, "TOMAHTO_TEST_REDIS_SERVER": str(server.program)}
