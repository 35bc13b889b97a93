from argparse import ArgumentParser
from typing import Any

from tasks.agreement.figures.figures import FIGURES, require_narrowed
from tasks.management.command import TomahtoCommand, add_narrowing, narrowed_campaign


class Command(TomahtoCommand):
    help = "Compute the current figures of one of a campaign's dashboards."

    def arguments(self, parser: ArgumentParser) -> None:
        add_narrowing(parser)
        parser.add_argument("name", choices=sorted(FIGURES))

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = narrowed_campaign(options)
        require_narrowed(campaign, options["name"])
        return FIGURES[options["name"]](campaign)
