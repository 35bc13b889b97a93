from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tasks.management.command import TomahtoCommand
from tomahto.releases.stored.manifest import SIGNATURE
from tomahto.releases.stored.signature import signature_differences
from tomahto.releases.verification.verify import split_promise, verify_release


class Command(TomahtoCommand):
    help = "Check a release folder against its manifest; exit code 1 if anything is wrong."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR")
        parser.add_argument(
            "--public-key",
            type=Path,
            metavar="FILE",
            help="require a signature by one of these OpenSSH keys",
        )

    def work(self, **options: Any) -> dict[str, Any]:
        folder, public_key = options["folder"], options["public_key"]
        signature = signature_differences(folder, public_key) if public_key else []
        differences = [*verify_release(folder), *signature]
        is_signed = (folder / SIGNATURE).is_file()
        return {
            "path": str(folder),
            "ok": not differences,
            "differences": differences,
            "splits": None if differences else split_promise(folder),
            "signature": _signature(is_signed, is_checked=bool(public_key), is_good=not signature),
        }

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        return result["differences"] or [
            f"{result['path']} is as it was released; {result['splits']}; {result['signature']}"
        ]

    def is_failure(self, result: Mapping[str, Any]) -> bool:
        return not result["ok"]


def _signature(is_signed: bool, *, is_checked: bool, is_good: bool) -> str:
    if not is_signed:
        return "not signed"
    if not is_checked:
        return "signed, but the signer was not checked: add --public-key FILE"
    return "signed with the key" if is_good else "not signed with the key"
