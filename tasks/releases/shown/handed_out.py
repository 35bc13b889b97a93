"""Handing out the files of a release: the audit log tells how much of them was read."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse

from tasks.models import AuditAction, Release
from tasks.release_store.interface import ReleaseFiles
from tasks.storing.readings import Reading
from tasks.votes.blindness import holds_votes
from tasks.web.downloads import send_archive, send_file


def archive_name(release: Release) -> str:
    """Of the ZIP archive, without its suffix."""
    return f"{release.campaign.slug}-{release.version}"


def hand_out_archive(*, release: Release, files: ReleaseFiles) -> StreamingHttpResponse:
    """All of it as a ZIP archive. Raises StoreError."""
    response = send_archive(files, archive_name(release))
    _record_when_over(response, release, {"format": "zip", "ratings": release.ratings})
    return response


def hand_out_file(
    *, request: HttpRequest, release: Release, files: ReleaseFiles, path: str
) -> HttpResponseBase:
    """One file, or a range of its bytes; only what holds ratings is recorded.

    Raises NoSuchFile and StoreError.
    """
    response = send_file(request, files, path)
    if isinstance(response, StreamingHttpResponse) and holds_votes(path):
        suffix = PurePosixPath(path).suffix.removeprefix(".")
        part = {"range": response["Content-Range"]} if response.status_code == 206 else {}
        _record_when_over(response, release, {"format": suffix, "file": path, **part})
    return response


def _record_when_over(
    response: StreamingHttpResponse, release: Release, details: dict[str, object]
) -> None:
    reading = Reading(
        AuditAction.RELEASE_DOWNLOADED,
        campaign=release.campaign,
        subject=("release", release.version),
        details=details,
    )
    chunks = response.streaming_content
    assert isinstance(chunks, Iterator)  # noqa: S101 - nothing here is asynchronous
    response.streaming_content = reading.of_bytes(chunks)
