"""Publishing a release: read in one snapshot, write the folder, then show it. Previews of releases
are made at once for campaigns of some size, by a worker beyond.

The folder is complete before the row exists; a release that was interrupted between the two is
found by its manifest and taken over. On its way to an object store a release is such a folder
for a while.
"""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models.functions import Now
from django.utils import timezone

from exporters.planned_release import (
    PlannedRelease,
    ReleaseContent,
    ReleasePlan,
    planned_release,
    release_preview,
)
from exporters.privacy import NOBODY
from exporters.release import write_release
from tasks.audit.queries import audit_head
from tasks.models import Campaign, Job, JobKind, JobState, Release, User
from tasks.release_store.files import ObjectPlace
from tasks.releases.queries.datasheet import documentation
from tasks.releases.queries.releasable import (
    adjudication_records,
    answer_records,
    campaign_record,
    documents_kept,
    item_records,
    known_names,
    left_out,
    missing_guidelines,
    rating_records,
)
from tasks.releases.workflow.listing import (
    Listing,
    ReleaseProgress,
    ReleaseRefused,
    Report,
    require_same,
    store_release,
)
from tasks.releases.workflow.versions import honest_version, require_honest
from tasks.storing.database import one_moment
from tasks.votes.ratings import current_ratings
from tomahto.releases.dataset.choices import Selection, parse_split_spec
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.documents.datasheet import blanks_among
from tomahto.releases.records.intake import take_in_answers
from tomahto.releases.records.items import take_in_items
from tomahto.releases.records.ratings import take_in_ratings
from tomahto.releases.stored.manifest import MANIFEST, SIGNATURE, read_manifest
from tomahto.releases.stored.signature import Sign, add_signature
from tomahto.releases.verification.verify import verify_release

logger = logging.getLogger(__name__)


def publish_release(
    *,
    campaign: Campaign,
    plan: ReleasePlan,
    out: Path | ObjectPlace,
    created_by: User | None = None,
    require_held: Callable[[], None] = lambda: None,
    note: Callable[[str], None] = logger.warning,
    sign: Sign | None = None,
    report: Report = lambda _done, _total: None,
) -> Release:
    """Write the release of what is rated now to the folder `out` and list it.

    `out` may be an empty folder, or a place of the object store below which it is stored under a
    name of its own. Publishing a version again is allowed if it says the same: the
    folder is written once more and the listed release stays as it is. `require_held` is asked
    before anything is written, and again in the transaction in which folder and row appear; what it
    raises stops the release. `report` is told how far it is, and `note` what does not stop it:
    earlier releases whose folder cannot be compared with. `sign` signs a folder
    (tomahto.releases.stored.signature), unless it is there already and signed.

    Raises ReleaseRefused, StoreError or ReleaseError, such as DishonestVersion; nothing is listed
    then, and no folder is left.
    """
    out = out.resolve() if isinstance(out, Path) else out
    progress = ReleaseProgress(report)
    # before anything is read: whatever is stored from then on may be missing from it
    began = Campaign.objects.annotate(now=Now()).values_list("now", flat=True).get(pk=campaign.pk)
    planned = planned_with_progress(_collected(campaign, plan), progress)
    dataset = planned.dataset
    release = Release(
        campaign=campaign,
        version=plan.version,
        digest=planned.manifest.digest,
        seed=plan.seed,
        split=plan.split,
        splits={name: len(items) for name, items in dataset.items_by_split.items()},
        documents=_documents(dataset),
        items=len(dataset.items),
        ratings=dataset.counted_ratings,
        path=str(out),
        created_by=created_by,
        created_at=began,
    )
    _check(release)
    for unread in require_honest(planned.compared(), campaign):
        note(unread)
    require_held()
    listing = Listing(release, require_held)
    if isinstance(out, ObjectPlace):
        store_release(planned, out, listing, progress)
    elif _is_there(release, planned.manifest.formats):
        listing.take_over()
        if sign and not (out / SIGNATURE).exists():
            add_signature(out, sign)
    else:
        _write(planned, out, listing, progress, sign)
    progress.finished()
    return listing.release


def planned_with_progress(content: ReleaseContent, progress: ReleaseProgress) -> PlannedRelease:
    """Raises ReleaseError if nothing can be released."""
    progress.read(content.rows)
    planned = planned_release(content)
    progress.labelled(planned.dataset.rows)
    return planned


def _collected(campaign: Campaign, plan: ReleasePlan) -> ReleaseContent:
    content = release_content(campaign=campaign, plan=plan)
    blanks = blanks_among(content.documentation.answers) if plan.requires_datasheet else ()
    if blanks:
        raise ReleaseRefused(f"the datasheet is incomplete; unanswered: {', '.join(blanks)}")
    return content


def _documents(dataset: Dataset) -> dict[str, str]:
    """The split of each document; none where documents are not kept whole. Of one that the source
    has on a kept side as well, it is where the rest was put."""
    spec = dataset.terms.spec
    if not spec.shares:
        return {}
    documents: dict[str, str] = {}
    for is_divided in (False, True):
        sides = chain(
            ((item.record.document, item.split) for item in dataset.items),
            ((each.question.document, each.splits[0]) for each in dataset.answers),
        )
        documents |= {name: side for name, side in sides if (side in spec.shares) == is_divided}
    return documents


