"""manage.py release SLUG --version X.Y.Z --split document:dev=30,test=70 --out DIR"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from tasks.management.command import TomahtoCommand, campaign_named
from tasks.management.evaluation.options import natural_number
from tasks.workflow.release import publish_release


class Command(TomahtoCommand):
    help = "Publish a release of a campaign as a folder of files."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        """`--version` is the release's here; Django's own would shadow it."""
        parser = super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)
        parser.add_argument("--version", required=True, metavar="X.Y.Z", dest="release_version")
        return parser

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--split", required=True, help="as in document:dev=30,test=70")
        parser.add_argument(
            "--seed",
            type=natural_number,
            help="of splits, ties and intervals; default the campaign's",
        )
        parser.add_argument("--out", required=True, type=Path, help="the folder to make")

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        release = publish_release(
            campaign=campaign,
            version=options["release_version"],
            split=options["split"],
            seed=campaign.seed if options["seed"] is None else options["seed"],
            out=options["out"],
        )
        return {
            "digest": release.digest,
            "path": release.path,
            "items": release.items,
            "ratings": release.ratings,
            "splits": release.splits,
        }
