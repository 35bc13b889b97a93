"""One release: what its page says is what its files say."""

import json
import re
from http import HTTPStatus
from pathlib import Path

import pytest
from django.utils.html import escape

from exporters.plan import ReleasePlan
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Membership, Release
from tasks.releases.workflow.release import publish_release
from tests.factories import make_campaign, make_item, make_labelled_items, make_member
from tests.tasks.browsers import compact, signed_in
from tests.tasks.conftest import rating_row
from tests.tasks.statements import statements
from tomahto.releases.stored.manifest import read_manifest

pytestmark = pytest.mark.slow


PAGE = "/c/lakes/releases/1.0.0/"
SPLIT = "document:dev=30,test=70"


@pytest.fixture
def campaign(db: None) -> Campaign:
    campaign = make_campaign(
        "lakes", title="Lakes & rivers", description="# Deep <script>alert(1)</script>\n\n*Very.*"
    )
    make_labelled_items(campaign)
    return campaign


@pytest.fixture
def researcher(campaign: Campaign) -> Membership:
    return make_member(campaign, "researcher")


@pytest.fixture
def release(campaign: Campaign, tmp_path: Path) -> Release:
    plan = ReleasePlan(version="1.0.0", split=SPLIT, seed=0)
    return publish_release(campaign=campaign, plan=plan, out=tmp_path / "release")


def page(membership: Membership) -> str:
    response = signed_in(membership).get(PAGE)
    assert response.status_code == HTTPStatus.OK
    return " ".join(response.content.decode().split())


def test_links_of_the_card_lead_to_the_files_of_the_release(
    release: Release, researcher: Membership
) -> None:
    html = page(researcher)
    card = html[html.index("Read the card") : html.index("<h2>Files</h2>")]
    links = re.findall(r'href="([^"]+)"', card)
    assert f"{PAGE}files/datasheet.md" in links
    assert f"{PAGE}files/LICENSE.md" in links
    reader = signed_in(researcher)
    for link in links:
        if not link.startswith("https:"):
            answer = reader.get(link)
            assert (link, answer.status_code) == (link, 200)
            assert answer.getvalue()


def test_card_is_read_without_front_matter_and_without_html(
    release: Release, researcher: Membership
) -> None:
    html = page(researcher)
    card = html[html.index("Read the card") :]
    assert "<em>Very.</em>" in card
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in card
    assert "<script>alert" not in html
    assert "license: cc-by-4.0" not in html
    assert "license: cc-by-4.0" in (release.folder / "README.md").read_text()


def test_files_stand_with_their_sizes_and_hashes(release: Release, researcher: Membership) -> None:
    html = page(researcher)
    files = html[html.index("<h2>Files</h2>") :]
    manifest = read_manifest(release.folder)
    for file in manifest.files:
        row = files[files.index(f"files/{file.path}") :]
        assert file.sha256 in row[: row.index("</tr>")]
    links = re.findall(r'href="/c/lakes/releases/1.0.0/files/([^"]*)"', files)
    there = {
        path.relative_to(release.folder).as_posix()
        for path in release.folder.rglob("*")
        if path.is_file()
    }
    assert set(links) == there


def table_rows(html: str, table: str) -> list[str]:
    body = compact(html[html.index(f'<table id="{table}">') :])
    return body[body.index("<tbody>") : body.index("</tbody>")].split("</tr>")[:-1]


def test_systems_have_the_figures_of_the_page_of_systems(
    campaign: Campaign, researcher: Membership, tmp_path: Path
) -> None:
    make_item(campaign, systems=("aspen",), candidate="in the northern hills")  # not rated
    plan = ReleasePlan(version="1.0.0", split=SPLIT, seed=campaign.seed)
    publish_release(campaign=campaign, plan=plan, out=tmp_path / "release")
    response = signed_in(researcher).get("/c/lakes/agreement/systems/")
    of_campaign = table_rows(" ".join(response.content.decode().split()), "accuracy-table")
    of_release = table_rows(page(researcher), "systems-table")
    assert ["juniper" in row for row in of_release] == [True, False]  # the best first
    assert len(of_campaign) == 2
    for mine, theirs in zip(of_release, of_campaign, strict=True):
        assert mine.startswith(theirs)


def test_figures_are_those_of_the_files(release: Release, researcher: Membership) -> None:
    html = page(researcher)
    labels = json.loads((release.folder / "splits.json").read_text())["labels"]
    table = html[html.index('<table id="split-labels-table">') :]
    for name, counts in labels.items():
        cells = "".join(
            f'<td class="number-cell" data-value="{number}">{number}</td>'
            for number in counts.values()
        )
        assert f'<th scope="row">{name}</th>{cells}</tr>' in table
    histogram = json.loads((release.folder / "statistics.json").read_text())["f1_histogram"]
    bins = html[html.index('<table id="f1-table">') :]
    first = [counts[0] for counts in histogram["labels"].values()]
    cells = "".join(f'<td class="number-cell" data-value="{n}">{n}</td>' for n in first)
    assert f'<th scope="row">0.0–0.1</th>{cells}</tr>' in bins


def test_release_is_cited_by_title_version_and_digest(
    release: Release, researcher: Membership
) -> None:
    made = f"{release.created_at:%Y-%m-%d}"
    line = f"Lakes & rivers. Version 1.0.0, {made}. SHA-256 {release.digest}."
    assert escape(line) in page(researcher)


def test_confirmed_personal_data_is_said(
    campaign: Campaign, researcher: Membership, tmp_path: Path
) -> None:
    comment = "call 555-0199"
    row = rating_row(1, "cat", "equivalent", item_id="labelled-001", comment=comment)
    import_ratings(campaign=campaign, rows=[row])
    plan = ReleasePlan(
        version="1.0.0", split=SPLIT, seed=0, comments=True, personal_data_reason="Agreed <b>so."
    )
    publish_release(campaign=campaign, plan=plan, out=tmp_path / "release")
    assert "released; 1 may hold personal data: Agreed &lt;b&gt;so." in page(researcher)


def test_page_costs_the_same_statements_whatever_the_release_holds(
    release: Release, researcher: Membership, campaign: Campaign, tmp_path: Path
) -> None:
    browser = signed_in(researcher)
    browser.get(PAGE)
    few, _page = statements(lambda: browser.get(PAGE))
    rows = [rating_row(1, f"r{n}", "equivalent", item_id="labelled-001") for n in range(30)]
    import_ratings(campaign=campaign, rows=rows)
    plan = ReleasePlan(version="1.1.0", split=SPLIT, seed=0)
    publish_release(campaign=campaign, plan=plan, out=tmp_path / "more")
    more, _page = statements(lambda: browser.get("/c/lakes/releases/1.1.0/"))
    assert more == few


@pytest.mark.parametrize("harm", ["gone", "cut"])
def test_page_of_a_release_whose_files_are_lost_says_so(
    release: Release, researcher: Membership, campaign: Campaign, harm: str
) -> None:
    if harm == "gone":
        release.folder.rename(release.folder.with_name("moved"))
    else:
        (release.folder / "manifest.json").write_text("{")
    html = page(researcher)
    assert "Its files are not where they were written" in html
    assert release.digest in html
    assert str(release.folder) not in html
    assert str(release.folder) in page(make_member(campaign, "admin"))
