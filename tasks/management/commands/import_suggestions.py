from argparse import ArgumentParser

from tasks.management.evaluation.options import finite_number, score_range
from tasks.management.imports import ImportCommand


class Command(ImportCommand):
    help = "Import the scores that another program's matcher gave existing items, all or nothing."
    kind = "suggestions"

    def arguments(self, parser: ArgumentParser) -> None:
        super().arguments(parser)
        parser.add_argument(
            "--matcher", required=True, metavar="NAME", help="whose scores they are"
        )
        parser.add_argument(
            "--range",
            type=score_range,
            default=(0.0, 1.0),
            metavar="LOW,HIGH",
            help="lowest and highest possible score, such as 1,5; default 0,1",
        )
        parser.add_argument(
            "--threshold",
            type=finite_number,
            metavar="X",
            help="threshold at which an answer is accepted, unless the file says; default the "
            "middle of the range",
        )
