"""manage.py import_questions SLUG FILE [--format squad|jsonl|csv|nq-open] [--split NAME]"""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from tasks.intake.workflow.questions import import_questions
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.storing.batches import Reread
from tomahto.interchange.campaigns.questions import read_questions
from tomahto.interchange.reading.limits import MAX_SPLIT_NAME
from tomahto.releases.dataset.split_spec import SplitError, check_split_name

_SHOWN = 3


class Command(TomahtoCommand):
    help = "Import questions with their passages and references, all or nothing."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=["squad", "jsonl", "csv", "nq-open"])
        parser.add_argument(
            "--split", type=_split_name, help="the split that the source has the whole file in"
        )

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        records = Reread(
            partial(
                read_questions, options["file"], format=options["format"], split=options["split"]
            )
        )
        intake = import_questions(campaign=campaign, records=self.counted(records, "questions"))
        return asdict(intake)

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
