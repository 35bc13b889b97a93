"""manage.py import_ratings SLUG FILE [--format ae|jsonl|csv]"""

from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tasks.importers.ratings import read_ratings
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.workflow.rating_import import import_ratings


class Command(TomahtoCommand):
    help = "Import ratings, and the items they bring along, all or nothing."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=["ae", "jsonl", "csv"])

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        rows = read_ratings(
            options["file"],
            format=options["format"],
            question_keys=campaign.annotation_protocol.question_keys,
        )
        return asdict(import_ratings(campaign=campaign, rows=self.counted(rows, "ratings")))
