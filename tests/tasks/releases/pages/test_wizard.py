"""A new release: what the draft may say, what its preview shows, and when a job is started."""

import json
import re
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.intake.workflow.ratings import import_ratings
from tasks.jobs import work as jobs
from tasks.models import Campaign, Job, JobKind, JobState, Membership, Release
from tasks.releases.pages import drafts as release_wizard
from tasks.releases.workflow import release as release_preview
from tests.factories import make_campaign, make_item, make_items, make_labelled_items, make_member
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import rating_row
from tests.tasks.releases.releasing import publish, release_plan
from tests.tasks.statements import statements

pytestmark = pytest.mark.slow


PAGE = "/c/lakes/releases/new/"
SPLIT = "document:dev=30,test=70"
DRAFT = {
    "version": "1.0.0",
    "labels": "majority",
    "split_by": "document",
    "dev": "30",
    "test": "70",
    "seed": "3",
}
PLAN: dict[str, Any] = {
    "version": "1.0.0",
    "split": SPLIT,
    "seed": 3,
    "labels": "majority",
    "comments": False,
    "formats": None,
    "personal_data_reason": "",
    "requires_datasheet": False,
    "selection": {
        "without_controls": False,
        "without_deactivated": False,
        "guideline_versions": [],
        "consented_only": False,
    },
}
HTMX = {"HX-Request": "true"}
SPLIT = "document:dev=30,test=70"


@pytest.fixture(scope="module")
def _lakes(kept_rows: None) -> Campaign:
    campaign = make_campaign("lakes")
    make_labelled_items(campaign, items=12, documents=6)
    return campaign


@pytest.fixture
def campaign(_lakes: Campaign, db: None) -> Campaign:
    return Campaign.objects.get(pk=_lakes.pk)


@pytest.fixture
def researcher(campaign: Campaign) -> Membership:
    return make_member(campaign, "researcher")


@pytest.fixture
def browser(researcher: Membership) -> Client:
    return signed_in(researcher)


def post(browser: Client, action: str, **changes: Any) -> Any:
    return browser.post(PAGE, {**DRAFT, **changes, "action": action})


def preview(browser: Client, **changes: Any) -> str:
    response = browser.post(PAGE, {**DRAFT, **changes, "action": "preview"}, headers=HTMX)
    assert response.status_code == HTTPStatus.OK
    return str(response.content.decode())


def systems_of(campaign: Campaign, *names: str) -> dict[str, str]:
    """The fields of the campaign's systems by name, after more of them have come."""
    for name in names:
        make_item(campaign, systems=(name,))
    return {name: f"system-{pk}" for pk, name in campaign.systems.values_list("pk", "name")}


def test_page_proposes_a_first_version_and_the_campaigns_seed(
    browser: Client, campaign: Campaign
) -> None:
    campaign.seed = 77
    campaign.save()
    html = browser.get(PAGE).content.decode()
    assert re.search(r'<input[^>]*name="version"[^>]*value="1.0.0"', html)
    assert re.search(r'<input[^>]*name="seed"[^>]*value="77"', html)
    assert 'value="system"' in html  # the labelled items are of one
    assert not Job.objects.exists()


def test_page_proposes_the_step_after_the_highest_version(
    browser: Client, campaign: Campaign, tmp_path: Path
) -> None:
    release = publish(campaign, tmp_path / "out", "1.9.0")
    release.pk, release.version = None, "1.10.2"
    release.save()
    html = browser.get(PAGE).content.decode()
    assert re.search(r'<input[^>]*name="version"[^>]*value="1.11.0"', html)


def test_release_is_started_as_it_was_drafted(
    browser: Client, campaign: Campaign, researcher: Membership
) -> None:
    response = post(browser, "build")
    job = Job.objects.get(campaign=campaign)
    assert (job.kind, job.parameters, job.created_by) == ("release", PLAN, researcher.user)
    assert response.status_code == HTTPStatus.SEE_OTHER
    assert response["Location"] == f"/c/lakes/jobs/{job.pk}/?open"


