"""Version numbers of releases: what a step from one to the next says (semver.org, 2.0.0).

major: labels, splits or texts of items differ, or items are gone; minor: items, ratings,
adjudications or settings differ; patch: documentation.
"""

import re
from typing import Literal, NamedTuple, get_args

from tomahto.releases.records.errors import ReleaseError

Required = Literal["none", "patch", "minor", "major"]
Bump = Literal["backward", "none", "patch", "minor", "major"]
_BUMPS: tuple[Bump, ...] = get_args(Bump)
_VERSION = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")


class Version(NamedTuple):
    """The three numbers of a version, in the order in which versions follow each other."""

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"

    def next(self, step: Required) -> "Version":
        """The first version that is a step away; the next patch where none is required."""
        match step:
            case "major":
                return Version(self.major + 1, 0, 0)
            case "minor":
                return Version(self.major, self.minor + 1, 0)
        return Version(self.major, self.minor, self.patch + 1)

    def bump_to(self, later: "Version") -> Bump:
        """The step from this version to another."""
        if later < self:
            return "backward"
        steps: tuple[Bump, ...] = ("major", "minor", "patch")
        pairs = zip(steps, self, later, strict=True)
        return next((step for step, old, new in pairs if old != new), "none")


def parse_version(version: str) -> Version:
    """The version written as `X.Y.Z`. Raises ReleaseError if it is anything else."""
    found = _VERSION.fullmatch(version)
    if found is None:
        raise ReleaseError(f"version {version!r} is not three numbers like 1.0.0")
    return Version(*map(int, found.groups()))


def is_enough(step: Bump, required: Required) -> bool:
    """Whether a step says at least what it has to say."""
    return _BUMPS.index(step) >= _BUMPS.index(required)
