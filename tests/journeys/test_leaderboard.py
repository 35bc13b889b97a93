"""A researcher hands in a system, sees it scored without touching anything, and takes it back."""

import json
import uuid
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.journeys.conftest import OpenPage, Tomahto, violations
from tests.tasks.evaluations.leaderboards import answers, as_file

pytestmark = pytest.mark.browser

_FILL = """
from pathlib import Path
from tests.tasks.evaluations.leaderboards import answers, make_release, submit, work
release = make_release(Path({folder!r}), {slug!r})
submit(release, "alder", answers(1))
work()
"""
_WORK = "from tests.tasks.evaluations.leaderboards import work; work()"


def test_a_system_is_submitted_scored_and_withdrawn(
    tomahto: Tomahto, open_page: OpenPage, tmp_path: Path
) -> None:
    slug = f"board-{uuid.uuid4().hex[:8]}"
    tomahto.site.python(_FILL.format(folder=str(tmp_path), slug=slug))
    fern = tomahto.person(f"fern-{slug}", slug, "researcher")
    page = open_page(fern, f"/login/?next=/c/{slug}/releases/1.0.0/")
    page.get_by_role("link", name="Compare systems on this release").click()
    rows = page.locator("#board-table tbody tr")
    expect(rows).to_have_count(1)

    (tmp_path / "bad.json").write_text(json.dumps({"elsewhere": "x"}))
    (tmp_path / "good.json").write_bytes(as_file(answers(12)))
    page.get_by_role("textbox", name="System").fill("cedar")
    page.get_by_label("File of predictions").set_input_files(tmp_path / "bad.json")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_contain_text(
        "bad.json: question 'elsewhere' and all others"
    )
    page.get_by_label("File of predictions").set_input_files(tmp_path / "good.json")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("being scored")).to_be_visible()
    assert violations(page) == []

    tomahto.site.python(_WORK)
    expect(rows).to_have_count(2, timeout=30_000)  # the page asks by itself
    expect(rows.first).to_contain_text("cedar")
    expect(page.locator("figure.chart svg")).to_be_visible()

    page.get_by_role("link", name="Withdraw cedar").click()
    page.get_by_label("Reason").fill("The wrong file.")
    page.get_by_role("button", name="Withdraw this submission").click()
    expect(rows).to_have_count(1)
    expect(page.get_by_text("The wrong file.")).to_be_visible()
