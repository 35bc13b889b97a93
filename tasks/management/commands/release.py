from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from exporters.planned_release import ReleasePlan
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.management.evaluation.options import natural_number
from tasks.management.training import add_options
from tasks.releases.workflow.release import publish_release
from tomahto.releases.dataset.choices import SYNTAX, Selection
from tomahto.releases.dataset.labels import LABEL_CHOICES
from tomahto.releases.formats.formats import FORMATS
from tomahto.releases.stored.signature import signer

_LEFT_OUT = {
    "without_controls": "leave out items that repeat a control item",
    "without_deactivated": "no ratings of deactivated raters",
    "guideline_versions": "only ratings under these versions of the guidelines",
    "consented_only": "only ratings of raters who have agreed to the consent text",
}


class Command(TomahtoCommand):
    help = "Publish a release of a campaign as a folder of files."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        """`--version` is the release's here; Django's own would shadow it."""
        parser = super().create_parser(prog_name, subcommand, conflict_handler="resolve", **kwargs)
        parser.add_argument("--version", required=True, metavar="X.Y.Z")
        return parser

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--split", required=True, help=f"as in {SYNTAX}; see docs/splits.md")
        parser.add_argument(
            "--seed",
            type=natural_number,
            help="seed of splits, ties and intervals; default the campaign's",
        )
        parser.add_argument(
            "--labels",
            choices=LABEL_CHOICES,
            default="majority",
            help="source of an item's label; adjudicated: the majority if nobody decided",
        )
        parser.add_argument(
            "--formats",
            type=lambda text: () if text == "none" else tuple(text.split(",")),
            metavar="NAME,…",
            help=f"additional formats: {', '.join(FORMATS)}, or none; default those that papers "
            "use and that suit the protocol; see docs/formats.md",
        )
        parser.add_argument("--comments", action="store_true", help="include the raters' comments")
        parser.add_argument(
            "--allow-personal-data",
            dest="personal_data_reason",
            default="",
            metavar="REASON",
            help="reason for releasing comments that may contain personal data",
        )
        add_options(parser.add_argument_group("what is left out"), Selection, _LEFT_OUT)
        parser.add_argument(
            "--require-datasheet",
            dest="requires_datasheet",
            action="store_true",
            help="refuse if the datasheet is incomplete",
        )
        parser.add_argument("--out", required=True, type=Path, help="the folder to make")
        parser.add_argument(
            "--sign-key", type=Path, metavar="FILE", help="sign it with this private OpenSSH key"
        )

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        key, seed = options["sign_key"], options["seed"]
        plan = ReleasePlan.of(options | {"seed": campaign.seed if seed is None else seed})
        release = publish_release(
            campaign=campaign,
            plan=plan,
            out=options["out"],
            note=lambda text: self.stderr.write(f"note: {text}"),
            sign=signer(key) if key else None,
        )
        names = ("digest", "path", "items", "ratings", "splits")
        return {name: getattr(release, name) for name in names}
