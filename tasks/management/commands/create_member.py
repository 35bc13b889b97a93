"""manage.py create_member USERNAME --campaign SLUG --role rater"""

from argparse import ArgumentParser
from typing import Any

from tasks.management.command import TomahtoCommand, campaign_named
from tasks.models import Role
from tasks.workflow.campaign import create_member


class Command(TomahtoCommand):
    help = "Create an account in a campaign; prints its password and token, this once."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument("--role", required=True, choices=Role.values)

    def work(self, **options: Any) -> dict[str, Any]:
        password, token = create_member(
            campaign=campaign_named(options["campaign"]),
            username=options["username"],
            role=options["role"],
        )
        return {"username": options["username"], "password": password, "token": token}
