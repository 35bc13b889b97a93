"""manage.py import_suggestions SLUG FILE --matcher NAME [--range LOW,HIGH] [--threshold X]"""

from argparse import ArgumentParser

from tasks.management.evaluation.options import finite_number, score_range
from tasks.management.imports import ImportCommand


class Command(ImportCommand):
    help = (
        "Import the scores that a matcher elsewhere gave to items that are there, all or nothing."
    )
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
            help="what the scores go from and to, as in 1,5; default 0,1",
        )
        parser.add_argument(
            "--threshold",
            type=finite_number,
            metavar="X",
            help="from which score an answer is accepted, where the file does not say; default "
            "the middle of the range",
        )
