"""What is made of a release's content, in one call."""

from pathlib import Path
from typing import Any

from exporters import preview, release
from exporters.content import ReleaseContent
from exporters.planned_release import planned_release
from exporters.release import ReleaseSummary
from tomahto.releases.comparison.compared import ComparedRelease
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.verification.verify import verify_release


def build_dataset(content: ReleaseContent) -> Dataset:
    return planned_release(content).dataset


def digest_of(content: ReleaseContent) -> str:
    return planned_release(content).manifest.digest


def compared(content: ReleaseContent) -> ComparedRelease:
    return planned_release(content).compared()


def release_preview(content: ReleaseContent) -> dict[str, Any]:
    return preview.release_preview(planned_release(content))


def write_release(content: ReleaseContent, out: Path, **options: Any) -> ReleaseSummary:
    return release.write_release(planned_release(content), out, **options)


def write_verified(content: ReleaseContent, out: Path) -> Path:
    """Write a release in which verification finds nothing wrong; its folder."""
    write_release(content, out)
    assert verify_release(out) == []
    return out
