"""The site does not start unsafely, and no secret lies where others find it."""

import math
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.site import ROOT

pytestmark = pytest.mark.slow


SAFE = {
    "TOMAHTO_PRODUCTION": "1",
    "TOMAHTO_SECRET_KEY": "k" * 64,
    "TOMAHTO_BROKER_URL": "redis://localhost:1/0",
}
_FORMS = re.compile(
    r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{36}\b"
    r"|\bhf_[A-Za-z]{34}\b|\bsk-(?:proj-|ant-)?[\w-]{32,}\b|\bxox[abprs]-[\w-]{20,}|\bAIza[\w-]{35}\b"
)
_ASSIGNED = re.compile(
    r"""(?i)(?:secret|password|passwd|token|api_?key)\w*["']?\s*[:=]\s*["']([\w+/=.-]{24,})["']"""
)
_RANDOM = 3.9  # bits a character: words of a language have less


def production(tmp_path: Path, **changes: str) -> "subprocess.CompletedProcess[str]":
    """The output of a site that starts in production mode."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TOMAHTO_")}
    chosen = {name: value for name, value in {**SAFE, **changes}.items() if value}
    return subprocess.run(
        [sys.executable, "-c", "import annotation_site.settings as s; print(s.PRODUCTION)"],
        cwd=ROOT,
        env={**kept, "TOMAHTO_DATA": str(tmp_path), **chosen},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"TOMAHTO_SECRET_KEY": ""}, "TOMAHTO_SECRET_KEY must be set in production"),
        ({"TOMAHTO_DEBUG": "1"}, "TOMAHTO_DEBUG must not be set together"),
    ],
)
def test_production_does_not_start_unsafely(
    tmp_path: Path, changes: dict[str, str], said: str
) -> None:
    done = production(tmp_path, **changes)
    assert (done.returncode, said in done.stderr) == (1, True)
    assert SAFE["TOMAHTO_SECRET_KEY"] not in done.stderr


def test_production_starts_with_what_it_needs_and_keeps_no_key(tmp_path: Path) -> None:
    assert production(tmp_path).stdout == "True\n"
    assert not (tmp_path / "secret-key").exists()


def test_own_key_is_drawn_anew_and_readable_by_the_owner_alone(tmp_path: Path) -> None:
    keys = set()
    for name in "ab":
        done = production(
            tmp_path / name, TOMAHTO_PRODUCTION="", TOMAHTO_SECRET_KEY="", TOMAHTO_BROKER_URL=""
        )
        assert done.stdout == "False\n"
        path = tmp_path / name / "secret-key"
        assert path.stat().st_mode & 0o777 == 0o600
        keys.add(path.read_text())
    assert len(keys) == 2
    assert min(map(len, keys)) >= 50


def secrets_in(text: str) -> Iterator[str]:
    """Texts with the form of a key, or given to a name of one and apparently drawn at random."""
    yield from _FORMS.findall(text)
    yield from (value for value in _ASSIGNED.findall(text) if bits(value) > _RANDOM)


def bits(text: str) -> float:
    """Shannon's entropy of a text's characters."""
    counts = Counter(text).values()
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts)


def test_repository_holds_no_secret() -> None:
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    names = [name for name in done.stdout.split("\0") if name]
    found = {
        name: secrets
        for name in names or [str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py")]
        if not name.endswith((".png", ".ttf", ".lock", ".parquet", ".mo", ".min.js", ".json"))
        and (ROOT / name).is_file()
        for secrets in [list(secrets_in((ROOT / name).read_text(errors="replace")))]
        if secrets
    }
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        "-----BEGIN " + "PRIVATE KEY-----",
        "AKIA" + "IOSFODNN7" + "EXAMPLE",
        "ghp_" + "a1B2" * 9,
        'API_KEY = "' + "q7Zr2LmX9vKcT4bNw8Ys" + 'Jd3H"',
    ],
)
def test_a_secret_is_noticed(text: str) -> None:
    assert len(list(secrets_in(text))) == 1


def test_image_takes_nothing_that_may_hold_a_secret() -> None:
    """Everything is left out but what is named, and no place of secrets is."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    named = {rule.removeprefix("!").strip("/") for rule in rules if rule.startswith("!")}
    assert not named & {".", "*", "data", "docker", ".git", ".tomahto", "tests", "bootstrap"}
    assert not [name for name in named if name.startswith(("data", ".")) or "env" in name]
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {"/data/", "/docker/.env", "/docker/store.env", "/.tomahto/"} <= set(ignored)
