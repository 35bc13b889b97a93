from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.management.base import CommandError

from tasks.access.workflow import make_token
from tasks.campaigns.workflow.campaign import create_member
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.models import Campaign, Role, User
from tasks.people.queries import account_to_admit
from tasks.people.workflow.members import MemberRefused, admit


class Command(TomahtoCommand):
    help = (
        "Add a person to a campaign: with the account of that name, or with a new one, whose "
        "password and token are printed only now."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument("--role", required=True, choices=Role.values)
        parser.add_argument(
            "--token", action="store_true", help="make a token for an existing account, too"
        )

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["campaign"])
        username = User.normalize_username(options["username"])
        if User.objects.filter(username=username).exists():
            user = _admit(campaign, username, options["role"])
            token = make_token(user=user)[1] if options["token"] else None
            return {"username": username, "password": None, "token": token}
        password, token = create_member(campaign=campaign, username=username, role=options["role"])
        return {"username": username, "password": password, "token": token}

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        if result["password"] is not None:
            yield from super().describe(result)
            return
        yield (
            f"{result['username']} already had an account: it is now a member, its password is "
            "unchanged"
        )
        if result["token"] is not None:
            yield f"token: {result['token']}"


def _admit(campaign: Campaign, username: str, role: str) -> User:
    user = account_to_admit(username)
    if user is None:
        raise CommandError(
            f"the account {username!r} is deactivated or belongs to a visitor from a crowd service"
        )
    try:
        admit(campaign=campaign, user=user, role=role)
    except MemberRefused as refused:
        raise CommandError(refused.reason) from refused
    return user
