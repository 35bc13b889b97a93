"""manage.py import_predictions SLUG FILE --system NAME [--overlap K] [--format squad|jsonl|csv]"""

from argparse import ArgumentParser
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from tasks.intake.workflow.candidates import import_predictions
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.storing.batches import Reread
from tomahto.interchange.campaigns.predictions import read_predictions


class Command(TomahtoCommand):
    help = "Import one system's answers and make items of them, all or nothing."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)
        parser.add_argument("--system", required=True, metavar="NAME")
        parser.add_argument(
            "--overlap", type=int, metavar="K", help="ratings for each of this system's items"
        )
        parser.add_argument("--format", choices=["squad", "jsonl", "csv"])

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        records = Reread(partial(read_predictions, options["file"], format=options["format"]))
        intake = import_predictions(
            campaign=campaign,
            system=options["system"],
            overlap=options["overlap"],
            records=self.counted(records, "predictions"),
        )
        return asdict(intake)
