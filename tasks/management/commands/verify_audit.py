"""manage.py verify_audit [--head HASH]"""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from tasks.management.command import TomahtoCommand
from tasks.queries.audit import check_chain


class Command(TomahtoCommand):
    help = "Check the chain of the audit log; exit code 1 if anything is off."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--head",
            default="",
            metavar="HASH",
            help="a head that was printed before: the chain must still contain it",
        )

    def work(self, **options: Any) -> dict[str, Any]:
        chain = check_chain(known_head=options["head"].strip().lower())
        return {
            "ok": not chain.fault,
            "entries": chain.entries,
            "head": chain.head,
            "since_known": chain.since_known,
            "fault": chain.fault,
        }

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        holds = f"{result['entries']:,} entries, head {result['head']}"
        if not result["ok"]:
            yield result["fault"]
            yield f"up to there the chain holds: {holds}"
            return
        yield holds
        if result["since_known"] is not None:
            yield f"{result['since_known']:,} of them since the known head"

    def is_failure(self, result: Mapping[str, Any]) -> bool:
        return not result["ok"]
