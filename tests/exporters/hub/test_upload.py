"""Releases on their way to a stand-in for the hub, through the hub's real client."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import huggingface_hub
import pytest

from exporters.hub import upload as hub_upload
from exporters.hub.upload import Upload, UploadRefused, upload_to_hub
from tests import hub_server
from tests.exporters.builders import digest_of, write_release
from tests.exporters.folders import contents
from tests.exporters.samples import ANSWERED, CONTENT, reseal
from tests.hub_server import TOKEN, Answer, Fault, Hub, running_hub

# the hub's client uses its HTTP library in a way that this discourages
pytestmark = [
    pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning"),
    pytest.mark.slow,
]

REPOSITORY = "acme/rivers"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub; this process is online, and sends large files by Git LFS, not to Xet's servers."""
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    with running_hub() as hub:
        yield hub
        huggingface_hub.close_session()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release whose datasheet has no blanks. Not to be changed."""
    return write_release(ANSWERED, tmp_path_factory.mktemp("written") / "demo-1.0.0").path


def upload(folder: Path, hub: Hub, *, repo: str = REPOSITORY, is_private: bool = False) -> Upload:
    return upload_to_hub(folder, repo, is_private=is_private, endpoint=hub.url)


def refusal(folder: Path, hub: Hub, *, repo: str = REPOSITORY, is_private: bool = False) -> str:
    """The message; in one line, and without the token."""
    with pytest.raises(UploadRefused) as refused:
        upload(folder, hub, repo=repo, is_private=is_private)
    text = str(refused.value)
    assert "\n" not in text
    assert TOKEN not in text
    return text


def at_tag(hub: Hub, tag: str = "1.0.0") -> dict[str, bytes]:
    """The files for somebody who loads that version, but for the hub's own file."""
    tree = dict(hub.repositories[REPOSITORY].tree(tag))
    assert tree.pop(".gitattributes")
    return tree


def test_every_byte_arrives_in_one_commit_with_one_tag(written: Path, hub: Hub) -> None:
    result = upload(written, hub, is_private=True)
    repository = hub.repositories[REPOSITORY]
    files = contents(written)
    assert at_tag(hub) == files
    assert repository.is_private
    assert repository.messages == ["initial commit", "demo 1.0.0"]
    assert repository.tags == {"1.0.0": repository.head}
    assert result == Upload(
        repository=REPOSITORY,
        url=f"{hub.url}/datasets/{REPOSITORY}",
        commit=repository.head,
        tag="1.0.0",
        digest=digest_of(CONTENT),
        files=len(files),
        bytes=sum(map(len, files.values())),
        is_new=True,
    )


def test_a_datasheet_with_blanks_is_refused_with_their_names(tmp_path: Path, hub: Hub) -> None:
    folder = write_release(CONTENT, tmp_path / "blank").path
    said = refusal(folder, hub)
    assert "datasheet.json, field authors: is not answered; " in said
    assert hub.repositories == {}


def test_the_next_version_replaces_the_one_before_and_both_keep_their_tags(
    written: Path, hub: Hub
) -> None:
    repository = hub.add(REPOSITORY, {"items/old.parquet": b"old", "notes.md": b"ours"})
    repository.tags["0.9.0"] = repository.head
    upload(written, hub)
    assert at_tag(hub) == contents(written)
    assert at_tag(hub, "0.9.0") == {"items/old.parquet": b"old", "notes.md": b"ours"}


@pytest.mark.parametrize(
    ("path", "how"),
    [
        ("/commit/main", "before"),
        pytest.param("/commit/main", "after", marks=pytest.mark.thorough),
        pytest.param("/tag/", "before", marks=pytest.mark.thorough),
        ("/tag/", "after"),
    ],
)
def test_what_was_broken_off_is_finished_by_beginning_anew(
    written: Path, hub: Hub, path: str, how: Literal["before", "after"]
) -> None:
    hub.faults.append(Fault("POST", path, how))
    assert refusal(written, hub).startswith("the hub: Server disconnected")
    sent = hub.count("PUT", "/large/")
    assert sent > 0
    result = upload(written, hub)
    assert hub.count("PUT", "/large/") == sent
    repository = hub.repositories[REPOSITORY]
    assert at_tag(hub) == contents(written)
    assert repository.messages == ["initial commit", "demo 1.0.0"]
    assert result.commit == repository.tags["1.0.0"] == repository.head


