"""Releases: all of them, their files, and one of them with its card and its figures or, where it
was withdrawn, what stands in its place.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from itertools import pairwise
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards import ADMIN, RESULTS
from tasks.access.guards.pages import BOTH, member_page
from tasks.agreement.shown.labels import label_colours
from tasks.models import UNFINISHED, Campaign, Job, JobKind, Membership, Release
from tasks.rating.workflow.exports import export_ratings
from tasks.release_store.files import NoSuchFile, ReleaseFiles, read_whole
from tasks.release_store.released import files_of
from tasks.releases.forms import LABEL_CHOICES, WithdrawalForm
from tasks.releases.shown import found_release
from tasks.releases.workflow.listing import WithdrawalRefused, note_download, withdraw_release
from tasks.votes.all_votes import votes_warning_page
from tasks.web.addresses import Tab, page_at
from tasks.web.downloads import send_archive, send_file, send_lines
from tasks.web.page import page_with_forms, told_while_store_is_down
from tomahto.releases.dataset.split_report import SPLITS
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.manifest import CHECKSUMS, MANIFEST, Manifest, parse_manifest


@page_at(
    "c/<slug:slug>/releases/",
    name="releases",
    calls=("api-releases",),
    tab=Tab(gettext_lazy("Releases"), RESULTS),
    help="releases.md",
)
@told_while_store_is_down
@member_page(RESULTS)
def releases(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """All releases, newest first, and those that are being built."""
    campaign = membership.campaign
    jobs = Job.objects.filter(campaign=campaign, kind=JobKind.RELEASE, state__in=UNFINISHED)
    context = {
        "membership": membership,
        "releases": Release.objects.filter(campaign=campaign).select_related("withdrawal"),
        "running": jobs,
    }
    return render(request, "releases/list.html", context)


@page_at(
    "c/<slug:slug>/releases/ratings.jsonl", name="ratings-export", calls=("api-ratings-export",)
)
@member_page(RESULTS)
def ratings(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The ratings as they stand, for who cannot wait for a release."""
    if asked := votes_warning_page(request, membership):
        return asked
    campaign = membership.campaign
    return send_lines(export_ratings(campaign=campaign), f"{campaign.slug}-ratings.jsonl")


def archive_name(release: Release) -> str:
    return f"{release.campaign.slug}-{release.version}"


@page_at(
    "c/<slug:slug>/releases/<text:version>/download",
    name="release-download",
    calls=("api-releases", "api-release-file"),
)
@told_while_store_is_down
@member_page(RESULTS)
def download(request: HttpRequest, membership: Membership, version: str) -> HttpResponseBase:
    found = found_release(membership.campaign, version)
    if found.withdrawn:
        return withdrawn_page(request, membership, found, is_download=True)
    if asked := votes_warning_page(request, membership, found.created_at):
        return asked
    files = files_of(found)
    if request.method == "GET":
        note_download(release=found, by=membership)
    return send_archive(files, archive_name(found))


@page_at(
    "c/<slug:slug>/releases/<text:version>/files/<path:path>",
    name="release-file",
    calls=("api-release-file",),
)
@told_while_store_is_down
@member_page(RESULTS)
def file(request: HttpRequest, membership: Membership, version: str, path: str) -> HttpResponseBase:
    found = found_release(membership.campaign, version)
    if found.withdrawn:
        return withdrawn_page(request, membership, found, is_download=True)
    if asked := votes_warning_page(request, membership, found.created_at):
        return asked
    try:
        return send_file(request, files_of(found), path)
    except NoSuchFile:
        raise Http404 from None


_FENCE = "---\n"


@dataclass(frozen=True, slots=True)
class ReleaseFile:
    """A file as the manifest lists it; the manifest and the checksums do not list themselves."""

    path: str
    size: int | None = None
    sha256: str = ""


@page_at("c/<slug:slug>/releases/<text:version>/", name="release", calls=("api-releases",))
@told_while_store_is_down
@member_page(RESULTS)
def release(request: HttpRequest, membership: Membership, version: str) -> HttpResponseBase:
    found = found_release(membership.campaign, version)
    if found.withdrawn:
        return withdrawn_page(request, membership, found)
    if asked := votes_warning_page(request, membership, found.created_at):
        return asked
    try:
        context = _context(membership, found)
    except (NoSuchFile, ReleaseError, ValueError):
        context = {"membership": membership, "release": found}
        return render(request, "releases/missing.html", context)
    return render(request, "releases/detail.html", context)


