"""manage.py rotate_secrets [--check] [--json]"""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from tasks.management.command import TomahtoCommand
from tasks.sealing.texts import named_key, present_head
from tasks.storing.resealing import reseal_all, sealed_now


class Command(TomahtoCommand):
    help = (
        "Seal every secret in the database with the present TOMAHTO_SECRET_KEY, reading with those "
        "of TOMAHTO_SECRET_KEY_FALLBACKS; exit code 1 if anything is left under another key."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only look; nothing is changed")

    def work(self, **options: Any) -> dict[str, Any]:
        done: Counter[str] = Counter() if options["check"] else reseal_all()
        now = sealed_now()
        return {
            "key": named_key(present_head()),
            "rotated": done.total(),
            "by_column": dict(done),
            "secrets": now.total,
            "present": now.present,
            "before": now.before,
            "lost": [{"place": lost.place, "key": lost.key} for lost in now.lost],
        }

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        for column, count in result["by_column"].items():
            yield f"{column}: {count:,} sealed anew"
        yield (
            f"{result['secrets']:,} secrets: {result['present']:,} under the present key "
            f"{result['key']}, {result['before']:,} under keys of before, "
            f"{len(result['lost']):,} that this site has no key for"
        )
        yield from (
            f"cannot be read: {lost['place']}, sealed with {_named(lost)}"
            for lost in result["lost"]
        )
        yield _what_to_do(result)

    def is_failure(self, result: Mapping[str, Any]) -> bool:
        return bool(result["before"] or result["lost"])


def _named(lost: Mapping[str, Any]) -> str:
    return f"the key {lost['key']}" if lost["key"] else "no key"


def _what_to_do(result: Mapping[str, Any]) -> str:
    if result["lost"]:
        return (
            "name the key that sealed them in TOMAHTO_SECRET_KEY_FALLBACKS and run this again, or "
            "set them anew: webhooks and alert channels on their pages, a second factor after a "
            "login with a recovery code"
        )
    if result["before"]:
        return "run this without --check, once every process has the present key"
    return "nothing needs a key of before: no secret is lost if TOMAHTO_SECRET_KEY_FALLBACKS goes"