def _check(release: Release) -> None:
    """Before anything is written: the row can be stored, and its version is free or the same."""
    try:
        release.clean_fields(exclude={"campaign", "created_by", "created_at", "documents"})
    except ValidationError as error:
        problems = (f"{field}: {' '.join(texts)}" for field, texts in error.message_dict.items())
        raise ReleaseRefused("; ".join(problems)) from error
    listed = Release.objects.filter(campaign=release.campaign, version=release.version).first()
    if listed is not None:
        require_same(listed, release)


def _write(
    planned: PlannedRelease,
    out: Path,
    listing: Listing,
    progress: ReleaseProgress,
    sign: Sign | None,
) -> None:
    """Write and list the folder.

    An empty one in its place is taken, and put back if the release fails.
    """
    is_empty_folder = out.is_dir() and not any(out.iterdir())
    if is_empty_folder:
        out.rmdir()
    try:
        write_release(planned, out, publish=listing.publish, wrote=progress.wrote, sign=sign)
    except BaseException:
        if is_empty_folder:
            out.mkdir()
        raise


def release_content(*, campaign: Campaign, plan: ReleasePlan) -> ReleaseContent:
    """Everything the planned release is made of, as it stands at one moment.

    Raises ReleaseRefused and ReleaseError.
    """
    spec, selection = parse_split_spec(plan.split), plan.selection
    with one_moment():
        _check_selection(campaign, selection)
        record = campaign_record(campaign, selection)
        items = take_in_items(item_records(campaign, selection))
        return ReleaseContent(
            campaign=record,
            items=items,
            ratings=take_in_ratings(
                rating_records(campaign, selection, with_comments=plan.comments),
                record.scheme.labels,
                record.question_keys,
                record.question_schemes,
                (item.id for item in items),
            ),
            adjudications=list(adjudication_records(campaign, selection)),
            answers=take_in_answers(answer_records(campaign)),
            spec=spec,
            seed=plan.seed,
            labels=plan.labels,
            selection=selection,
            left_out=left_out(campaign, selection),
            formats=plan.formats,
            version=plan.version,
            created_at=timezone.now(),
            kept_documents=documents_kept(campaign, spec=spec, seed=plan.seed),
            documentation=documentation(campaign),
            software=f"tomahto {settings.VERSION}",
            has_comments=plan.comments,
            names=known_names(campaign) if plan.comments else NOBODY,
            personal_data_reason=plan.personal_data_reason,
            audit=audit_head(),
        )


def _check_selection(campaign: Campaign, selection: Selection) -> None:
    missing = missing_guidelines(campaign, selection)
    if missing:
        known = ", ".join(str(guideline.version) for guideline in campaign.guidelines.all())
        raise ReleaseRefused(
            f"guidelines of version {', '.join(map(str, missing))} do not exist; known: "
            f"{known or 'none'}"
        )


def _is_there(release: Release, formats: tuple[str, ...]) -> bool:
    """Whether the folder holds this very release in these formats already, whole."""
    if not (release.folder / MANIFEST).is_file() or verify_release(release.folder):
        return False
    manifest = read_manifest(release.folder)
    stored = (manifest.campaign, manifest.version, manifest.digest, manifest.formats)
    return stored == (release.campaign.slug, release.version, release.digest, formats)


LIVE_PREVIEW = 10_000  # ratings: 1.5 s of a processor, most of it to read them


def is_live(campaign: Campaign) -> bool:
    return current_ratings(campaign)[: LIVE_PREVIEW + 1].count() <= LIVE_PREVIEW


def preview(
    *, campaign: Campaign, plan: ReleasePlan, report: Report = lambda _done, _total: None
) -> dict[str, Any]:
    """The figures of the release as it would be now, as `release_preview` makes them, and with
    `step` which number would be honest (tasks.releases.workflow.versions).

    Raises SplitError or another ReleaseError if it cannot be made, and StoreError.
    """
    progress = ReleaseProgress(report)
    planned = planned_with_progress(release_content(campaign=campaign, plan=plan), progress)
    step = asdict(honest_version(planned.compared(), campaign))
    figures = release_preview(planned) | {"step": step | {"reasons": list(step["reasons"])}}
    progress.finished()
    return figures


def preview_result(figures: Mapping[str, Any]) -> dict[str, str]:
    """Of a job: the figures as text, since PostgreSQL does not keep the order of an object's keys,
    and splits and labels have one."""
    return {"figures": json.dumps(figures, allow_nan=False)}


def figures_of(job: Job) -> dict[str, Any] | None:
    return json.loads(job.result["figures"]) if job.result else None


def preview_parameters(plan: ReleasePlan) -> dict[str, Any]:
    """Of a job: the plan without what no figure depends on."""
    return replace(
        plan, version="0.0.0", personal_data_reason="", requires_datasheet=False
    ).as_json()


def latest_preview(campaign: Campaign, plan: ReleasePlan) -> Job | None:
    """The latest job that was to preview the plan, cancelled ones left out."""
    asked = Job.objects.filter(
        campaign=campaign, kind=JobKind.PREVIEW, parameters=preview_parameters(plan)
    )
    return asked.exclude(state=JobState.CANCELLED).first()
