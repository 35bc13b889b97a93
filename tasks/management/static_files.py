"""Collecting static files for ./run: once, and again when one of them has changed."""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


def collect_changed() -> bool:
    """Fill the folder of static files anew unless it holds these very files; whether it did.

    Without such a folder they are served from where they lie.
    """
    if (folder := settings.STATIC_ROOT) is None:
        return False
    record = folder.with_name(f"{folder.name}.sources")
    sources = hashlib.sha256("\n".join(_sources()).encode()).hexdigest()
    if record.is_file() and record.read_text(encoding="ascii") == sources:
        return False
    record.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    # last, so that what was broken off is begun again
    record.write_text(sources, encoding="ascii")
    return True


def _sources() -> Iterator[str]:
    """Every file with its size and the time of its last change."""
    for finder in get_finders():
        for path, storage in finder.list(None):
            found = Path(storage.path(path)).stat()
            yield f"{path} {found.st_size} {found.st_mtime_ns}"
