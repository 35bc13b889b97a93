"""Releases made of their content, in one call."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from exporters import planned_release as preview
from exporters import release
from exporters.planned_release import ReleaseContent, planned_release
from exporters.release import ReleaseSummary
from tomahto.releases.comparison.compared import ComparedRelease
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.stored.digest import content_digest
from tomahto.releases.stored.manifest import read_manifest
from tomahto.releases.stored.reading import read_dataset
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


def write_first_version(content: ReleaseContent, out: Path) -> None:
    """Write a release with the first version of the figures: its own estimates, tables and report
    on splits. CSV is as now; the release of today that it is made of lies beside it, as `now`."""
    planned = planned_release(content)
    now = out.with_name("now")
    release.write_release(planned, now)
    terms = replace(planned.dataset.terms, figures_version=1)
    dataset = read_dataset(now, replace(read_manifest(now), terms=terms))
    manifest = replace(planned.manifest, terms=terms, digest=content_digest(dataset))
    release.write_release(replace(planned, dataset=dataset, manifest=manifest), out)
