"""All that a release is made from, and the dataset that follows from it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from exporters.dataset import Dataset, Terms, assemble_dataset
from exporters.errors import ReleaseError
from exporters.records import CampaignRecord, ItemRecord, RatingRecord, SplitSpec
from exporters.splits import assign_documents, check_split_spec

_VERSION = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")


@dataclass(frozen=True, kw_only=True)
class ReleaseContent:
    """One release to be: the records, how to split them, and what to call the outcome.

    `seed` decides ties, the order in which documents are split, and the bootstrap of agreement.
    `created_at` has a time zone. `kept_documents` says in which split an earlier release has a
    document; it stays there. `software` names the program and its version for the manifest.
    """

    campaign: CampaignRecord
    items: Sequence[ItemRecord]
    ratings: Sequence[RatingRecord]
    spec: SplitSpec
    seed: int
    version: str
    created_at: datetime
    kept_documents: Mapping[str, str] = field(default_factory=dict)
    software: str = "tomahto"

    @property
    def terms(self) -> Terms:
        campaign = self.campaign
        return Terms(
            campaign.protocol, campaign.scheme, campaign.question_keys, self.spec, self.seed
        )


def parse_version(version: str) -> tuple[int, int, int]:
    """The three numbers of `X.Y.Z`. Raises ReleaseError if it is anything else."""
    found = _VERSION.fullmatch(version)
    if found is None:
        raise ReleaseError(f"version {version!r} is not three numbers like 1.0.0")
    major, minor, patch = map(int, found.groups())
    return major, minor, patch


def build_dataset(content: ReleaseContent) -> Dataset:
    """The dataset that the content makes, whatever the order of its records.

    Raises ReleaseError if a record is wrong or nothing was rated, SplitError if the split cannot
    be made.
    """
    _check_heading(content)
    rated = {rating.item_id for rating in content.ratings if rating.counted}
    sizes = Counter(item.document for item in content.items if item.id in rated)
    if not sizes:
        raise ReleaseError("no item has a counted rating: there is nothing to release")
    splits = assign_documents(sizes, content.spec, content.seed, content.kept_documents)
    return assemble_dataset(content.terms, content.items, content.ratings, splits)


def _check_heading(content: ReleaseContent) -> None:
    parse_version(content.version)
    check_split_spec(content.spec)
    if content.created_at.utcoffset() is None:
        raise ReleaseError("created_at has no time zone")
    versions = Counter(guideline.version for guideline in content.campaign.guidelines)
    for version, count in versions.items():
        if count > 1:
            raise ReleaseError(f"guideline version {version} is there {count} times")
