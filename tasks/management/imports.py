"""The common steps of commands that import a file into a campaign."""

import gc
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from tasks.intake.workflow.files import ImportFile, take_in
from tasks.intake.workflow.import_of import counts_of
from tasks.intake.workflow.suggestions import Scale
from tasks.management.command import TomahtoCommand, campaign_named
from tomahto.interchange.reading.rows import FieldMap
from tomahto.interchange.table import format_names, formats_of

_SHOWN: Final = 3


class ImportCommand(TomahtoCommand):
    """Imports a file of one `kind`; progress counts its records under the name of `records`."""

    kind: str
    records = ""

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("file", type=Path)
        parser.add_argument("--format", choices=format_names(self.kind))
        mapped = [each.name for each in formats_of(self.kind) if each.mapped]
        if mapped:
            parser.add_argument(
                "--map",
                action="append",
                default=[],
                metavar="FIELD=PLACE",
                help=f"place of a field in a file of {' or '.join(mapped)}, as in question=data.q; "
                "may be repeated; see docs/formats.md",
            )

    def work(self, **options: Any) -> dict[str, Any]:
        gc.freeze()  # what is loaded stays: to look at it again and again takes a tenth of the time
        low, high = options.get("range", (0.0, 1.0))
        file = ImportFile(
            options["file"],
            None,
            options["format"],
            options.get("system", ""),
            options.get("overlap"),
            options.get("split"),
            FieldMap.of(
                options.get("map", ()),
                options.get("label", ()),
                options.get("rater"),
                takes_newest=options.get("takes_newest", False),
            ),
            options.get("matcher", ""),
            Scale(low, high, options.get("threshold")),
            rates_exact=options.get("rates_exact", False),
        )
        return take_in(
            campaign=campaign_named(options["slug"]),
            kind=self.kind,
            file=file,
            watched=lambda records: self.counted(records, self.records or self.kind),
        )

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        """Of skipped records the reasons, not each: a file may hold thousands."""
        yield from super().describe(counts_of(result))
        for reason, count in result.get("skipped_by_reason", {}).items():
            named = [
                skipped["id"] or f"line {skipped['line']}"
                for skipped in result["skipped"]
                if skipped["reason"] == reason
            ][:_SHOWN]
            more = ", …" if count > len(named) else ""
            yield f"  {reason}: {count:,} ({', '.join(named)}{more})"
