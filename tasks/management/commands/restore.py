"""manage.py restore DIR [--json]"""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings

from tasks.backup.files import is_laid_beside, place_on_site
from tasks.backup.restoring import restore_backup
from tasks.backup.scheduled.archive import unpacked
from tasks.management.command import TomahtoCommand
from tasks.storing.resealing import sealed_now


class Command(TomahtoCommand):
    help = "Fill a new, migrated database and the data folder from a backup."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("dir", type=Path, help="the folder of the backup, or the file")

    def work(self, **options: Any) -> dict[str, Any]:
        folder: Path = options["dir"].absolute()
        with unpacked(folder, Path(settings.DATA_DIR), settings.BACKUP_KEY) as restored:
            manifest = restore_backup(restored)
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
            "lost": [lost.place for lost in sealed_now().lost],
        }

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        rows = sum(result["tables"].values())
        yield (
            f"restored {rows:,} rows and {result['files']:,} files of {result['created_at']}; "
            "every table is as the backup says"
        )
        yield "sessions are ended, unfinished jobs cancelled and webhooks switched off"
        if result["lost"]:
            yield (
                f"{len(result['lost']):,} secrets cannot be read with this site's secret key: name "
                "that of the old site in TOMAHTO_SECRET_KEY_FALLBACKS and run rotate_secrets, or "
                f"set them anew: {', '.join(result['lost'])}"
            )
        yield from (f"read it before you take it into use: {name}" for name in result["beside"])
        yield from (f"not in it, bring it there yourself: {each}" for each in result["elsewhere"])
