"""What is costly to make and changed by nobody: once for all processes of a run."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bootstrap.mutex import waiting_turn


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder of that name, new and filled by `make` for whoever asks first. Not to be changed.

    It is where it was made: what is in it may name its own place.
    """
    shared: Path = factory.getbasetemp()
    if shared.name.startswith("popen-"):  # one process of several: they share the folder above
        shared = shared.parent
    folder, made = shared / name, shared / f"{name}.made"
    with waiting_turn(shared / f"{name}.lock", waiting=f"another process is making {name} …"):
        if not made.exists():
            folder.mkdir()
            make(folder)
            made.touch()
    return folder
