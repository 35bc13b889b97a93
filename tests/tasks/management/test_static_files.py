"""Static files for ./run: collected once, and again when one of them has changed."""

import gzip
import json
import re
from pathlib import Path

import pytest
from django.conf import LazySettings

from tasks.management.static_files import collect_changed

pytestmark = pytest.mark.slow


_IMPORTED = re.compile(r'^import .* from "\./(.+)";$', re.MULTILINE)
_HASHED = re.compile(r"[a-z_]+\.[0-9a-f]{12}\.js")


@pytest.fixture
def folder(tmp_path: Path, settings: LazySettings) -> Path:
    """Where they are collected."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.css").write_text("p { color: red }\n" * 20)
    settings.STATICFILES_DIRS = [source]
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STORAGES = {
        "staticfiles": {"BACKEND": "annotation_site.static_files.StaticStorage"},
    }
    return tmp_path / "static"


def named(folder: Path) -> dict[str, str]:
    """The names that files are served under, by their own."""
    names: dict[str, str] = json.loads((folder / "staticfiles.json").read_text())["paths"]
    return names


def test_files_are_collected_once_and_when_one_has_changed(folder: Path) -> None:
    assert collect_changed()
    first = named(folder)["a.css"]
    assert (folder / first).read_text().startswith("p { color: red }")
    assert gzip.decompress((folder / f"{first}.gz").read_bytes()) == (folder / first).read_bytes()
    assert not collect_changed()

    (folder.parent / "source" / "a.css").write_text("p { color: blue }")
    assert collect_changed()
    assert named(folder)["a.css"] != first
    assert not (folder / first).exists()


def test_what_was_broken_off_is_begun_again(folder: Path) -> None:
    collect_changed()
    (folder.parent / "static.sources").unlink()
    (folder / "staticfiles.json").unlink()
    assert collect_changed()
    assert "a.css" in named(folder)


def test_scripts_import_each_other_by_names_with_digests(
    folder: Path, settings: LazySettings
) -> None:
    settings.STATICFILES_DIRS = [settings.BASE_DIR / "static"]
    collect_changed()
    names = named(folder)
    imported = {
        other
        for name, served in names.items()
        if name.startswith("js/")
        for other in _IMPORTED.findall((folder / served).read_text())
    }
    assert "keys.js" not in imported
    assert {f"js/{other}" for other in imported} <= set(names.values())
    assert all(_HASHED.fullmatch(other) for other in imported)
    assert len(imported) >= 10
