from argparse import ArgumentParser

from tasks.management.imports import ImportCommand


class Command(ImportCommand):
    help = "Import ratings and their items, all or nothing."
    kind = "ratings"

    def arguments(self, parser: ArgumentParser) -> None:
        super().arguments(parser)
        parser.add_argument(
            "--label",
            action="append",
            default=[],
            metavar="CHOICE=LABEL",
            help="label here for a choice of the file; may be repeated",
        )
        parser.add_argument("--rater", metavar="NAME", help="rater of all ratings in the file")
        parser.add_argument(
            "--newest",
            dest="takes_newest",
            action="store_true",
            help="keep only the newest of several annotations of a task by one rater",
        )
