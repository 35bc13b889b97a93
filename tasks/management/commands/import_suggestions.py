"""manage.py import_suggestions SLUG FILE --matcher NAME [--range LOW,HIGH] [--threshold X]"""

from argparse import ArgumentParser, ArgumentTypeError

from tasks.management.evaluation.options import finite_number
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
            type=_range,
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


def _range(text: str) -> tuple[float, float]:
    low, comma, high = text.partition(",")
    if not comma or not finite_number(low) < finite_number(high):
        raise ArgumentTypeError(f"{text!r} is no range such as 1,5")
    return finite_number(low), finite_number(high)
