"""manage.py import_items SLUG FILE [--format ae|jsonl|csv|label-studio|doccano]"""

from argparse import ArgumentParser
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from tasks.intake.workflow.items import import_items
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.management.foreign_fields import add_map_option
from tasks.storing.batches import Reread
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.reading.field_map import FieldMap


class Command(TomahtoCommand):
    help = "Import ready-made items, all or nothing."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=["ae", "jsonl", "csv", "label-studio", "doccano"])
        add_map_option(parser)

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        read = partial(
            read_items,
            options["file"],
            format=options["format"],
            question_keys=campaign.annotation_protocol.question_keys,
            fields=FieldMap.of(options["map"]),
        )
        rows = self.counted(Reread(read), "items")
        return asdict(import_items(campaign=campaign, rows=rows))
