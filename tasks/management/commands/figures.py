"""manage.py figures SLUG NAME"""

from argparse import ArgumentParser
from typing import Any

from tasks.agreement.figures.figures import FIGURES
from tasks.management.command import TomahtoCommand, campaign_named


class Command(TomahtoCommand):
    help = "The figures of one of a campaign's dashboards, as they are at this moment."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("name", choices=sorted(FIGURES))

    def work(self, **options: Any) -> dict[str, Any]:
        return FIGURES[options["name"]](campaign_named(options["slug"]))
