"""manage.py import_ratings SLUG FILE [--format NAME] [--map FIELD=PLACE] [--label CHOICE=LABEL]"""

from argparse import ArgumentParser

from tasks.management.imports import ImportCommand


class Command(ImportCommand):
    help = "Import ratings, and the items they bring along, all or nothing."
    kind = "ratings"

    def arguments(self, parser: ArgumentParser) -> None:
        super().arguments(parser)
        parser.add_argument(
            "--label",
            action="append",
            default=[],
            metavar="CHOICE=LABEL",
            help="what a choice of the file is here; as often as needed",
        )
        parser.add_argument("--rater", metavar="NAME", help="who gave all ratings of the file")
        parser.add_argument(
            "--newest",
            dest="takes_newest",
            action="store_true",
            help="of several annotations of a task by one rater take the newest",
        )
