from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tasks.management.command import TomahtoCommand, campaign_named, output_file
from tasks.rating.workflow.exports import export_ratings


class Command(TomahtoCommand):
    help = (
        "Write a campaign's current ratings, one JSON line each, under pseudonyms: the item's "
        "fields, rater, label, answers. `import_ratings` reads them back."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--out", required=True, type=Path, metavar="FILE")
        parser.add_argument(
            "--with-comments", action="store_true", help="include the raters' comments"
        )

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        count = 0
        with output_file(options["out"]) as file:
            lines = export_ratings(campaign=campaign, with_comments=options["with_comments"])
            for line in self.counted(lines, "ratings"):
                file.write(line)
                count += 1
        return {"ratings": count, "path": str(options["out"])}

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        yield "{ratings:,} ratings written to {path}".format(**result)
