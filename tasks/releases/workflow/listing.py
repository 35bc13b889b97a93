"""Listing a release: its row appears with its files, and a version says one thing for good."""

import shutil
from collections.abc import Callable

from django.db import IntegrityError, transaction

from tasks.events.workflow.events import NewEvent, note_events
from tasks.models import AuditAction, EventKind, Release
from tasks.storing.acts import record


class ReleaseRefused(ValueError):
    """The release cannot be published; the message says why."""


def require_same(listed: Release, release: Release) -> None:
    """Raises ReleaseRefused if a listed version was withdrawn or has other content."""
    name = f"{release.campaign.slug} {release.version}"
    if listed.withdrawn:
        raise ReleaseRefused(f"{name} was withdrawn; its number is never used again")
    if listed.digest != release.digest:
        raise ReleaseRefused(
            f"{name} is already released with other content; use the next version number"
        )


class Listing:
    """Lets folder and row appear together, while nobody can cancel the job or take it over.

    `release` is the release as it is listed in the end.
    """

    def __init__(self, release: Release, require_held: Callable[[], None]) -> None:
        self.release = release
        self.require_held = require_held

    def take_over(self) -> None:
        """List a folder that is there, whole."""
        with transaction.atomic():
            self.require_held()
            self.release = _list(self.release)

    def publish(self, take_name: Callable[[], None]) -> None:
        """List a folder that takes its name only now; it is gone again if it cannot be listed."""
        with transaction.atomic():
            self.require_held()
            take_name()
            try:
                self.release = _list(self.release)
            except BaseException:
                shutil.rmtree(self.release.folder)
                raise


def _list(release: Release) -> Release:
    """Store the row, unless the version is listed; the release as listed, found in its folder."""
    try:
        with transaction.atomic():
            release.save(force_insert=True)
            note_events(
                release.campaign_id, NewEvent(EventKind.RELEASE_PUBLISHED, _as_data(release))
            )
            record(
                AuditAction.RELEASE_MADE,
                campaign=release.campaign,
                subject=("release", release.version),
                details={
                    "digest": release.digest,
                    "items": release.items,
                    "ratings": release.ratings,
                },
            )
    except IntegrityError:
        listed = Release.objects.get(campaign=release.campaign, version=release.version)
        require_same(listed, release)
        listed.path = release.path
        return listed
    return release


def _as_data(release: Release) -> dict[str, object]:
    return {
        "version": release.version,
        "digest": release.digest,
        "items": release.items,
        "ratings": release.ratings,
    }
