import platform
from pathlib import Path

import pytest

from bootstrap import other_python


def system_python(folder: Path, version: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A stand-in where the system's programs are, which prints that version."""
    program = folder / "python3"
    program.write_text(f"#!/bin/sh\necho {version}\n")
    program.chmod(0o755)
    monkeypatch.setattr("os.defpath", str(folder))
    return str(program)


@pytest.mark.parametrize("version", ["3.11.0", "3.14.1"])
def test_another_python_of_the_system_is_found(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = system_python(tmp_path, version, monkeypatch)
    assert other_python.other_python() == (program, version)


@pytest.mark.parametrize("version", [platform.python_version(), "3.10.13", ""])
def test_this_one_one_too_old_and_one_that_fails_are_passed_over(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system_python(tmp_path, version, monkeypatch)
    assert other_python.other_python() is None


def test_a_system_without_python_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.defpath", str(tmp_path))
    assert other_python.other_python() is None
