"""One release: what its page says is what its files say."""

import json
import re
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path

import pytest
from django.test import Client
from django.utils.html import escape

from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Release
from tests.exporters.folders import contents
from tests.factories import make_campaign, make_item, make_labelled_items, make_member
from tests.tasks.browsers import compact, signed_in
from tests.tasks.conftest import rating_row
from tests.tasks.releases.releasing import publish
from tests.tasks.statements import statements
from tomahto.releases.stored.manifest import read_manifest

pytestmark = pytest.mark.slow


PAGE = "/c/lakes/releases/1.0.0/"


@pytest.fixture(scope="module")
def _published(kept_rows: None, tmp_path_factory: pytest.TempPathFactory) -> Release:
    campaign = make_campaign(
        "lakes", title="Lakes & rivers", description="# Deep <script>alert(1)</script>\n\n*Very.*"
    )
    make_labelled_items(campaign, items=12, documents=6)
    return publish(campaign, tmp_path_factory.mktemp("releases") / "1.0.0", seed=campaign.seed)


@pytest.fixture
def release(_published: Release, db: None) -> Release:
    return Release.objects.get(pk=_published.pk)


@pytest.fixture
def campaign(release: Release) -> Campaign:
    return release.campaign


@pytest.fixture
def researcher(campaign: Campaign) -> Client:
    return signed_in(make_member(campaign, "researcher"))


def page(browser: Client, path: str = PAGE) -> str:
    response = browser.get(path)
    assert response.status_code == HTTPStatus.OK
    return " ".join(response.content.decode().split())


def test_links_of_the_card_lead_to_the_files_of_the_release(
    release: Release, researcher: Client
) -> None:
    html = page(researcher)
    card = html[html.index("Read the card") : html.index("<h2>Files</h2>")]
    links = re.findall(r'href="([^"]+)"', card)
    assert f"{PAGE}files/datasheet.md" in links
    assert f"{PAGE}files/LICENSE.md" in links
    for link in links:
        if not link.startswith("https:"):
            answer = researcher.get(link)
            assert (link, answer.status_code) == (link, 200)
            assert answer.getvalue()


def test_card_is_read_without_front_matter_and_without_html(
    release: Release, researcher: Client
) -> None:
    html = page(researcher)
    card = html[html.index("Read the card") :]
    assert "<p># Deep" in card
    assert "*Very.*" in card
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in card
    assert "<script>alert" not in html
    assert "license: cc-by-4.0" not in html
    assert "license: cc-by-4.0" in (release.folder / "README.md").read_text()


def test_files_stand_with_their_sizes_and_hashes(release: Release, researcher: Client) -> None:
    html = page(researcher)
    files = html[html.index("<h2>Files</h2>") :]
    manifest = read_manifest(release.folder)
    for file in manifest.files:
        row = files[files.index(f"files/{file.path}") :]
        assert file.sha256 in row[: row.index("</tr>")]
    links = re.findall(r'href="/c/lakes/releases/1.0.0/files/([^"]*)"', files)
    assert set(links) == contents(release.folder).keys()


def table_rows(html: str, table: str) -> list[str]:
    body = compact(html[html.index(f'<table id="{table}"') :])
    return body[body.index("<tbody>") : body.index("</tbody>")].split("</tr>")[:-1]


def test_systems_have_the_figures_of_the_page_of_systems(
    campaign: Campaign, researcher: Client, tmp_path: Path
) -> None:
    make_item(campaign, systems=("aspen",), candidate="in the northern hills")  # not rated
    publish(campaign, tmp_path / "release", "1.1.0", seed=campaign.seed)
    of_campaign = table_rows(page(researcher, "/c/lakes/agreement/systems/"), "accuracy-table")
    of_release = table_rows(page(researcher, "/c/lakes/releases/1.1.0/"), "systems-table")
    assert ["juniper" in row for row in of_release] == [True, False]  # the best first
    assert len(of_campaign) == 2
    for mine, theirs in zip(of_release, of_campaign, strict=True):
        assert mine.startswith(theirs)


def test_figures_are_those_of_the_files(release: Release, researcher: Client) -> None:
    html = page(researcher)
    labels = json.loads((release.folder / "splits.json").read_text())["labels"]
    table = html[html.index('<table id="split-labels-table"') :]
    for name, counts in labels.items():
        cells = "".join(
            f'<td class="number-cell" data-value="{number}">{number}</td>'
            for number in counts.values()
        )
        assert f'<th scope="row">{name}</th>{cells}</tr>' in table
    histogram = json.loads((release.folder / "statistics.json").read_text())["f1_histogram"]
    bins = html[html.index('<table id="f1-table"') :]
    first = [counts[0] for counts in histogram["labels"].values()]
    cells = "".join(f'<td class="number-cell" data-value="{n}">{n}</td>' for n in first)
    assert f'<th scope="row">0.0–0.1</th>{cells}</tr>' in bins


def test_release_is_cited_by_title_version_and_digest(release: Release, researcher: Client) -> None:
    made = f"{release.created_at:%Y-%m-%d}"
    line = f"Lakes & rivers. Version 1.0.0, {made}. SHA-256 {release.digest}."
    assert escape(line) in page(researcher)


def test_a_larger_release_says_more_and_costs_the_same_statements(
    campaign: Campaign, researcher: Client, tmp_path: Path
) -> None:
    rows = [rating_row(1, f"r{n}", "equivalent", item_id="labelled-001") for n in range(30)]
    rows[0] = replace(rows[0], comment="call 555-0199")
    import_ratings(campaign=campaign, rows=rows)
    confirmed = {"comments": True, "personal_data_reason": "Agreed <b>so."}
    publish(campaign, tmp_path / "more", "1.1.0", **confirmed)
    larger = "/c/lakes/releases/1.1.0/"
    page(researcher, larger)  # the first look at votes is noted
    few, _page = statements(lambda: page(researcher))
    more, html = statements(lambda: page(researcher, larger))
    assert more == few
    assert "released; 1 may hold personal data: Agreed &lt;b&gt;so." in html


@pytest.mark.parametrize("manifest", [None, "{"])
def test_page_of_a_release_whose_files_are_lost_says_so(
    release: Release, researcher: Client, campaign: Campaign, tmp_path: Path, manifest: str | None
) -> None:
    if manifest:
        (tmp_path / "manifest.json").write_text(manifest)
    Release.objects.update(path=str(tmp_path))
    html = page(researcher)
    assert "The files of this release are missing" in html
    assert release.digest in html
    assert str(tmp_path) not in html
    assert str(tmp_path) in page(signed_in(make_member(campaign, "admin")))
