from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from tasks.campaigns.queries import restorable
from tasks.campaigns.workflow import lives
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.models import Campaign


class Command(TomahtoCommand):
    help = "Archive, reopen, delete or restore a campaign, or list the deleted ones."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["archive", "reopen", "delete", "restore", "deleted"])
        parser.add_argument("slug", nargs="?", default="")
        parser.add_argument("--confirm", default="", metavar="SLUG", help="required by delete")

    def work(self, **options: Any) -> dict[str, Any]:
        action, slug = options["action"], options["slug"]
        if action == "deleted":
            return {"deleted": [_deleted_as_json(campaign) for campaign in restorable()]}
        if action == "restore":
            found = restorable().filter(slug=slug).first()
            if found is None:
                raise LookupError(f"there is no deleted campaign {slug!r} to restore")
            campaign = found
            lives.restore(campaign=campaign)
        else:
            campaign = campaign_named(slug)
        if action == "archive":
            lives.archive(campaign=campaign)
        elif action == "reopen":
            lives.reopen(campaign=campaign)
        elif action == "delete":
            lives.delete_campaign(campaign=campaign, typed=options["confirm"])
        campaign.refresh_from_db()
        return {
            "campaign": campaign.slug,
            "state": campaign.state,
            "deleted_at": campaign.deleted_at and campaign.deleted_at.isoformat(),
        }

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        if "deleted" not in result:
            yield from super().describe(result)
            return
        for each in result["deleted"]:
            yield f"{each['campaign']}: kept until {each['kept_until']}"


def _deleted_as_json(campaign: Campaign) -> dict[str, Any]:
    # annotated by restorable
    until: str = campaign.kept_until.isoformat()  # type: ignore[attr-defined]  # annotated
    return {"campaign": campaign.slug, "title": campaign.title, "kept_until": until}
