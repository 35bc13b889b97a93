from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tasks.backup.manifest import require_whole
from tasks.backup.writing import write_backup
from tasks.management.command import TomahtoCommand


class Command(TomahtoCommand):
    help = "Back up the site as a folder, also while it runs, or check such a folder."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dir", type=Path, help="the folder; a backup is never overwritten")
        parser.add_argument("--check", action="store_true", help="check an existing backup instead")

    def work(self, **options: Any) -> dict[str, Any]:
        folder: Path = options["dir"].absolute()
        manifest = require_whole(folder) if options["check"] else write_backup(folder)
        return {
            "path": str(folder),
            "checked": options["check"],
            "software": manifest.software,
            "database": manifest.database,
            "created_at": manifest.created_at,
            "tables": {table.table: table.rows for table in manifest.tables},
            "files": len(manifest.files),
            "elsewhere": list(manifest.elsewhere),
            "missing": list(manifest.missing),
        }

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        counts = f"{sum(result['tables'].values()):,} rows and {result['files']:,} files"
        if result["checked"]:
            yield f"{result['path']} is complete: {counts} of {result['created_at']}"
        else:
            yield f"{result['path']}: {counts}; keep the secret key separately, it is not included"
        yield from (f"not included, back it up yourself: {place}" for place in result["elsewhere"])
        yield from (f"missing, so not backed up: {place}" for place in result["missing"])
