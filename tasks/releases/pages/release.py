"""One release: its card, its figures, how to use it, its files."""

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format

from tasks.access.guards.pages import member_page
from tasks.access.guards.roles import RESULTS
from tasks.models import Membership, Release
from tasks.release_store.interface import NoSuchFile, ReleaseFiles, read_whole
from tasks.release_store.released import files_of
from tasks.releases.forms import LABEL_CHOICES
from tasks.releases.pages.figures import release_figures
from tasks.releases.pages.releases import archive_name
from tasks.releases.pages.withdrawal import withdrawn_page
from tasks.releases.shown.called import found_release
from tasks.votes.all_votes import asks_first
from tasks.web.addresses import page_at
from tasks.web.error_pages import told_while_store_is_down
from tomahto.releases.dataset.split_report import SPLITS
from tomahto.releases.records.errors import ReleaseError
from tomahto.releases.stored.manifest import CHECKSUMS, MANIFEST, Manifest, parse_manifest

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
    if asked := asks_first(request, membership, found.created_at):
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
        "card": _without_front_matter(_text(stored, "README.md")),
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


def _text(files: ReleaseFiles, path: str) -> str:
    """A text file of the release."""
    return read_whole(files, path).decode()


def _json(files: ReleaseFiles, path: str) -> Any:
    return json.loads(_text(files, path))


def _without_front_matter(card: str) -> str:
    """What people read: the front matter is for programs."""
    if not card.startswith(_FENCE):
        return card
    return card.removeprefix(_FENCE).partition(f"\n{_FENCE}")[2]


def _citation(release: Release, manifest: Manifest) -> str:
    made = date_format(release.created_at, "Y-m-d")
    title = " ".join(manifest.title.split())
    return f"{title}. Version {release.version}, {made}. SHA-256 {release.digest}."
