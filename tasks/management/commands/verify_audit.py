import json
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tasks.audit.queries import Anchor, check_chain, release_anchors, unlogged_campaigns
from tasks.management.command import TomahtoCommand
from tomahto.releases.records.fields import AuditHead, head_from_json, heads_in_text
from tomahto.releases.stored.manifest import MANIFEST


class Command(TomahtoCommand):
    help = (
        "Check the chain of the audit log against the heads in releases and against the "
        "campaigns; exit code 1 if anything is wrong."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--head",
            default="",
            metavar="HASH",
            help="a head printed earlier, which the chain must still contain",
        )
        parser.add_argument(
            "--anchor",
            action="append",
            default=[],
            metavar="FILE",
            help="a backup, a release, a mail or the JSON output of this command: the chain must "
            "still contain every head in it; or NUMBER:HASH",
        )

    def work(self, **options: Any) -> dict[str, Any]:
        given = [anchor for each in options["anchor"] for anchor in anchors_in(each)]
        of_releases, unreadable = release_anchors()
        chain = check_chain(
            known_head=options["head"].strip().lower(), anchors=[*of_releases, *given]
        )
        fault = chain.fault
        if not fault and (lost := unlogged_campaigns()):
            fault = (
                f"no entry records the creation of these campaigns: {', '.join(lost)}: the log was "
                "emptied, or its end was cut off"
            )
        return {
            "ok": not fault,
            "entries": chain.entries,
            "head": chain.head,
            "since_known": chain.since_known,
            "anchors": {"releases": len(of_releases), "given": len(given)},
            "anchored": chain.anchored,
            "unreadable": unreadable,
            "fault": fault,
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
        yield from _what_is_shown(result)

    def is_failure(self, result: Mapping[str, Any]) -> bool:
        return not result["ok"]


def anchors_in(given: str) -> Iterator[Anchor]:
    """The heads in a file or folder, or in the text itself. Raises ValueError if there is none."""
    place = Path(given)
    if heads := heads_in_text(given):
        yield from (Anchor("the given head", head) for head in heads)
        return
    file = place / MANIFEST if place.is_dir() else place
    heads = list(_heads_of(file.read_text(encoding="utf-8")))
    if not heads:
        raise ValueError(f"{given} names no head of the audit log")
    yield from (Anchor(given, head) for head in heads)


def _heads_of(text: str) -> Iterator[AuditHead]:
    """Of a manifest; else of every line that this command printed, and of all `NUMBER:HASH`."""
    try:
        head = head_from_json(json.loads(text))
    except ValueError:
        head = None
    if head:
        yield head
        return
    yield from heads_in_text(text)
    for line in text.splitlines():
        match _json(line):
            case {"entries": int(entries), "head": str(found)} if entries:
                yield AuditHead(entries, found)


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _what_is_shown(result: Mapping[str, Any]) -> Iterator[str]:
    releases, given = result["anchors"]["releases"], result["anchors"]["given"]
    if result["anchored"]:
        yield (
            f"compared with {releases:,} releases and {given:,} given heads: nothing up to entry "
            f"{result['anchored']:,} was changed or cut off since"
        )
    if result["entries"] > result["anchored"] and result["since_known"] != 0:
        yield (
            f"a rewrite or cut after entry {result['anchored']:,} could not be detected here: keep "
            "this head elsewhere"
        )
    yield from (f"its manifest cannot be read: {place}" for place in result["unreadable"])
