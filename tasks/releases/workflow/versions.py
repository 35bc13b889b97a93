"""Is the number of a release honest? It is compared with the release that it continues.

A number continues the greatest lower one that is listed, not withdrawn and still readable, so that
1.0.1 can mend 1.0.0 although 2.0.0 is out. What cannot be read is named and passed over: a lost
folder must not end a campaign's releases.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from tasks.models import Campaign, Release
from tasks.release_store.files import StoreError
from tasks.release_store.released import compared_folder
from tomahto.releases.comparison.compared import ComparedRelease, stored_release
from tomahto.releases.comparison.diff import ReleaseDiff, compare
from tomahto.releases.comparison.diff_reasons import EXAMPLES, step_reasons
from tomahto.releases.records.fields import (
    ReleaseError,
    Required,
    Version,
    is_enough,
    parse_version,
)


class DishonestVersion(ReleaseError):
    """The number of a release says less than what changed; the message names one that does not."""


@dataclass(frozen=True, slots=True)
class Step:
    """`least` is the least number that is free and honest after `previous`, the release that was
    compared with (None: there is none that could be); `reasons` say what requires the step, and
    which releases could not be compared."""

    previous: str | None
    required: Required
    least: str
    reasons: tuple[str, ...]


def honest_version(planned: ComparedRelease, campaign: Campaign) -> Step:
    """The next version of the release if it were this one, whatever its version says."""
    return _Numbers(planned, campaign).step(below=None)


def require_honest(planned: ComparedRelease, campaign: Campaign) -> tuple[str, ...]:
    """The number of the release says what changed since the release that it continues.

    Returns which releases could not be compared, a sentence each. A number that is listed already
    is not looked at. Raises DishonestVersion if the number is too small a step, or lower than all
    that were ever listed, and StoreError.
    """
    return _Numbers(planned, campaign).checked(parse_version(planned.heading.version))


@dataclass(frozen=True, slots=True)
class _Continued:
    """A number, and what continuing it requires; nothing could be compared if `diff` is None."""

    version: Version | None
    diff: ReleaseDiff | None
    unread: tuple[str, ...]

    @property
    def required(self) -> Required:
        return self.diff.required_bump if self.diff else "none"

    @property
    def reasons(self) -> tuple[str, ...]:
        return (*(step_reasons(self.diff) if self.diff else ()), *self.unread)


class _Numbers:
    """The numbers of a campaign, and what a release would have to be called after each."""

    def __init__(self, planned: ComparedRelease, campaign: Campaign) -> None:
        self._planned = planned
        self._differences: dict[Version, ReleaseDiff] = {}
        releases = Release.objects.filter(campaign=campaign).select_related("withdrawal")
        self._listed = {parse_version(release.version): release for release in releases}

    def checked(self, asked: Version) -> tuple[str, ...]:
        if not self._listed or asked in self._listed:
            return ()
        first = min(self._listed)
        if asked < first:
            raise DishonestVersion(
                f"version {asked} is lower than {first}, the first release, and continues none; "
                f"the version must be at least {self.step(below=None).least}"
            )
        found = self._continued(below=asked)
        if found.version and not is_enough(found.version.bump_to(asked), found.required):
            raise DishonestVersion(
                f"version {asked} is too small a step from {found.version}: "
                f"{'; '.join(found.reasons)}; the version must be at least {self._least(found)}, "
                f"a {found.required} step"
            )
        return found.unread

    def step(self, *, below: Version | None) -> Step:
        found = self._continued(below=below)
        previous = str(found.version) if found.version else None
        return Step(previous, found.required, str(self._least(found)), found.reasons)

    def _least(self, found: _Continued) -> Version:
        """The first free number whose own predecessor makes it honest."""
        if found.version is None:
            return max(self._listed).next("patch") if self._listed else Version(1, 0, 0)
        least = found.version.next(found.required)
        while least in self._listed:
            least = least.next(found.required)
        before = self._continued(below=least)
        return least if before.version == found.version else self._least(before)

    def _continued(self, *, below: Version | None) -> _Continued:
        unread: list[str] = []
        for version in self._below(below):
            try:
                return _Continued(version, self._compared(version), tuple(unread))
            except StoreError:  # it is down for now, nothing is lost
                raise
            except (ReleaseError, OSError) as error:
                unread.append(f"{version} cannot be compared with: {error}")
        return _Continued(None, None, tuple(unread))

    def _below(self, below: Version | None) -> Iterator[Version]:
        """Downwards, without those that were withdrawn."""
        lower = takewhile(lambda version: below is None or version < below, sorted(self._listed))
        for version in reversed(list(lower)):
            if self._listed[version].withdrawn is None:
                yield version

    def _compared(self, version: Version) -> ReleaseDiff:
        """Raises ReleaseError if the folder does not hold this release any more."""
        if version not in self._differences:
            release = self._listed[version]
            with compared_folder(release.path) as folder:
                stored = stored_release(folder)
                if stored.heading.digest != release.digest:
                    raise ReleaseError("its folder holds another release")
                self._differences[version] = compare(stored, self._planned, limit=EXAMPLES)
        return self._differences[version]
