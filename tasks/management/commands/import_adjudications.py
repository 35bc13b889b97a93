"""manage.py import_adjudications SLUG FILE [--format jsonl|csv]"""

from argparse import ArgumentParser
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from tasks.intake.workflow.adjudications import import_adjudications
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.storing.batches import Reread
from tomahto.interchange.campaigns.adjudications import read_adjudications


class Command(TomahtoCommand):
    help = "Import adjudicators' decisions on items that are there, all or nothing."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=["jsonl", "csv"])

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        read = partial(
            read_adjudications,
            options["file"],
            format=options["format"],
            question_keys=campaign.annotation_protocol.question_keys,
        )
        rows = self.counted(Reread(read), "decisions")
        return asdict(import_adjudications(campaign=campaign, rows=rows))