def test_number_that_says_too_little_is_refused_with_the_least_honest_one(
    browser: Client, campaign: Campaign, tmp_path: Path
) -> None:
    publish(campaign, tmp_path / "one", split=SPLIT, seed=3)
    new = make_item(campaign)
    import_ratings(campaign=campaign, rows=[rating_row(0, "ann", "equivalent", item_id=new.key)])
    assert "After 1.0.0, the version must be at least <b>1.1.0</b>." in preview(browser)
    response = post(browser, "build", version="1.0.1")
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "ask for at least version 1.1.0" in response.content.decode()
    assert not Job.objects.exists()
    post(browser, "build", version="1.1.0", requires_datasheet="on")
    assert Job.objects.get().parameters["requires_datasheet"]


@pytest.mark.parametrize(
    ("changes", "split"),
    [
        ({"train": "80", "dev": "5.5", "test": "14.5"}, "document:train=80,dev=5.5,test=14.5"),
        ({"dev": "", "test": "100"}, "document:test=100"),
        ({"stratify": "on", "leaks": "on"}, "document:dev=30,test=70:stratify=label:leaks=report"),
        ({"split_by": "folds", "folds": "4"}, "folds:4"),
        ({"split_by": "folds", "folds": "4", "stratify": "on"}, "folds:4:stratify=label"),
        ({"split_by": "text", "split": "document:a=40,b=60"}, "document:a=40,b=60"),
        # what belongs to another way of dividing is not looked at
        ({"folds": "1000000", "split": "nonsense"}, "document:dev=30,test=70"),
        ({"split_by": "folds", "folds": "1000000"}, None),
        ({"split": "nonsense"}, "document:dev=30,test=70"),
    ],
)
def test_plain_controls_write_the_split(
    browser: Client, changes: dict[str, str], split: str | None
) -> None:
    post(browser, "build", **changes)
    assert [job.parameters["split"] for job in Job.objects.all()] == ([split] if split else [])


def test_systems_are_sorted_into_splits(browser: Client, campaign: Campaign) -> None:
    fields = systems_of(campaign, "rowan+2", "larch")
    rate_everything(campaign)
    chosen = {fields["juniper"]: "dev", fields["larch"]: "test", fields["rowan+2"]: "dev"}
    post(browser, "build", split_by="system", **chosen)
    (job,) = Job.objects.all()
    assert job.parameters["split"] == "system:dev=juniper+rowan%2B2,test=larch"


def test_system_that_is_in_no_split_is_left_out(browser: Client, campaign: Campaign) -> None:
    fields = systems_of(campaign, "larch")
    rate_everything(campaign)
    html = preview(browser, split_by="system", **{fields["juniper"]: "", fields["larch"]: "test"})
    assert "<code>system:test=larch:others=omit</code>" in html
    assert "12 items belong to no system that a split names, and are left out." in html


def rate_everything(campaign: Campaign) -> None:
    keys = campaign_items(campaign)
    rows = [rating_row(1, "ben", "equivalent", item_id=key, counted=True) for key in keys]
    import_ratings(campaign=campaign, rows=rows)


def campaign_items(campaign: Campaign) -> list[str]:
    return [item.key for question in campaign.questions.all() for item in question.items.all()]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"version": "1.0"}, "Enter three numbers, such as 1.0.0."),
        ({"version": ""}, "This field is required."),
        ({"split_by": "luck"}, "Select a valid choice."),
        ({"seed": "-1"}, "Ensure this value is greater than or equal to 0."),
        ({"test": "60"}, "the shares sum to 90, not to 100"),
        ({"dev": "", "test": ""}, "Enter a share for at least one split."),
        ({"split_by": "folds", "folds": ""}, "folds are a number from 2 to 100"),
        ({"split_by": "folds", "folds": "50"}, "can still be placed, but"),
        ({"split_by": "system"}, "Assign at least one system to a split."),
        ({"split_by": "text", "split": "halves"}, "is not written like document:dev=30"),
        ({"guideline_versions": "9"}, "9 is not one of the available choices"),
    ],
)
def test_what_cannot_be_built_is_said_beside_its_field(
    browser: Client, changes: dict[str, str], text: str
) -> None:
    response = post(browser, "build", **changes)
    html = response.content.decode().replace("&#x27;", "'")
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert text in html
    assert 'class="errorlist"' in html
    assert not Job.objects.exists()
    # what was chosen stays
    for field, value in {**DRAFT, **changes}.items():
        if field in ("version", "seed", "dev", "test"):
            assert re.search(rf'<input[^>]*name="{field}"', html)
            assert not value or f'value="{value}"' in html


