"""manage.py sign_release DIR --key FILE"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from exporters.errors import ReleaseError
from exporters.manifest import SIGNATURE
from exporters.signature import add_signature, signer
from exporters.verify import verify_release
from tasks.management.command import TomahtoCommand


class Command(TomahtoCommand):
    help = "Sign a release folder with your OpenSSH key; nothing in it changes but the signature."

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
