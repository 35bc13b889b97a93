"""A private S3-compatible store, for tests that need one they may break: rclone serves it."""

import os
import socket
from collections.abc import Sequence
from pathlib import Path

from bootstrap import programs
from bootstrap.services import PrivateServer, private_file


class PrivateObjectStore(PrivateServer):
    """An S3-compatible store with one empty bucket, which keeps objects as files in its folder.

    `access_key` is its one access key, `password` the secret. `program` is an rclone; by default
    programs.find_rclone() says.
    """

    name = "rclone"
    access_key = "tomahto"

    def __init__(self, *, program: Path | None = None, bucket: str = "releases") -> None:
        super().__init__()
        self.program = program or programs.find_rclone()
        self.bucket = bucket
        # not an argument, which everybody could see
        self.environment = {**os.environ, "RCLONE_AUTH_KEY": f'"{self.access_key},{self.password}"'}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def objects(self) -> Path:
        """The folder whose files are the bucket's objects."""
        return self.folder / "buckets" / self.bucket

    def variables(self) -> dict[str, str]:
        """What a client of S3 reads from its environment, and of nothing else on this machine."""
        nothing = str(self.folder / "none")
        return {
            "AWS_CONFIG_FILE": nothing,
            "AWS_SHARED_CREDENTIALS_FILE": nothing,
            "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_ACCESS_KEY_ID": self.access_key,
            "AWS_SECRET_ACCESS_KEY": self.password,
            "AWS_ENDPOINT_URL_S3": self.url,
        }

    def _prepare(self) -> None:
        self.objects.mkdir(parents=True)
        private_file(self.folder / "rclone.conf", "[buckets]\ntype = local\n")

    def _command(self) -> Sequence[str]:
        return [
            *(str(self.program), "serve", "s3", f"buckets:{self.folder / 'buckets'}"),
            *("--config", str(self.folder / "rclone.conf")),
            *("--addr", f"127.0.0.1:{self.port}"),
            *("--dir-cache-time", "1ms"),  # a test may change objects behind its back
        ]

    def _is_ready(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
                return connection.recv(5) == b"HTTP/"
        except OSError:
            return False
