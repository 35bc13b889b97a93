from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from tasks.access.workflow import TokenRefused, make_token
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.models import Scope, User


class Command(TomahtoCommand):
    help = "Make an API token for an account and print it, only now."
    refusals = (*TomahtoCommand.refusals, TokenRefused)

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--name", default="", help="what it is for")
        parser.add_argument("--campaign", metavar="SLUG", help="good in this campaign only")
        parser.add_argument(
            "--scope",
            dest="scopes",
            nargs="+",
            choices=Scope.values,
            default=Scope.values,
            help="scopes of the token; default all",
        )
        parser.add_argument("--days", type=int, help="days until the token expires; default never")

    def work(self, **options: Any) -> dict[str, Any]:
        name = User.normalize_username(options["username"])
        user = User.objects.filter(username=name, is_active=True).first()
        if user is None:
            raise CommandError(f"no active account {options['username']!r}")
        campaign = campaign_named(options["campaign"]) if options["campaign"] else None
        wanted = {name: options[name] for name in ("name", "scopes", "days")}
        token, key = make_token(user=user, campaign=campaign, **wanted)
        return {
            "token": key,
            "id": token.pk,
            "scopes": token.scopes,
            "campaign": options["campaign"],
            "expires_at": token.expires_at.isoformat() if token.expires_at else None,
        }
