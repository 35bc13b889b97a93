"""Writes a file as a user would hand it in: bytes under a temporary path, known by a name."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write text, or rows as JSON lines, under a name; give the path."""

    def written(name: str, content: str | list[dict[str, object]]) -> Path:
        if isinstance(content, list):
            content = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content)
        path = tmp_path / name
        path.write_bytes(content.encode())
        return path

    return written
