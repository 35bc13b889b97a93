"""New sites to measure on, one for each database."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.site import Site, running_site


def each_site() -> Iterator[tuple[str, Site]]:
    """The database's name and a new site that is not started: on SQLite, then on PostgreSQL where
    DATABASE_URL names a server."""
    server = os.environ.get("DATABASE_URL", "")
    for name, address in [("SQLite", ""), ("PostgreSQL", server)]:
        if name == "PostgreSQL" and not address:
            continue
        os.environ["DATABASE_URL"] = address
        with (
            tempfile.TemporaryDirectory() as folder,
            running_site(Path(folder), start=False) as site,
        ):
            yield name, site
