"""The main job in one browser: from a question file to a release that verifies."""

import json
import uuid
import zipfile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.conftest import OpenPage, Person, Tomahto, sign_in
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.browser

RIVERS = {"Vistula": "Warsaw", "Seine": "Paris", "Spree": "Berlin", "Tiber": "Rome"}


def question_file() -> dict[str, Any]:
    """SQuAD 2.0: one article per river, one question each."""
    return {
        "version": "v2.0",
        "data": [
            {
                "title": river,
                "paragraphs": [
                    {
                        "context": f"The {river} flows through {city}, an old city.",
                        "qas": [
                            {
                                "id": river.lower(),
                                "question": f"Which city lies on the {river}?",
                                "is_impossible": False,
                                "answers": [
                                    {"text": city, "answer_start": 19 + len(river)},
                                ],
                            }
                        ],
                    }
                ],
            }
            for river, city in RIVERS.items()
        ],
    }


def prediction_file() -> dict[str, str]:
    """One exact match, which is never rated, and three answers to judge."""
    return {"vistula": "Warsaw", "seine": "old Paris", "spree": "Bonn", "tiber": "Rome, the old"}


def staff(tomahto: Tomahto) -> Person:
    person = Person(f"oak-{uuid.uuid4().hex[:8]}", "a password of the tests")
    tomahto.site.python(
        "from tasks.models import User\n"
        f"User.objects.create_user({person.username!r}, password={person.password!r},"
        " is_staff=True)"
    )
    return person


def create_campaign(page: Page, slug: str) -> None:
    page.get_by_role("link", name="New campaign").click()
    page.get_by_label("Title").fill("Cities on rivers")
    page.get_by_label("Short name").fill(slug)
    page.get_by_role("radio", name="Answer equivalence").check()
    page.get_by_label("Ratings per item").fill("2")
    page.get_by_role("button", name="Create campaign").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Cities on rivers")


def upload(page: Page, kind: str, path: Path, system: str = "") -> None:
    card = page.get_by_role("region", name=kind, exact=True)
    if system:
        card.get_by_label("System").fill(system)
    card.get_by_label("File").set_input_files(path)
    card.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name=f"{kind} from {path.name}")).to_be_visible()


def create_rater(page: Page, slug: str, name: str) -> Person:
    page.goto(f"/c/{slug}/settings/members/")
    page.locator("#new-username").fill(name)
    page.get_by_role("button", name="Create account").click()
    return Person(name, page.locator("#new-password").inner_text())


def rate_all(page: Page, equivalent: set[str]) -> None:
    """Judge what comes until nothing is left; the named candidates are equivalent."""
    while page.locator("#item-question").count():
        question = page.locator("#item-question").inner_text()
        candidate = page.locator(".candidate dd").inner_text()
        for key in ("n", "y") if candidate in equivalent else ("y",):
            page.keyboard.press(key)
        page.keyboard.press("Enter")
        expect(page.locator(".stored")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).not_to_have_text(question)


def build_release(page: Page, slug: str) -> None:
    page.goto(f"/c/{slug}/releases/")
    page.get_by_role("link", name="New release").click()
    page.get_by_label("dev", exact=True).fill("50")
    page.get_by_label("test", exact=True).fill("50")
    page.get_by_role("button", name="Build release").click()
    page.wait_for_url("**/releases/1.0.0/", timeout=60_000)


@pytest.mark.representative("the main job in a browser")
def test_from_a_question_file_to_a_release_that_verifies(
    tomahto: Tomahto, open_page: OpenPage, tmp_path: Path
) -> None:
    tomahto.site.start_worker()
    slug = f"cities-{uuid.uuid4().hex[:8]}"
    questions, predictions = tmp_path / "questions.json", tmp_path / "predictions.json"
    questions.write_text(json.dumps(question_file()))
    predictions.write_text(json.dumps(prediction_file()))

    page = open_page(staff(tomahto), "/login/")
    create_campaign(page, slug)
    page.get_by_role("link", name="Import questions").click()
    upload(page, "Questions", questions)
    upload(page, "Predictions", predictions, system="heron")
    expect(page.get_by_text("of them exact matches")).to_contain_text("1")

    page.goto(f"/c/{slug}/jobs/")
    page.get_by_role("button", name="Start suggestions").click()
    expect(page.get_by_text("Done", exact=True)).to_be_visible(timeout=60_000)

    names = [f"pine-{slug}", f"elm-{slug}"]
    raters = [create_rater(page, slug, name) for name in names]
    verdicts = [{"old Paris", "Rome, the old"}, {"old Paris"}]
    for rater, equivalent in zip(raters, verdicts, strict=True):
        rate_all(open_page(rater, f"/c/{slug}/rate/"), equivalent)
    assert len(tomahto.ratings(slug)) == 6

    page.goto(f"/c/{slug}/agreement/")
    # votes: Paris 2 of 2 equivalent, Bonn 0 of 2, Rome 1 of 2
    expect(page.get_by_text("of 3 rated items have no majority label")).to_be_visible()
    expect(page.get_by_text("n = 3 items with two or more ratings").first).to_be_visible()
    # observed disagreement 1/3, expected 2·3·3/(6·5) = 3/5: alpha = 1 − 5/9
    expect(page.locator(".big").get_by_text("0.444", exact=True)).to_be_visible()

    build_release(page, slug)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download all (ZIP)").click()
    archive = tmp_path / download.value.suggested_filename
    download.value.save_as(archive)
    with zipfile.ZipFile(archive) as folder:
        folder.extractall(tmp_path)
    assert verify_release(tmp_path / f"{slug}-1.0.0") == []
    manifest = json.loads((tmp_path / f"{slug}-1.0.0" / "manifest.json").read_text())
    assert manifest["digest"] in page.content()


def test_a_person_signs_out_and_in_again(open_page: OpenPage, tomahto: Tomahto) -> None:
    person = staff(tomahto)
    page = open_page(person, "/login/")
    page.locator("details.menu summary").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Log in")
    sign_in(page, person)
    expect(page.get_by_role("heading", level=1)).to_have_text("My campaigns")
