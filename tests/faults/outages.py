"""Databases that fail for a while: gone, out of connections, slow, or locked by somebody else."""

import sqlite3
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from tests.faults.proxy import Proxy, running_proxy
from tests.migrated import SQLITE_FILE
from tests.site import Site, running_site

Outage = Callable[[], AbstractContextManager[None]]
SLOW_BY = 0.5  # seconds


@dataclass(frozen=True)
class FailingSite:
    """A site and how its database may fail: while the context lasts."""

    site: Site
    outages: Mapping[str, Outage]


@contextmanager
def failing_site(folder: Path) -> Iterator[FailingSite]:
    with running_site(folder, start=False) as site:
        kind = _with_postgres if site.environment["DATABASE_URL"] else _with_sqlite
        with kind(site) as outages:
            yield FailingSite(site, outages)
            site.stop()


@contextmanager
def _with_sqlite(site: Site) -> Iterator[Mapping[str, Outage]]:
    @contextmanager
    def locked() -> Iterator[None]:
        with closing(sqlite3.connect(site.folder / SQLITE_FILE, isolation_level=None)) as other:
            other.execute("PRAGMA busy_timeout = 60000")
            other.execute("BEGIN EXCLUSIVE")
            yield
            other.execute("ROLLBACK")

    site.start_web(workers=2, threads=4, application="tests.faults.impatient:application")
    yield {"locked": locked}


@contextmanager
def _with_postgres(site: Site) -> Iterator[Mapping[str, Outage]]:
    """The site's connections go through a proxy, and belong to a role of its own."""
    address = urlsplit(site.environment["DATABASE_URL"])
    assert address.port is not None
    with (
        psycopg.connect(urlunsplit(address), autocommit=True) as admin,
        _role(admin) as role,
        running_proxy(Proxy(address.port)) as proxy,
    ):
        place = f"{role}:{role}@127.0.0.1:{proxy.port}"
        site.environment["DATABASE_URL"] = urlunsplit(address._replace(netloc=place))
        site.start_web(workers=2, threads=4)

        @contextmanager
        def gone() -> Iterator[None]:
            proxy.is_open = False
            proxy.reset_all()
            try:
                yield
            finally:
                proxy.is_open = True

        @contextmanager
        def out_of_connections() -> Iterator[None]:
            _limit(admin, role, 0)
            proxy.reset_all()
            try:
                yield
            finally:
                _limit(admin, role, -1)

        @contextmanager
        def slow() -> Iterator[None]:
            proxy.delay = SLOW_BY
            try:
                yield
            finally:
                proxy.delay = 0

        yield {"gone": gone, "out of connections": out_of_connections, "slow": slow}
        site.stop()  # before the role is dropped


@contextmanager
def _role(admin: psycopg.Connection) -> Iterator[str]:
    """A role that may do what the owner of the tables may, and is no superuser: limits hold."""
    name = f"tomahto_{uuid.uuid4().hex[:12]}"
    role = sql.Identifier(name)
    owner = sql.Identifier(admin.info.user)
    admin.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(role, sql.Literal(name)))
    admin.execute(sql.SQL("GRANT {} TO {}").format(owner, role))
    try:
        yield name
    finally:
        admin.execute(sql.SQL("DROP ROLE {}").format(role))


def _limit(admin: psycopg.Connection, role: str, connections: int) -> None:
    admin.execute(
        sql.SQL("ALTER ROLE {} CONNECTION LIMIT {}").format(
            sql.Identifier(role), sql.Literal(connections)
        )
    )
