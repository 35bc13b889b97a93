from argparse import ArgumentParser
from typing import Any

from tasks.campaigns.workflow.campaign import create_campaign
from tasks.management.command import TomahtoCommand
from tasks.models import SuggestionPolicy
from tasks.protocols import protocols


class Command(TomahtoCommand):
    help = "Create a campaign with the protocol's default guidelines."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="name in addresses: lower-case letters, digits, hyphens")
        parser.add_argument("--protocol", required=True, choices=list(protocols()))
        parser.add_argument("--overlap", required=True, type=int, help="ratings per item")
        parser.add_argument("--title", default="")
        parser.add_argument(
            "--suggestions", default=SuggestionPolicy.HIDDEN, choices=SuggestionPolicy.values
        )

    def work(self, **options: Any) -> dict[str, Any]:
        names = ("slug", "title", "protocol", "overlap", "suggestions")
        campaign = create_campaign(**{name: options[name] for name in names})
        return {name: getattr(campaign, name) for name in names}
