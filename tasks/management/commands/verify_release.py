"""manage.py verify_release DIR"""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from exporters.verify import verify_release
from tasks.management.command import TomahtoCommand


class Command(TomahtoCommand):
    help = "Check a release folder against its manifest; exit code 1 if anything is off."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR")

    def work(self, **options: Any) -> dict[str, Any]:
        differences = verify_release(options["folder"])
        return {"path": str(options["folder"]), "ok": not differences, "differences": differences}

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        return result["differences"] or [f"{result['path']} is as it was released"]

    def is_failure(self, result: Mapping[str, Any]) -> bool:
        return not result["ok"]
