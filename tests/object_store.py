"""A real S3-compatible store for tests, and the site's releases in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from bootstrap.services import PrivateObjectStore
from tasks.release_store.bucket import client
from tasks.release_store.files import ObjectPlace


@contextmanager
def used(server: PrivateObjectStore, patch: pytest.MonkeyPatch) -> Iterator[ObjectPlace]:
    """A place of its own in the store, while this process has the store's credentials."""
    patch.delenv("AWS_PROFILE", raising=False)
    for name, value in server.variables().items():
        patch.setenv(name, value)
    client.cache_clear()
    yield place_for_tests(server)
    client.cache_clear()


def place_for_tests(server: PrivateObjectStore) -> ObjectPlace:
    """A place in the store that nobody has used."""
    return ObjectPlace(server.bucket, f"tests/{uuid4().hex}")


def objects(server: PrivateObjectStore, place: ObjectPlace) -> dict[str, bytes]:
    """The store's objects below the place, seen behind its back."""
    folder: Path = server.objects / place.prefix
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
