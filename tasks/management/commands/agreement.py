"""manage.py agreement SLUG"""

from argparse import ArgumentParser
from typing import Any

from tasks.management.command import TomahtoCommand, campaign_named
from tasks.queries.agreement import agreement_of


class Command(TomahtoCommand):
    help = "How far the raters of a campaign agree."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")

    def work(self, **options: Any) -> dict[str, Any]:
        return agreement_of(campaign_named(options["slug"])).as_json()