def test_a_connection_cut_in_mid_file_is_tried_again_and_no_version_uploaded_twice(
    written: Path, hub: Hub
) -> None:
    hub.faults.append(Fault("PUT", "/large/", "before"))
    first = upload(written, hub)
    assert at_tag(hub) == contents(written)
    assert upload(written, hub) == replace(first, is_new=False)
    assert hub.count("POST", "/commit/main") == 1


def test_a_tag_of_other_content_is_never_moved(written: Path, hub: Hub) -> None:
    repository = hub.add(REPOSITORY, {"README.md": b"other"})
    repository.tags["1.0.0"] = repository.head
    text = "the tag 1.0.0 in acme/rivers differs from the release: CITATION.cff"
    assert refusal(written, hub) == text
    assert repository.messages == ["initial commit"]
    assert repository.tags == {"1.0.0": repository.head}


def test_a_hub_that_keeps_something_else_gets_no_tag(
    written: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Hub.commit

    def losing(self: Hub, body: list[Any], name: str) -> Answer:
        return kept(self, body[:-1], name)

    monkeypatch.setattr(Hub, "commit", losing)
    patched = [(*route[:2], losing) if route[2] is kept else route for route in hub_server._ROUTES]
    monkeypatch.setattr(hub_server, "_ROUTES", patched)
    assert refusal(written, hub).startswith("what was uploaded in acme/rivers differs from the rel")
    assert hub.repositories[REPOSITORY].tags == {}


def test_a_public_repository_is_refused_to_who_wants_it_private(written: Path, hub: Hub) -> None:
    repository = hub.add(REPOSITORY, {})
    text = "acme/rivers already exists and is public"
    assert refusal(written, hub, is_private=True) == text
    assert repository.messages == ["initial commit"]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault("POST", "/repos/create", (401, {"error": "no"})), "401"),
        (Fault("POST", "/repos/create", (403, {"error": f"not {TOKEN}"})), "403"),
        (Fault("POST", "/commit/main", (409, {"error": "conflict"})), "409"),
        (Fault("POST", "/commit/main", (412, {"error": "moved"})), "412"),
        (Fault("POST", "/preupload/main", (400, {"error": "no"})), "400"),
    ],
)
def test_what_the_hub_refuses_is_said_and_nothing_is_tagged(
    written: Path, hub: Hub, fault: Fault, said: str
) -> None:
    hub.faults.append(fault)
    told = refusal(written, hub)
    assert told.startswith("the hub: ")
    assert said in told
    assert not any(repository.tags for repository in hub.repositories.values())


def test_a_release_that_is_not_whole_is_refused_before_anything_is_asked(
    release: Path, hub: Hub
) -> None:
    (release / "agreement.json").write_text("{}")
    told = refusal(release, hub)
    assert told.startswith(f"{release} cannot be uploaded: agreement.json: has 2 bytes, not ")
    reseal(release)
    assert "agreement.json" in refusal(release, hub)
    assert hub.requests == []


def test_of_many_refusals_the_first_are_said(
    written: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_upload, "verify_release", lambda folder: list("abcdefg"))
    text = f"{written} cannot be uploaded: a; b; c; d; e; and 2 more"
    assert refusal(written, hub) == text


@pytest.mark.parametrize("repo", ["rivers", "acme/rivers/x", "acme/", "a b/c"])
def test_a_repository_needs_an_owner_and_a_name(written: Path, hub: Hub, repo: str) -> None:
    assert refusal(written, hub, repo=repo) == f"{repo!r} is not a repository; write OWNER/NAME"
    assert hub.requests == []