def test_version_that_was_released_is_refused(
    browser: Client, campaign: Campaign, tmp_path: Path
) -> None:
    publish(campaign, tmp_path / "out", split=SPLIT)
    response = post(browser, "build")
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "A release with this version already exists" in response.content.decode()
    assert "A release with this version" not in preview(browser)  # no figure depends on the number


def test_campaign_without_ratings_says_so_instead_of_a_preview(campaign: Campaign) -> None:
    Campaign.objects.update(slug="ponds")
    empty = make_campaign("lakes")
    make_item(empty)
    browser = signed_in(make_member(empty, "admin"))
    assert "there is nothing to release" in preview(browser)
    assert post(browser, "build").status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert not Job.objects.exists()


def test_preview_shows_the_figures_of_the_release(
    browser: Client, campaign: Campaign, tmp_path: Path
) -> None:
    html = preview(browser, stratify="on")
    split = "document:dev=30,test=70:stratify=label"
    release = publish(campaign, tmp_path / "out", split=split, seed=3)
    labels = json.loads((release.folder / "splits.json").read_text())["labels"]
    table = html[html.index("split-labels-table") :]
    for name, counts in labels.items():
        cells = "".join(
            f'<td class="number-cell" data-value="{n}">{n}</td>' for n in counts.values()
        )
        assert f'<th scope="row">{name}</th>{cells}</tr>' in table
    assert f"<code>{split}</code>" in html
    assert "12 items with 12 counted ratings" in html
    # the errors of the split stand in the form, which the fragment leaves alone otherwise
    assert '<div id="split-errors" role="alert" hx-swap-oob="true"></div>' in html
    assert "<form" not in html
    refused = preview(browser, split_by="folds", folds="50")
    assert re.search(
        r'hx-swap-oob="true"><ul class="errorlist"[^>]*><li>[^<]*can still be placed', refused
    )


def test_preview_without_script_is_the_page_again(browser: Client) -> None:
    response = post(browser, "preview", dev="40", test="60")
    html = response.content.decode()
    assert (response.status_code, html.count('id="split-errors"')) == (HTTPStatus.OK, 1)
    assert "<code>document:dev=40,test=60</code>" in html
    assert re.search(r'<input[^>]*name="dev"[^>]*value="40"', html)
    assert not Job.objects.exists()


def test_filters_enter_the_plan(browser: Client, campaign: Campaign) -> None:
    publish_guideline(campaign=campaign, text="Be fair.")
    chosen = {"without_deactivated": "on", "guideline_versions": "1"}
    response = post(browser, "build", **chosen)
    # no imported rating was given under guidelines: nothing would be left
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "the selection leaves no item" in response.content.decode()
    post(browser, "build", without_deactivated="on", without_controls="on")
    (job,) = Job.objects.all()
    assert job.parameters["selection"] == {
        **PLAN["selection"],
        "without_controls": True,
        "without_deactivated": True,
    }


@pytest.fixture
def told(campaign: Campaign) -> Campaign:
    """A comment with an address in it."""
    make_item(campaign, id="told")
    row = rating_row(1, "cat", "equivalent", item_id="told", comment="ask me@example.org")
    import_ratings(campaign=campaign, rows=[row])
    return campaign


def test_personal_data_in_comments_is_named_without_its_text(
    browser: Client, told: Campaign
) -> None:
    pseudonym = told.memberships.get(name="cat").pseudonym
    html = preview(browser, comments="on")
    assert "These comments may hold personal data:" in html
    expected = f'<code dir="auto">told</code>, rater <code>{pseudonym}</code>: '
    assert f'{expected}<span lang="en">e-mail address</span>' in html
    assert "me@example.org" not in html
    assert "personal data:" not in preview(browser)


def test_personal_data_in_comments_needs_a_reason(browser: Client, told: Campaign) -> None:
    response = post(browser, "build", comments="on")
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Leave them out, or explain why they may be released." in response.content.decode()
    assert not Job.objects.exists()
    post(browser, "build", comments="on", personal_data_reason="All have agreed.")
    (job,) = Job.objects.all()
    chosen = (job.parameters["comments"], job.parameters["personal_data_reason"])
    assert chosen == (True, "All have agreed.")
    Job.objects.all().delete()
    post(browser, "build", personal_data_reason="For nothing.")  # it is not kept
    assert Job.objects.get().parameters == PLAN


