from argparse import ArgumentParser
from typing import Any

from tasks.management.command import TomahtoCommand, release_named
from tasks.releases.workflow.listing import withdraw_release


class Command(TomahtoCommand):
    help = (
        "Withdraw a release for good: its page stays and gives the reason, its files are no "
        "longer available."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("release_version", metavar="VERSION")
        parser.add_argument(
            "--reason", required=True, help="reason, for everybody who has the release"
        )

    def work(self, **options: Any) -> dict[str, Any]:
        release = release_named(options["slug"], options["release_version"])
        withdrawal = withdraw_release(release=release, reason=options["reason"])
        return {
            "campaign": release.campaign.slug,
            "version": release.version,
            "digest": release.digest,
            "reason": withdrawal.reason,
            "withdrawn_at": withdrawal.created_at.isoformat(),
        }
