"""Changing a backup so that its own record agrees with the change."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tasks.backup.manifest import CHECKSUM, MANIFEST, checksum_line


def rewrite_manifest(backup: Path, change: Callable[[Any], None]) -> None:
    """Change the manifest, and let it say of every table what its file is now."""
    manifest = json.loads((backup / MANIFEST).read_text())
    for table in manifest["tables"]:
        content = (backup / "tables" / f"{table['table']}.jsonl").read_bytes()
        table["sha256"] = hashlib.sha256(content).hexdigest()
        table["bytes"], table["rows"] = len(content), content.count(b"\n")
    change(manifest)
    text = json.dumps(manifest)
    (backup / MANIFEST).write_text(text)
    (backup / CHECKSUM).write_text(checksum_line(text))


def plant(backup: Path, path: str, content: bytes = b"planted") -> None:
    """Lay a file below files/, with an entry that agrees."""
    place = backup / "files" / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    entry = {"path": f"files/{path}", "sha256": digest, "bytes": len(content), "rows": None}
    rewrite_manifest(backup, lambda manifest: manifest["files"].append(entry))


def change_rows(backup: Path, table: str, only: int = 0, **values: object) -> None:
    """Give every row of a table these values, or the one in that line."""
    manifest = json.loads((backup / MANIFEST).read_text())
    columns = next(each["columns"] for each in manifest["tables"] if each["table"] == table)
    place = backup / "tables" / f"{table}.jsonl"
    rows = [json.loads(line) for line in place.read_text().splitlines()]
    for row in rows[only - 1 : only] if only else rows:
        for column, value in values.items():
            row[columns.index(column)] = value
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows]
    place.write_text("".join(f"{line}\n" for line in lines))
    rewrite_manifest(backup, lambda _manifest: None)
