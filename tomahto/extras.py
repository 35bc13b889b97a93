"""The packages of Tomahto's extras: optional, and never imported before they are used."""

from importlib.util import find_spec


class PackageMissingError(ValueError):
    """A package of an extra, or data it reads, is not installed; the message says how to get it."""


def is_installed(package: str) -> bool:
    """Whether it could be imported; it is not, which for torch and others would take seconds."""
    try:
        return find_spec(package) is not None
    except ImportError:
        return False


def require_package(package: str, *, extra: str) -> None:
    """Raises PackageMissingError, naming the extra of Tomahto that brings the package."""
    if not is_installed(package):
        raise PackageMissingError(
            f"this needs the package {package}, which is not installed: install Tomahto's extra "
            f"`{extra}` (docs/library.md)"
        )
