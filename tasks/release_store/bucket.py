"""One bucket of an S3-compatible store.

boto3 finds endpoint, region and credentials where it always does: in the AWS variables of the
environment, in AWS's files, or from the machine it runs on.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError

from tasks.release_store.files import NoSuchFile, Opened, StoreError

_CONFIG = Config(
    connect_timeout=3,  # seconds: somebody waits for a page
    read_timeout=20,
    retries={"mode": "standard", "total_max_attempts": 3},
    # many stores do not know the checksums that newer clients add unasked
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)
_MISSING = {"404", "NoSuchKey"}
# a HEAD has no body to say more in than its status
_REFUSALS = {"403", "AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken"}


@cache
def client() -> Any:
    """Made by the first who asks, in each process: connections do not survive a fork."""
    return boto3.session.Session().client("s3", config=_CONFIG)


@dataclass(frozen=True, slots=True)
class Bucket:
    """Every call it takes; whatever goes wrong is a StoreError."""

    name: str

    def sizes(self, prefix: str) -> dict[str, int]:
        """The size in bytes of every object whose key begins so, by key."""
        with self._told():
            pages = client().get_paginator("list_objects_v2")
            found = pages.paginate(Bucket=self.name, Prefix=prefix)
            objects = (each for page in found for each in page.get("Contents", ()))
            return {each["Key"]: each["Size"] for each in objects}

    def size(self, key: str) -> int:
        """In bytes. Raises NoSuchFile."""
        with self._told(key):
            return int(client().head_object(Bucket=self.name, Key=key)["ContentLength"])

    def open(self, key: str, part: range | None = None) -> Opened:
        """Raises NoSuchFile."""
        wanted = {"Range": f"bytes={part.start}-{part.stop - 1}"} if part else {}
        with self._told(key):
            answer = client().get_object(Bucket=self.name, Key=key, **wanted)
        return _Body(answer["Body"], self)

    def put(self, key: str, path: Path) -> None:
        """Store a file. The object appears when all of it is there; large ones go in parts."""
        with self._told(key), path.open("rb") as file:
            client().upload_fileobj(file, self.name, key)

    def delete(self, keys: Iterable[str]) -> None:
        """In this order."""
        with self._told():
            for key in keys:
                client().delete_object(Bucket=self.name, Key=key)

    @contextmanager
    def _told(self, key: str = "") -> Iterator[None]:
        try:
            yield
        except ClientError as error:
            code = str(error.response.get("Error", {}).get("Code", ""))
            if code in _MISSING:
                raise NoSuchFile(key) from error
            raise StoreError(f"{self._name()}: {_refusal(code, error)}") from error
        except NoCredentialsError as error:
            raise StoreError(
                f"{self._name()}: there are no credentials; "
                "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
            ) from error
        except BotoCoreError as error:
            raise StoreError(f"{self._name()}: {_one_line(error)}") from error

    def _name(self) -> str:
        return f"the store of releases s3://{self.name}"


class _Body:
    """An object as it comes over the network, straight from the store."""

    def __init__(self, body: Any, bucket: Bucket) -> None:
        self._body, self._bucket = body, bucket

    def read(self, size: int = -1, /) -> bytes:
        with self._bucket._told():
            return bytes(self._body.read(None if size < 0 else size))

    def close(self) -> None:
        self._body.close()


def _refusal(code: str, error: ClientError) -> str:
    said = _one_line(error)
    if code == "NoSuchBucket":
        return "there is no such bucket"
    return f"the credentials are refused: {said}" if code in _REFUSALS else said


def _one_line(error: Exception) -> str:
    return re.sub(r"\s+", " ", str(error)).strip()
