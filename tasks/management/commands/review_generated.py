from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError

from tasks.management.command import TomahtoCommand, campaign_named
from tasks.models import Campaign, Membership, Role
from tasks.prefill.queries.generated import SECOND_VERDICTS, Common, pending_ids
from tasks.prefill.workflow.generation import approve, reject
from tomahto.text.normalisation import plain_name


class Command(TomahtoCommand):
    help = "Approve or reject pending texts of models: all, or those with something in common."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("verdict", choices=("approve", "reject"))
        parser.add_argument(
            "--by", required=True, metavar="USERNAME", help="the admin who has reviewed them"
        )
        parser.add_argument("--target", default="", help="intended label, such as partial")
        parser.add_argument("--system", type=plain_name, default="", help="who wrote them")
        parser.add_argument("--question-type", default="", help="of the question")
        parser.add_argument(
            "--second-verdict",
            default="",
            choices=SECOND_VERDICTS,
            help="pairs by rule: the model's second verdict compared with its first",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="only count the texts, change nothing"
        )

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        admin = _admin(campaign, options["by"])
        common = Common(
            options["target"],
            options["system"],
            options["question_type"],
            options["second_verdict"],
        )
        ids = pending_ids(campaign, common)
        counted = {"texts": len(ids)}
        if options["dry_run"]:
            return counted
        if options["verdict"] == "reject":
            return counted | {"rejected": reject(campaign=campaign, ids=ids, by=admin)}
        return counted | asdict(approve(campaign=campaign, ids=ids, by=admin))


def _admin(campaign: Campaign, username: str) -> Membership:
    admins = Membership.objects.filter(campaign=campaign, role=Role.ADMIN, is_active=True)
    found = admins.filter(user__username=username).first()
    if found is None:
        raise CommandError(f"{username!r} is not an admin of {campaign.slug}")
    return found
