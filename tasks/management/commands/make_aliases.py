import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from tasks.management.command import TomahtoCommand, output_file
from tomahto.interchange.judgements.pairs import read_other_names
from tomahto.matching.aliases import merge_entities


class Command(TomahtoCommand):
    help = "Make the table of aliases for matchers with +aliases (docs/matchers.md)."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files",
            nargs="+",
            type=Path,
            metavar="FILE",
            help="expanded sets as CFMatch published them, whose candidates are lists of names, "
            'the original sets beside them, and tables of {"name", "aliases"}',
        )
        parser.add_argument("--out", required=True, type=Path, metavar="FILE")

    def work(self, **options: Any) -> dict[str, Any]:
        read = read_other_names(options["files"])
        merged = merge_entities(read.entities)
        if not merged.entities:
            raise ValueError("the files contain no aliases")
        with output_file(options["out"]) as file:
            for name, *aliases in merged.entities:
                line = json.dumps({"name": name, "aliases": aliases}, ensure_ascii=False)
                file.write(f"{line}\n")
        return {
            "entities": len(merged.entities),
            "aliases": sum(len(entity) - 1 for entity in merged.entities),
            "ambiguous_names": len(merged.ambiguous),
            "reference_lists_left_out": read.unparted,
            "path": str(options["out"]),
        }
