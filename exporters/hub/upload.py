"""A release folder as a dataset repository of the Hugging Face hub: one commit, one tag.

Every step may be done again. Files that the hub has are not sent twice, a commit that changes
nothing is not made, and a tag that says the same is left alone: so the way to go on after a broken
connection is to begin anew.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from huggingface_hub import (
    CommitOperationAdd,
    CommitOperationDelete,
    HfApi,
    constants,
    get_token,
)
from huggingface_hub.hf_api import RepoFile

from tomahto.releases.documents.datasheet import DATASHEET, blanks_of
from tomahto.releases.stored.manifest import CHECKSUMS, MANIFEST, Manifest, read_manifest
from tomahto.releases.verification.verify import verify_release

_DATASET = "dataset"
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
_HUBS_OWN = ".gitattributes"  # says which files the hub keeps apart; it makes one itself
_SHOWN = 5  # refusals


class UploadRefused(ValueError):
    """The release was not uploaded, or not all of it. The message says why, in one line."""


@dataclass(frozen=True, slots=True)
class Upload:
    """The state of the hub's copy; `is_new` is false if the hub had it before."""

    repository: str
    url: str
    commit: str
    tag: str
    digest: str
    files: int
    bytes: int
    is_new: bool

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _LocalFile:
    size: int
    sha256: str
    blob: str  # the name that git gives the content

    def is_same(self, remote: RepoFile) -> bool:
        if remote.size != self.size:
            return False
        if remote.lfs is not None:
            return remote.lfs.sha256 == self.sha256
        return remote.blob_id == self.blob


def upload_to_hub(
    folder: Path, repository: str, *, is_private: bool = False, endpoint: str | None = None
) -> Upload:
    """Upload the release to `OWNER/NAME`, made if it is not there, and tag it with its version.

    What the repository holds besides is removed in the same commit. The token is that of HF_TOKEN,
    or of the login of this account. Raises UploadRefused; nothing is tagged then.
    """
    _check(folder, repository)
    manifest = read_manifest(folder)
    paths = sorted([*(file.path for file in manifest.files), MANIFEST, CHECKSUMS])
    files = {path: _local_file(folder / path) for path in paths}
    api = HfApi(endpoint=endpoint, library_name="tomahto")
    with _refusals_as_one_error():
        url = api.create_repo(repository, repo_type=_DATASET, private=is_private, exist_ok=True)
        if is_private and not api.dataset_info(repository).private:
            raise UploadRefused(f"{repository} already exists and is public")
        tagged = _tagged(api, repository, manifest.version)
        if tagged is None:
            commit = _commit(api, folder, repository, manifest, files)
            _require_same(api, repository, commit, files)
            api.create_tag(repository, tag=manifest.version, revision=commit, repo_type=_DATASET)
        else:
            commit = tagged
            _require_same(api, repository, commit, files, said_of=f"the tag {manifest.version}")
    return Upload(
        repository=repository,
        url=str(url),
        commit=commit,
        tag=manifest.version,
        digest=manifest.digest,
        files=len(files),
        bytes=sum(file.size for file in files.values()),
        is_new=tagged is None,
    )


def _check(folder: Path, repository: str) -> None:
    if not _REPOSITORY.fullmatch(repository):
        raise UploadRefused(f"{repository!r} is not a repository; write OWNER/NAME")
    refusals = verify_release(folder) or [
        f"{DATASHEET}, field {key}: is not answered" for key in blanks_of(folder)
    ]
    if refusals:
        more = len(refusals) - _SHOWN
        shown = "; ".join(refusals[:_SHOWN]) + (f"; and {more} more" if more > 0 else "")
        raise UploadRefused(f"{folder} cannot be uploaded: {shown}")
    if constants.is_offline_mode():
        raise UploadRefused("HF_HUB_OFFLINE is set, so nothing can be uploaded; unset it")
    if get_token() is None:
        raise UploadRefused("no token for the hub; set HF_TOKEN, or run `hf auth login`")


def _local_file(path: Path) -> _LocalFile:
    size = path.stat().st_size
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        file.seek(0)
        blob = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
        while chunk := file.read(1 << 20):
            blob.update(chunk)
    return _LocalFile(size, sha256, blob.hexdigest())


def _tagged(api: HfApi, repository: str, tag: str) -> str | None:
    tags = api.list_repo_refs(repository, repo_type=_DATASET).tags
    return next((each.target_commit for each in tags if each.name == tag), None)


def _commit(
    api: HfApi,
    folder: Path,
    repository: str,
    manifest: Manifest,
    files: Mapping[str, _LocalFile],
) -> str:
    """The commit with the release and nothing else; refused if somebody else commits meanwhile."""
    parent = api.dataset_info(repository).sha
    stale = [path for path in _remote(api, repository, parent) if path not in files]
    made = api.create_commit(
        repository,
        operations=[
            *(CommitOperationAdd(path, str(folder / path)) for path in files),
            *(CommitOperationDelete(path, is_folder=False) for path in stale),
        ],
        commit_message=f"{manifest.campaign} {manifest.version}",
        commit_description=f"Digest {manifest.digest}",
        repo_type=_DATASET,
        parent_commit=parent,
    )
    return made.oid


def _remote(api: HfApi, repository: str, revision: str | None) -> dict[str, RepoFile]:
    tree = api.list_repo_tree(repository, recursive=True, revision=revision, repo_type=_DATASET)
    files = (each for each in tree if isinstance(each, RepoFile))
    return {each.path: each for each in files if each.path != _HUBS_OWN}


def _require_same(
    api: HfApi,
    repository: str,
    commit: str,
    files: Mapping[str, _LocalFile],
    said_of: str = "what was uploaded",
) -> None:
    remote = _remote(api, repository, commit)
    for path in sorted(remote.keys() | files.keys()):
        if path not in remote or path not in files or not files[path].is_same(remote[path]):
            raise UploadRefused(f"{said_of} in {repository} differs from the release: {path}")


@contextmanager
def _refusals_as_one_error() -> Iterator[None]:
    """The client raises its HTTP library's errors as they come, and its own of many kinds."""
    try:
        yield
    except UploadRefused:
        raise
    except Exception as error:
        raise UploadRefused(f"the hub: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    """In one line, and without the token, whatever a server puts into its answer."""
    cause = error.__cause__
    texts = dict.fromkeys(str(each) or type(each).__name__ for each in (error, cause) if each)
    text = " ".join(": ".join(texts).split())
    token = get_token()
    return text.replace(token, "…") if token else text
