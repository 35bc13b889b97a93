"""manage.py import_ratings SLUG FILE [--format ae|jsonl|csv|label-studio|doccano]"""

from argparse import ArgumentParser
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from tasks.intake.workflow.ratings import import_ratings
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.management.foreign_fields import add_map_option
from tasks.storing.batches import Reread
from tomahto.interchange.campaigns.ratings import read_ratings
from tomahto.interchange.reading.field_map import FieldMap


class Command(TomahtoCommand):
    help = "Import ratings, and the items they bring along, all or nothing."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=["ae", "jsonl", "csv", "label-studio", "doccano"])
        add_map_option(parser)
        parser.add_argument(
            "--label",
            action="append",
            default=[],
            metavar="CHOICE=LABEL",
            help="what a choice of the file is here; as often as needed",
        )
        parser.add_argument("--rater", metavar="NAME", help="who gave all ratings of the file")

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        read = partial(
            read_ratings,
            options["file"],
            format=options["format"],
            question_keys=campaign.annotation_protocol.question_keys,
            fields=FieldMap.of(options["map"], options["label"], options["rater"]),
        )
        return asdict(import_ratings(campaign=campaign, rows=self.counted(Reread(read), "ratings")))
