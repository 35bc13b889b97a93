"""Listing a release: its row appears with its files, in a folder or in the object store, and a
version says one thing for good. Once it is withdrawn, its files are not given out any more.
"""

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.db import IntegrityError, transaction

from exporters.planned_release import PlannedRelease
from exporters.release import write_release
from tasks.events.workflow.events import NewEvent, note_events
from tasks.models import AuditAction, EventKind, Membership, Release, Withdrawal
from tasks.release_store.files import ObjectPlace, StoreError
from tasks.storing.acts import record, storable
from tasks.storing.refusals import Refusal
from tomahto.releases.files.folder import partial_folder

Report = Callable[[int, int], None]  # done, total


class ReleaseProgress:
    """Reports rows: each is done once when it is read and labelled, and those that the splits have
    once more when they are written.

    Nothing is reported while rows are read: that is one transaction, on whose other side nobody
    would see it.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._read = self._chosen = self._written = 0

    def read(self, rows: int) -> None:
        self._read = self._chosen = rows
        self._report(rows, self._total)

    def labelled(self, chosen: int) -> None:
        """`chosen` of the rows are in a split: the others are not written."""
        self._chosen = chosen
        self._report(2 * self._read, self._total)

    def wrote(self, rows: int) -> None:
        """A row that is in several splits is written several times, and done once."""
        self._written = min(self._written + rows, self._chosen)
        self._report(2 * self._read + self._written, self._total)

    def finished(self) -> None:
        """Also where nothing had to be written, because the release was there already."""
        self._report(self._total, self._total)

    @property
    def _total(self) -> int:
        return 2 * self._read + self._chosen


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
    details = {name: getattr(release, name) for name in ("digest", "items", "ratings")}
    what = {"version": release.version, **details}
    try:
        with transaction.atomic():
            release.save(force_insert=True)
            note_events(release.campaign_id, NewEvent(EventKind.RELEASE_PUBLISHED, what))
            record(
                AuditAction.RELEASE_MADE,
                campaign=release.campaign,
                subject=("release", release.version),
                details=details,
            )
    except IntegrityError:
        listed = Release.objects.get(campaign=release.campaign, version=release.version)
        require_same(listed, release)
        listed.path = release.path
        return listed
    return release


def store_release(
    planned: PlannedRelease, parent: ObjectPlace, listing: Listing, progress: ReleaseProgress
) -> None:
    """Put the release into the object store and list it, unless it is there already.

    Raises ReleaseRefused, ReleaseError, StoreError, and what `listing` raises.
    """
    # their library is not installed everywhere
    from tasks.release_store.publication import find_release, remove_release, remove_unfinished

    release = listing.release
    place = find_release(
        parent, campaign=release.campaign.slug, version=release.version, digest=release.digest
    )
    if is_new := place is None:
        place = _uploaded(planned, parent, listing, progress)
    release.path = str(place)
    try:
        listing.take_over()
    except BaseException:
        if is_new:
            with suppress(StoreError):
                remove_release(place)
        raise
    listing.release.refresh_from_db(fields=["path"])
    if is_new and listing.release.path != str(place):  # somebody listed the same content first
        with suppress(StoreError):
            remove_release(place)
    remove_unfinished(parent)


def _uploaded(
    planned: PlannedRelease, parent: ObjectPlace, listing: Listing, progress: ReleaseProgress
) -> ObjectPlace:
    """A kill leaves the folder it was written to, which the next upload removes."""
    from tasks.release_store.publication import upload_release  # as above

    scratch = Path(settings.RELEASES_DIR)
    scratch.mkdir(parents=True, exist_ok=True)
    with partial_folder(scratch / planned.campaign.slug) as folder:
        written = folder / planned.manifest.version
        write_release(planned, written, wrote=progress.wrote)
        return upload_release(written, parent, require_held=listing.require_held)


MAX_REASON = 2000


class WithdrawalRefused(Refusal, ValueError):
    """The release cannot be withdrawn; the message says why."""


@transaction.atomic
def note_download(*, release: Release, by: Membership) -> None:
    subject = ("release", release.version)
    record(AuditAction.RELEASE_DOWNLOADED, campaign=release.campaign, subject=subject, by=by)


def withdraw_release(*, release: Release, reason: str, by: Membership | None = None) -> Withdrawal:
    """Withdraw the release for good; `by` is None for operators at the command line.

    Its folder stays as it is. Raises WithdrawalRefused without a reason, with one longer than
    MAX_REASON characters, and if the release was withdrawn before.
    """
    reason = storable(reason).strip()
    if not reason:
        raise WithdrawalRefused("give a reason for the withdrawal")
    if len(reason) > MAX_REASON:
        raise WithdrawalRefused(f"the reason has {len(reason)} characters, over {MAX_REASON}")
    withdrawal = Withdrawal(
        release=release,
        reason=reason,
        withdrawn_by=by.user if by else None,
        role=by.role if by else "",
    )
    try:
        with transaction.atomic():
            withdrawal.save(force_insert=True)
            what = {"version": release.version, "digest": release.digest}
            note_events(release.campaign_id, NewEvent(EventKind.RELEASE_WITHDRAWN, what))
            record(
                AuditAction.RELEASE_WITHDRAWN,
                campaign=release.campaign,
                subject=("release", release.version),
                details={"reason": reason},
                by=by,
            )
    except IntegrityError:
        raise WithdrawalRefused(f"{release} was withdrawn before") from None
    withdrawal.refresh_from_db()
    return withdrawal
