from argparse import ArgumentParser, ArgumentTypeError

from tasks.management.imports import ImportCommand
from tomahto.interchange.reading.records import MAX_SPLIT_NAME
from tomahto.releases.dataset.choices import SplitError, check_split_name


class Command(ImportCommand):
    help = "Import questions with their passages and references, all or nothing."
    kind = "questions"

    def arguments(self, parser: ArgumentParser) -> None:
        super().arguments(parser)
        parser.add_argument(
            "--split", type=_split_name, help="the split of the whole file in its source"
        )


def _split_name(text: str) -> str:
    try:
        check_split_name(text)
    except SplitError as error:
        raise ArgumentTypeError(str(error)) from None
    if len(text) > MAX_SPLIT_NAME:
        raise ArgumentTypeError(f"a split name has at most {MAX_SPLIT_NAME} characters")
    return text
