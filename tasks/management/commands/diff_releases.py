"""manage.py diff_releases DIR1 DIR2"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from tasks.management.command import TomahtoCommand
from tomahto.releases.comparison.diff import diff_releases


class Command(TomahtoCommand):
    help = "What changed from one release to another, and whether the version number says so."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("old", type=Path, metavar="DIR1")
        parser.add_argument("new", type=Path, metavar="DIR2")

    def work(self, **options: Any) -> dict[str, Any]:
        return diff_releases(options["old"], options["new"]).as_json()
