from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from tasks.management.command import TomahtoCommand
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.manifest import SIGNATURE
from tomahto.releases.stored.signature import add_signature, signer
from tomahto.releases.verification.verify import verify_release


class Command(TomahtoCommand):
    help = "Sign a release folder with your OpenSSH key; only the signature is added."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR")
        parser.add_argument(
            "--key",
            type=Path,
            required=True,
            metavar="FILE",
            help="a private key without passphrase, or the public half of one in your ssh-agent",
        )

    def work(self, **options: Any) -> dict[str, Any]:
        """Only what verifies is signed."""
        folder, sign = options["folder"], signer(options["key"])
        if differences := verify_release(folder):
            raise ReleaseError(f"not signed, because it is damaged: {differences[0]}")
        add_signature(folder, sign)
        return {"path": str(folder), "signature": str(folder / SIGNATURE)}
