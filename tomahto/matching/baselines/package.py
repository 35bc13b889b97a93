"""The packages that implement the baselines: optional, and never imported before they are used."""

from tomahto.pretrained.runtime import is_installed


class PackageMissingError(ValueError):
    """A baseline's package, or data it reads, is not installed; the message says how to get it."""


def require_package(package: str, *, extra: str) -> None:
    """Raises PackageMissingError, naming the extra of Tomahto that brings the package."""
    if not is_installed(package):
        raise PackageMissingError(
            f"this needs the package {package}, which is not installed: install Tomahto's extra "
            f"`{extra}` (docs/baselines.md)"
        )
