"""manage.py create_member USERNAME --campaign SLUG --role rater [--token]"""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.management.base import CommandError

from tasks.access.workflow.tokens import make_token
from tasks.campaigns.workflow.campaign import create_member
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.models import Campaign, Role, User
from tasks.people.queries.members import account_to_admit
from tasks.people.workflow.members import MemberRefused, admit


class Command(TomahtoCommand):
    help = (
        "Add a person to a campaign: with a new account, whose password and token are printed, "
        "this once, or with the account of that name."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--campaign", required=True, metavar="SLUG")
        parser.add_argument("--role", required=True, choices=Role.values)
        parser.add_argument(
            "--token", action="store_true", help="make one for an account that is there, too"
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
        yield f"{result['username']} had an account: it is a member now, its password is as it was"
        if result["token"] is not None:
            yield f"token: {result['token']}"


def _admit(campaign: Campaign, username: str, role: str) -> User:
    user = account_to_admit(username)
    if user is None:
        raise CommandError(
            f"the account {username!r} is deactivated, or of a visitor of a crowd service"
        )
    try:
        admit(campaign=campaign, user=user, role=role)
    except MemberRefused as refused:
        raise CommandError(refused.reason) from refused
    return user
