from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from exporters.hub.upload import upload_to_hub
from tasks.management.command import TomahtoCommand


class Command(TomahtoCommand):
    help = "Upload a release folder to the Hugging Face hub as a dataset repository."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR")
        parser.add_argument("--repo", required=True, metavar="OWNER/NAME", help="made if missing")
        parser.add_argument("--private", action="store_true", help="make the repository private")
        parser.add_argument(
            "--endpoint", metavar="URL", help="address of the hub; default HF_ENDPOINT"
        )

    def work(self, **options: Any) -> dict[str, Any]:
        uploaded = upload_to_hub(
            options["folder"],
            options["repo"],
            is_private=options["private"],
            endpoint=options["endpoint"],
        )
        return uploaded.as_json()

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        has = "has now" if result["is_new"] else "had already"
        yield (
            f"{result['url']} {has} version {result['tag']}: {result['files']} files, "
            f"{result['bytes']:,} bytes"
        )
