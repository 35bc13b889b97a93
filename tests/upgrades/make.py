"""Make the fixture of this version: what a small site of it leaves in its data folder.

    ./run python -m tests.upgrades.make

Run it once for each release, with the code of that release, and add the new folder to the
repository. A fixture that is there is never made again: it is what sites of that version have.
"""

import gzip
import sqlite3
import tarfile
import tempfile
from pathlib import Path

from annotation_site.settings import VERSION
from tests.migrated import SQLITE_FILE
from tests.site import Site
from tests.upgrades.fixtures import BACKUP, DATA, DATABASE, HERE

FILL = """
from tests.upgrades.filling import fill
fill()
"""


def make_fixture(target: Path) -> None:
    """A backup, and the database of SQLite as SQL in which DATA stands for the data folder."""
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder, "data"), {"DATABASE_URL": ""})
        site.python(FILL)
        text = _as_sql(site.folder / SQLITE_FILE).replace(str(site.folder), DATA)
        site.manage("backup", str(Path(folder, "backup")))
        target.mkdir()
        _pack(Path(folder, "backup"), target / BACKUP)
    (target / DATABASE).write_text(text, encoding="utf-8")


def _as_sql(database: Path) -> str:
    connection = sqlite3.connect(database)
    try:
        return "\n".join([*connection.iterdump(), ""])
    finally:
        connection.close()


def _pack(folder: Path, target: Path) -> None:
    with gzip.GzipFile(target, "wb", mtime=0) as file, tarfile.open(fileobj=file, mode="w") as tar:
        tar.add(folder, arcname=".", filter=_anonymous)


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


if __name__ == "__main__":
    make_fixture(HERE / VERSION)