@pytest.fixture
def large(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """A campaign that is above the limit, which is lowered for it."""
    monkeypatch.setattr(release_preview, "LIVE_PREVIEW", 10)
    monkeypatch.setattr(release_wizard, "LIVE_PREVIEW", 10)
    return campaign


def run_job() -> Job:
    job = Job.objects.get()
    jobs.run_job(job.pk)
    job.refresh_from_db()
    return job


def test_large_campaign_is_previewed_by_a_worker(browser: Client, large: Campaign) -> None:
    assert "with more than 10 ratings are made by a worker" in preview(browser)
    assert not Job.objects.exists()
    html = post(browser, "ask").content.decode()
    assert Job.objects.get().kind == JobKind.PREVIEW
    assert 'hx-trigger="every 2s"' in html
    job = run_job()
    assert (job.done, job.total) == (3 * 36, 3 * 36)  # items, ratings and answers
    stored = release_preview.figures_of(job)
    expected = release_preview.preview(campaign=large, plan=release_plan(split=SPLIT, seed=3))
    assert json.dumps(stored) == json.dumps(expected)  # in the same order
    shown = preview(browser, version="2.3.4")  # of any number
    assert "12 items with 12 counted ratings" in shown
    assert "Refresh" in shown
    assert "every 2s" not in shown
    assert "are made by a worker" in preview(browser, seed="4")  # of another plan
    html = browser.get(f"/c/lakes/jobs/{job.pk}/?open").content.decode()
    assert f'href="{PAGE}"' in html  # it leads back
    assert "near_duplicates" not in html


def test_preview_that_fails_says_why_and_can_be_asked_for_again(
    browser: Client, large: Campaign
) -> None:
    post(browser, "ask", split_by="folds", folds="50")
    assert run_job().state == JobState.FAILED
    html = preview(browser, split_by="folds", folds="50")
    assert "can still be placed, but" in html
    assert "Make the preview" in html


def test_large_campaign_is_released_without_a_preview(
    browser: Client, large: Campaign, settings: Settings, tmp_path: Path
) -> None:
    settings.RELEASES_DIR = tmp_path
    assert post(browser, "build").status_code == HTTPStatus.SEE_OTHER
    job = run_job()
    assert (job.state, job.done, job.total) == (JobState.DONE, 108, 108)
    assert Release.objects.get().version == "1.0.0"


def test_page_and_preview_cost_the_same_statements_for_more_items(
    browser: Client, campaign: Campaign
) -> None:
    def costs() -> tuple[int, int]:
        page, _response = statements(lambda: browser.get(PAGE))
        return page, statements(lambda: post(browser, "preview"))[0]

    browser.get(PAGE)
    few = costs()
    make_labelled_items(make_campaign(), items=2)
    make_items(campaign, 30)
    rate_everything(campaign)
    assert costs() == few


def test_splits_of_the_source_are_offered_where_there_are_any(
    browser: Client, campaign: Campaign
) -> None:
    assert 'value="predefined"' not in browser.get(PAGE).content.decode()
    campaign.questions.filter(key__endswith="1").update(split="test")
    assert 'value="predefined"' in browser.get(PAGE).content.decode()
    html = preview(browser, split_by="predefined")
    assert re.search(r'hx-swap-oob="true"><ul class="errorlist"[^>]*><li>10 items', html)
    post(browser, "build", split_by="predefined", omits_others="on")
    assert Job.objects.get().parameters["split"] == "predefined:others=omit"


def test_splits_of_the_source_can_stay_beside_documents_that_are_divided(
    browser: Client, campaign: Campaign
) -> None:
    assert 'name="keeps"' not in browser.get(PAGE).content.decode()
    document = campaign.documents.order_by("pk").first()
    campaign.questions.filter(document=document).update(split="train")
    campaign.questions.exclude(document=document).update(split="dev")
    html = browser.get(PAGE).content.decode()
    assert re.findall(r'name="keeps" value="(\w+)"', html) == ["dev", "train"]
    html = preview(browser, keeps="train")
    assert re.findall(r'<th scope="row"[^>]*>(train|dev|test)</th>', html)[:3] == [
        "train",
        "dev",
        "test",
    ]
    assert "train&#x27; is named twice" in preview(
        browser, keeps="train", train="10", dev="20", test="70"
    )
    assert "Select a valid choice." in preview(browser, keeps="validation")
    post(browser, "build", keeps="train")
    assert Job.objects.get().parameters["split"] == "document:dev=30,test=70:keep=train"
