"""Verify a release with nothing but its folder."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tomahto.releases.dataset.split_report import SPLITS
from tomahto.releases.documents.fact_sentences import number_of
from tomahto.releases.records.errors import ReleaseError
from tomahto.releases.stored.manifest import read_manifest
from tomahto.releases.verification.content_check import content_differences
from tomahto.releases.verification.folder_check import folder_differences


def verify_release(path: Path) -> list[str]:
    """The differences between the folder and what it claims to be, one line each.

    An empty list means: every file is there as the manifest and SHA256SUMS say, none is extra,
    all formats say the same, the promise of the split is kept (see `split_promise`), and labels,
    agreement, statistics, the estimates of Dawid and Skene, the report on splits and the digest
    follow from the ratings and adjudications. What files say is compared only when their bytes are
    right.
    """
    try:
        manifest = read_manifest(path)
        return folder_differences(path, manifest) or content_differences(path, manifest)
    except (ReleaseError, OSError) as error:
        return [str(error)]


def split_promise(path: Path) -> str:
    """The promise kept by the splits of a release in which `verify_release` found no difference."""
    manifest = read_manifest(path)
    spec = manifest.terms.spec
    if spec.by == "system":
        return "every item is in the splits of its systems"
    report = json.loads((path / SPLITS).read_bytes())
    if spec.by == "predefined":
        return _promise_of_source(report, "every item is in its split of the source")
    if spec.kept:
        names = " and ".join(spec.kept)
        return _promise_of_source(
            report, f"the source's documents in {names} are in these splits, and no others"
        )
    leaks = len(report["leaks"])
    if not leaks:
        return "no document and no near-duplicate question is on two sides"
    return (
        "no document is on two sides; near-duplicate questions are, in "
        f"{number_of(leaks, 'group')} that splits.json names"
    )


def _promise_of_source(report: Mapping[str, Any], kept: str) -> str:
    documents, leaks = len(report["parted_documents"]), len(report["leaks"])
    if not documents and not leaks:
        return f"{kept}; no document and no near-duplicate question is on two sides"
    return (
        f"{kept}; on two sides are {number_of(documents, 'document')} and "
        f"{number_of(leaks, 'group')} of near-duplicate questions, which splits.json names"
    )