def _context(membership: Membership, found: Release) -> dict[str, Any]:
    """Raises NoSuchFile, ReleaseError or ValueError if the files are not there as they were."""
    stored = files_of(found)
    manifest = parse_manifest(_json(stored, MANIFEST))
    files = {file.path: file for file in manifest.files}
    return {
        "membership": membership,
        "release": found,
        "labels": LABEL_CHOICES[manifest.terms.choice],
        "manifest": manifest,
        "card": _without_front_matter(read_whole(stored, "README.md").decode()),
        "folder": reverse("release", args=[membership.campaign.slug, found.version]) + "files/",
        "files": [
            *(ReleaseFile(path, files[path].bytes, files[path].sha256) for path in sorted(files)),
            ReleaseFile(MANIFEST),
            ReleaseFile(CHECKSUMS),
        ],
        "archive": archive_name(found),
        "citation": _citation(found, manifest),
        **release_figures(
            membership.campaign,
            _json(stored, "agreement.json"),
            _json(stored, "statistics.json"),
            _json(stored, SPLITS),
        ),
    }


def _json(files: ReleaseFiles, path: str) -> Any:
    return json.loads(read_whole(files, path).decode())


def _without_front_matter(card: str) -> str:
    """The text for people: the front matter is for programs."""
    if not card.startswith(_FENCE):
        return card
    return card.removeprefix(_FENCE).partition(f"\n{_FENCE}")[2]


def _citation(release: Release, manifest: Manifest) -> str:
    made = date_format(release.created_at, "Y-m-d")
    title = " ".join(manifest.title.split())
    return f"{title}. Version {release.version}, {made}. SHA-256 {release.digest}."


@page_at(
    "c/<slug:slug>/releases/<text:version>/withdraw/",
    name="release-withdraw",
    calls=("api-release-withdrawal",),
    help="releases.md#withdrawing-a-release",
)
@member_page(ADMIN, BOTH, while_archived=True)
def withdraw(request: HttpRequest, membership: Membership, version: str) -> HttpResponseBase:
    release = found_release(membership.campaign, version)
    form = WithdrawalForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            withdraw_release(release=release, reason=form.cleaned_data["reason"], by=membership)
        except WithdrawalRefused:  # by somebody else, meanwhile
            messages.error(request, _("The release had already been withdrawn."))
        else:
            messages.success(request, _("The release has been withdrawn."))
    if form.is_valid() or release.withdrawn:
        return redirect("release", membership.campaign.slug, version)
    context = {"membership": membership, "release": release, "form": form}
    return page_with_forms(request, "releases/withdraw.html", context)


def withdrawn_page(
    request: HttpRequest, membership: Membership, release: Release, *, is_download: bool = False
) -> HttpResponse:
    """The known facts of a withdrawn release without its folder; 410 to those who want its
    files."""
    context = {"membership": membership, "release": release}
    status = HTTPStatus.GONE if is_download else HTTPStatus.OK
    return render(request, "releases/withdrawn.html", context, status=status)


Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    sizes: Json
    agreement: Json
    is_whole: bool = False


def release_figures(
    campaign: Campaign, agreement: Json, statistics: Json, splits: Json
) -> dict[str, Any]:
    """The values of agreement.json, statistics.json and splits.json for
    templates/releases/figures.html."""
    sizes, histogram = statistics["sizes"], statistics["f1_histogram"]
    labels, bars = splits["labels"], histogram["labels"].values()
    return {
        "parts": [
            *(
                Part(name, sizes["splits"][name], part)
                for name, part in agreement["splits"].items()
            ),
            Part(_("whole"), sizes["total"], agreement["whole"], is_whole=True),
        ],
        "set_aside": "set_aside_ratings" in sizes["total"],
        "label_heads": _heads(campaign, next(iter(labels.values()))),
        "label_rows": [
            {"split": split, "counts": tuple(counts.values())} for split, counts in labels.items()
        ],
        "histogram": {
            "heads": _heads(campaign, histogram["labels"]),
            "bins": list(zip(pairwise(histogram["edges"]), zip(*bars, strict=True), strict=True)),
            "without_references": histogram["without_references"],
        },
        "systems": statistics.get("systems", ()),
        "splits_report": splits,
    }


def _heads(campaign: Campaign, labels: Iterable[str]) -> list[tuple[str, str]]:
    titles, colours = campaign.annotation_protocol.titles, label_colours(campaign)
    return [(titles.get(label, label), str(colours.get(label, ""))) for label in labels]
