"""manage.py import_answers SLUG FILE [--format jsonl|csv]"""

from argparse import ArgumentParser
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from tasks.intake.workflow.answers import import_answers
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.storing.batches import Reread
from tomahto.interchange.campaigns.system_answers import read_answers


class Command(TomahtoCommand):
    help = "Import the table `answers` of a release, after its items, all or nothing."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=["jsonl", "csv"])

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        read = partial(read_answers, options["file"], format=options["format"])
        rows = self.counted(Reread(read), "answers")
        return asdict(import_answers(campaign=campaign, rows=rows))
