"""A model folder being made: whole under its name, or not there."""

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def require_free(out: Path) -> None:
    """Raises FileExistsError if something has the name already, so that no model is lost."""
    if out.exists():
        raise FileExistsError(f"{out}: is there already; name a new folder")


@contextmanager
def output_folder(out: Path) -> Iterator[Path]:
    """A folder that takes the name `out` once it is complete; nothing stays if anything fails.

    Raises FileExistsError if something has that name.
    """
    require_free(out)
    partial = out.with_name(f".{out.name}.{secrets.token_hex(8)}.partial")
    partial.mkdir(parents=True)
    try:
        yield partial
        partial.rename(out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
