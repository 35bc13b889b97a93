"""A file that a command writes: whole under its name, or not there."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from django.core.management.base import CommandError


@contextmanager
def output_file(path: Path) -> Iterator[TextIO]:
    """A text file that takes its name once all is on the disk; one of that name is replaced.

    Whatever fails, nothing of it stays and the earlier file is untouched. Raises CommandError if
    something other than a file has the name, and OSError if the disk refuses.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise CommandError(f"{path} exists but is not a regular file")
    partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}.partial")
    try:
        with partial.open("x", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
