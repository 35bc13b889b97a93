"""manage.py import_questions SLUG FILE [--format NAME] [--split NAME]"""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Mapping
from typing import Any

from tasks.management.imports import ImportCommand
from tomahto.interchange.reading.limits import MAX_SPLIT_NAME
from tomahto.releases.dataset.split_spec import SplitError, check_split_name

_SHOWN = 3


class Command(ImportCommand):
    help = "Import questions with their passages and references, all or nothing."
    kind = "questions"

    def arguments(self, parser: ArgumentParser) -> None:
        super().arguments(parser)
        parser.add_argument(
            "--split", type=_split_name, help="the split that the source has the whole file in"
        )

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        """Of skipped questions the reasons, not every record: a file may hold thousands."""
        counts = {key: result[key] for key in result if not key.startswith("skipped")}
        reasons = result["skipped_by_reason"]
        yield from super().describe(counts | {"skipped": sum(reasons.values())})
        for reason, count in reasons.items():
            named = [
                skipped["id"] or f"line {skipped['line']}"
                for skipped in result["skipped"]
                if skipped["reason"] == reason
            ][:_SHOWN]
            more = ", …" if count > len(named) else ""
            yield f"  {reason}: {count:,} ({', '.join(named)}{more})"


def _split_name(text: str) -> str:
    try:
        check_split_name(text)
    except SplitError as error:
        raise ArgumentTypeError(str(error)) from None
    if len(text) > MAX_SPLIT_NAME:
        raise ArgumentTypeError(f"a split name has at most {MAX_SPLIT_NAME} characters")
    return text
