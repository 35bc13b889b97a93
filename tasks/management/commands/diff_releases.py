from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from tasks.management.command import TomahtoCommand
from tomahto.releases.comparison.diff import diff_releases


class Command(TomahtoCommand):
    help = (
        "Show the changes from one release to another, and check the version number against them."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("old", type=Path, metavar="DIR1")
        parser.add_argument("new", type=Path, metavar="DIR2")

    def work(self, **options: Any) -> dict[str, Any]:
        return diff_releases(options["old"], options["new"]).as_json()
