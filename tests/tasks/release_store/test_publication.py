"""A release in the store is there whole, or counts for nothing."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from bootstrap.services import PrivateObjectStore
from tasks.release_store.bucket import Bucket
from tasks.release_store.files import ObjectPlace, StoreError
from tasks.release_store.publication import (
    find_release,
    remove_below,
    remove_release,
    remove_unfinished,
    upload_release,
)
from tests.exporters.folders import contents, manifest_of
from tests.object_store import objects
from tests.sampling import mostly

pytestmark = pytest.mark.slow


def nobody_minds() -> None:
    """The job is held."""


@pytest.fixture
def identity(folder: Path) -> dict[str, str]:
    manifest = manifest_of(folder)
    return {name: manifest[name] for name in ("campaign", "version", "digest")}


def test_upload_stores_every_byte_below_a_name_made_of_the_manifest(
    object_store: PrivateObjectStore, place: ObjectPlace, folder: Path
) -> None:
    stored = upload_release(folder, place, require_held=nobody_minds)
    digest = sha256((folder / "manifest.json").read_bytes()).hexdigest()
    assert stored == place / digest[:16]
    assert objects(object_store, stored) == contents(folder)
    assert upload_release(folder, place, require_held=nobody_minds) == stored
    assert objects(object_store, stored) == contents(folder)


def test_upload_stores_the_manifest_last(
    object_store: PrivateObjectStore, place: ObjectPlace, folder: Path
) -> None:
    seen: list[set[str]] = []
    upload_release(
        folder,
        place,
        require_held=lambda: seen.append(
            {path.partition("/")[2] for path in objects(object_store, place)}
        ),
    )
    names = contents(folder).keys()
    assert len(seen) == len(names)
    assert seen[-1] == names - {"manifest.json"}
    assert [len(before) for before in seen] == list(range(len(names)))


@pytest.mark.parametrize("stopped_at", mostly([1, 5, -1], -1))
def test_upload_that_is_stopped_leaves_nothing(
    object_store: PrivateObjectStore, place: ObjectPlace, folder: Path, stopped_at: int
) -> None:
    left = stopped_at % len(contents(folder))

    def stop() -> None:
        nonlocal left
        if not left:
            raise KeyError("cancelled")
        left -= 1

    with pytest.raises(KeyError, match="cancelled"):
        upload_release(folder, place, require_held=stop)
    assert objects(object_store, place) == {}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda path: path.write_bytes(b"other"), "agreement.json: has 5 bytes, not "),
        (lambda path: path.write_bytes(bytes(path.stat().st_size)), "agreement.json: its SHA-256"),
        (lambda path: path.unlink(), "agreement.json: is missing"),
        (lambda path: path.with_name("x").touch(), "x: is not in the manifest"),
    ],
)
def test_upload_to_a_store_that_keeps_something_else_fails_before_the_manifest(
    object_store: PrivateObjectStore, place: ObjectPlace, folder: Path,
    change: Callable[[Path], object], said: str,
) -> None:  # fmt: skip
    left = len(contents(folder)) - 2

    def tamper() -> None:
        """Once agreement.json is there, and others are still to come."""
        nonlocal left
        left -= 1
        [*stored] = object_store.objects.glob(f"{place.prefix}/*/agreement.json")
        if not left and stored:
            change(stored[0])

    with pytest.raises(StoreError, match=f"did not keep a file intact: {said}"):
        upload_release(folder, place, require_held=tamper)
    assert objects(object_store, place) == {}


@pytest.mark.thorough
def test_upload_to_a_store_that_goes_down_is_an_error_and_is_found_nowhere(
    object_store: PrivateObjectStore, place: ObjectPlace, folder: Path, identity: dict[str, str]
) -> None:
    left = 5

    def kill() -> None:
        nonlocal left
        left -= 1
        if not left:
            object_store.kill()

    try:
        with pytest.raises(StoreError, match="Could not connect to the endpoint"):
            upload_release(folder, place, require_held=kill)
    finally:
        object_store.start()
    assert len(objects(object_store, place)) == 4
    assert find_release(place, **identity) is None
    stored = upload_release(folder, place, require_held=nobody_minds)
    assert find_release(place, **identity) == stored


def test_find_release_knows_it_by_campaign_version_and_digest(
    place: ObjectPlace, folder: Path, identity: dict[str, str]
) -> None:
    assert find_release(place, **identity) is None
    stored = upload_release(folder, place, require_held=nobody_minds)
    assert find_release(place, **identity) == stored
    for name in identity:
        assert find_release(place, **identity | {name: "other"}) is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / "manifest.json").unlink(),
        lambda folder: (folder / "manifest.json").write_text("{"),
        lambda folder: (folder / "SHA256SUMS").unlink(),
        lambda folder: (folder / "agreement.json").write_text("{}"),
        lambda folder: (folder / "further").touch(),
    ],
)
def test_find_release_passes_over_what_is_not_whole(
    object_store: PrivateObjectStore, place: ObjectPlace, folder: Path, identity: dict[str, str],
    damage: Callable[[Path], object],
) -> None:  # fmt: skip
    stored = upload_release(folder, place, require_held=nobody_minds)
    damage(object_store.objects / stored.prefix)
    assert find_release(place, **identity) is None


def test_remove_release_begins_with_the_manifest(
    object_store: PrivateObjectStore,
    place: ObjectPlace,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stored = upload_release(folder, place, require_held=nobody_minds)
    deleted: list[str] = []
    monkeypatch.setattr(Bucket, "delete", lambda self, keys: deleted.extend(keys))
    remove_release(stored)
    assert deleted[0] == stored.key("manifest.json")
    assert len(deleted) == len(contents(folder))
    monkeypatch.undo()


def test_remove_unfinished_leaves_all_that_has_a_manifest_or_is_not_ours(
    object_store: PrivateObjectStore, place: ObjectPlace, folder: Path
) -> None:
    stored = upload_release(folder, place, require_held=nobody_minds)
    there = object_store.objects / place.prefix
    for name in ("0123456789abcdef/README.md", "notes/README.md", "fedcba9876543210", "a.txt"):
        (there / name).parent.mkdir(exist_ok=True)
        (there / name).write_text("x")
    remove_unfinished(place)
    others = {"notes/README.md", "fedcba9876543210", "a.txt"}
    release = {f"{stored.prefix.rpartition('/')[2]}/{path}" for path in contents(folder)}
    assert objects(object_store, place).keys() == release | others


@pytest.mark.thorough
def test_remove_unfinished_only_tells_the_log_of_a_store_that_is_down(
    object_store: PrivateObjectStore, place: ObjectPlace, caplog: pytest.LogCaptureFixture
) -> None:
    object_store.kill()
    try:
        remove_unfinished(place)
    finally:
        object_store.start()
    assert "an unfinished upload could not be removed: the store of releases" in caplog.text


def test_all_that_is_below_a_place_is_removed_and_nothing_beside_it(
    object_store: PrivateObjectStore, place: ObjectPlace, folder: Path
) -> None:
    beside = upload_release(folder, place / "lakes-2" / "1.0.0", require_held=nobody_minds)
    upload_release(folder, place / "lakes" / "1.0.0", require_held=nobody_minds)
    remove_below(place / "lakes")
    assert objects(object_store, place / "lakes") == {}
    assert objects(object_store, beside) == contents(folder)
