from argparse import ArgumentParser

from tasks.management.imports import ImportCommand


class Command(ImportCommand):
    help = "Import one system's answers and make items of them, all or nothing."
    kind = "predictions"

    def arguments(self, parser: ArgumentParser) -> None:
        super().arguments(parser)
        parser.add_argument("--system", required=True, metavar="NAME")
        parser.add_argument(
            "--overlap", type=int, metavar="K", help="ratings for each of this system's items"
        )
        parser.add_argument(
            "--rate-exact",
            dest="rates_exact",
            action="store_true",
            help="also make items of answers that match a reference exactly",
        )
