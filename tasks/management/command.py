"""Common to every command of Tomahto: `--json`, one clear line for a wrong input, a file that is
written whole or not at all, figures of a part of the ratings."""

import json
import os
import secrets
import sys
import time
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO, TypeVar

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser, no_translations

from tasks.models import Campaign, Release
from tasks.storing.acts import acting, operating_system_actor
from tasks.storing.database import Reread
from tasks.votes.ratings import PARAMETERS, narrowing_of

_BYTES_AT_ONCE = 1 << 18  # that are written
_Record = TypeVar("_Record")


class IntermixedParser(CommandParser):
    """Takes files and options in any order, as `train_feather A --out F B`; what follows `--` are
    files."""

    _is_within = False

    def parse_known_args(self, args: Iterable[str] | None = None, namespace: Any = None) -> Any:
        words = sys.argv[1:] if args is None else list(args)
        if self._is_within or self._subparsers is not None or "--" in words:
            return super().parse_known_args(words, namespace)
        self._is_within = True  # it calls this method for options, then for what is left
        try:
            return self.parse_known_intermixed_args(words, namespace)
        finally:
            self._is_within = False


class TomahtoCommand(BaseCommand):
    """A command whose `work` returns a JSON-able result.

    The errors listed in `refusals` end it with exit code 1 and one line on stderr. With `--json`
    stdout holds exactly one JSON document, the result; without it, what `describe` says of it.
    A result that `is_failure` is printed and then ends the command with exit code 1.
    """

    refusals: tuple[type[Exception], ...] = (ValueError, LookupError, OSError)
    requires_system_checks: list[str] = []
    progress_seconds = 2.0

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.__class__ = IntermixedParser  # Django makes it, and lets nobody choose its class
        self.arguments(parser)
        add_json_option(parser)

    def arguments(self, parser: ArgumentParser) -> None:
        """Declare the command's own arguments."""

    def work(self, **options: Any) -> Mapping[str, Any]:
        """Do it and return the result."""
        raise NotImplementedError(f"{type(self).__module__} does nothing")

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        """The lines a person reads."""
        for key, value in result.items():
            plain = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            yield f"{key.replace('_', ' ')}: {plain}"

    def is_failure(self, result: Mapping[str, Any]) -> bool:  # noqa: ARG002 - for the commands
        """Whether the command must exit non-zero although it has a result to show."""
        return False

    def counted(self, records: Iterable[_Record], what: str) -> Iterable[_Record]:
        """The records, while stderr is told every few seconds how many have been read.

        They can be read as often as those that were given.
        """
        if isinstance(records, Iterator):
            return self._counted(records, what)
        return Reread(lambda: self._counted(records, what))

    def _counted(self, records: Iterable[_Record], what: str) -> Iterator[_Record]:
        told = time.monotonic()
        for count, record in enumerate(records, start=1):
            yield record
            if time.monotonic() - told >= self.progress_seconds:
                told = time.monotonic()
                print_line(f"{count:,} {what}")

    @no_translations
    def handle(self, *_args: Any, **options: Any) -> None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # as JSON is, whatever the locale says
        via = f"manage.py {type(self).__module__.rpartition('.')[2]}"
        try:
            with acting(lambda: operating_system_actor(via)):
                result = self.work(**options)
        except ValidationError as error:
            by_field = error.message_dict.items() if hasattr(error, "message_dict") else ()
            faults = [f"{field}: {' '.join(texts)}" for field, texts in by_field]
            raise CommandError("; ".join(faults) or " ".join(error.messages)) from error
        except self.refusals as error:
            text = str(error)
            if isinstance(error, OSError) and error.filename and error.strerror:
                text = f"{error.filename}: {error.strerror}"  # as errors inside files are told
            raise CommandError(" ".join(text.split())) from error
        if options["json"]:
            self.stdout.write(json.dumps(result, ensure_ascii=False))
        elif lines := list(self.describe(result)):
            self.stdout.write("\n".join(lines))
        if self.is_failure(result):
            raise SystemExit(1)


def add_json_option(parser: ArgumentParser, *, is_of_subcommand: bool = False) -> None:
    """Give a parser `--json`; a subcommand's must not take back one that stands before it."""
    default = SUPPRESS if is_of_subcommand else False
    parser.add_argument(
        "--json", action="store_true", default=default, help="print one JSON document"
    )


def print_line(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def campaign_named(slug: str) -> Campaign:
    """Not a deleted one. Raises CommandError, naming the campaigns there are."""
    campaigns = Campaign.objects.filter(deleted_at=None)
    try:
        return campaigns.select_related("guideline").get(slug=slug)
    except Campaign.DoesNotExist:
        known = ", ".join(campaigns.values_list("slug", flat=True)) or "none yet"
        raise CommandError(f"there is no campaign {slug!r}; known: {known}") from None


def release_named(slug: str, version: str) -> Release:
    """Raises CommandError, naming the campaigns or the versions there are."""
    releases = Release.objects.filter(campaign=campaign_named(slug))
    found = releases.select_related("campaign", "withdrawal").filter(version=version).first()
    if found is None:
        known = ", ".join(releases.values_list("version", flat=True)) or "none yet"
        raise CommandError(f"there is no release {version!r} of {slug}; known: {known}")
    return found


def add_narrowing(parser: ArgumentParser) -> None:
    parser.add_argument("slug")
    for name, text in PARAMETERS.items():
        parser.add_argument(f"--{name}", default="", help=text)


def narrowed_campaign(options: Mapping[str, Any]) -> Campaign:
    campaign = campaign_named(options["slug"])
    campaign.narrowed_to = narrowing_of(campaign, options)
    return campaign


@contextmanager
def output_file(path: Path) -> Iterator[TextIO]:
    """A text file that takes its name once all is on the disk; one of that name is replaced.

    Whatever fails, nothing of it stays and the earlier file is untouched. Raises CommandError if
    something other than a file has the name, and OSError if the disk refuses.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise CommandError(f"{path} exists but is not a regular file")
    partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}.partial")
    try:
        with partial.open("x", _BYTES_AT_ONCE, encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
