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
