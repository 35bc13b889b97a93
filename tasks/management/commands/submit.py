from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from tasks.evaluations.queries.leaderboard import (
    leaderboard_json,
    shown_leaderboard,
    usual_split_of,
)
from tasks.evaluations.workflow.submissions import MAX_BYTES, SubmissionError, submit_predictions
from tasks.management.command import TomahtoCommand, release_named
from tasks.management.waiting import follow
from tomahto.interchange.campaigns.predictions import FORMATS
from tomahto.interchange.reading.input_file import InputFile


class Command(TomahtoCommand):
    help = "Submit one system's predictions to the leaderboard of a release."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("release_version", metavar="VERSION")
        parser.add_argument("file", type=Path)
        parser.add_argument("--system", required=True, metavar="NAME")
        parser.add_argument("--description", default="", metavar="TEXT", help="in one line")
        parser.add_argument(
            "--split", metavar="NAME", help="default test if it exists, else everything: *"
        )
        parser.add_argument("--format", choices=FORMATS)
        parser.add_argument("--wait", action="store_true", help="until it is scored")

    def work(self, **options: Any) -> Mapping[str, Any]:
        release = release_named(options["slug"], options["release_version"])
        file = InputFile.at(options["file"])
        with file.open(MAX_BYTES):
            content = file.path.read_bytes()
        try:
            submission = submit_predictions(
                release=release,
                name=options["system"],
                description=options["description"],
                content=content,
                file_name=file.name,
                format=options["format"],
                split=options["split"] or usual_split_of(release),
            )
        except SubmissionError as error:
            option = {"name": "--system: ", "file": f"{file.name}: "}
            place = option.get(error.field, f"--{error.field}: " if error.field else "")
            raise CommandError(f"{place}{error}") from error
        follow(submission.job, wait=options["wait"])
        shown = leaderboard_json(shown_leaderboard(release, submission.split))
        return {
            **next(row for row in shown["rows"] if row["id"] == submission.pk),
            **{name: shown[name] for name in ("release", "split", "questions")},
            "job": submission.job_id,
        }
