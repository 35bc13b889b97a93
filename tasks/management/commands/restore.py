from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tasks.backup.files import is_laid_beside, place_on_site
from tasks.backup.restoring import restore_backup
from tasks.management.command import TomahtoCommand


class Command(TomahtoCommand):
    help = "Fill a new, migrated database and the data folder from a backup."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dir", type=Path, help="the folder of the backup")

    def work(self, **options: Any) -> dict[str, Any]:
        folder: Path = options["dir"].absolute()
        manifest = restore_backup(folder)
        return {
            "path": str(folder),
            "created_at": manifest.created_at,
            "tables": {table.table: table.rows for table in manifest.tables},
            "files": len(manifest.files),
            "beside": [
                place_on_site(file.path).name
                for file in manifest.files
                if is_laid_beside(file.path)
            ],
            "elsewhere": list(manifest.elsewhere),
        }

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        rows = sum(result["tables"].values())
        yield (
            f"restored {rows:,} rows and {result['files']:,} files of {result['created_at']}; "
            "every table matches the backup"
        )
        yield "all sessions were ended, unfinished jobs cancelled and webhooks switched off"
        yield from (f"read it before you use the site: {name}" for name in result["beside"])
        yield from (f"not included, copy it yourself: {each}" for each in result["elsewhere"])
