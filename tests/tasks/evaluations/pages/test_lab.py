"""The lab's pages: start an evaluation, watch it, read its report, take it away."""

import io
import json
import re
import zipfile
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from exporters.plan import ReleasePlan
from tasks.evaluations.workflow.evaluation import REPLICATES, EvaluationPlan
from tasks.models import Campaign, Evaluation, Job, JobKind, JobState, Membership, Question, User
from tasks.releases.workflow.release import publish_release
from tasks.releases.workflow.withdrawal import withdraw_release
from tests.evaluations import plan, run_job, sample_report, store
from tests.factories import make_campaign, make_item, make_labelled_items, make_member
from tests.tasks.browsers import HTMX, compact, signed_in
from tests.tasks.statements import statements
from tomahto.lab.report_files import report_files

pytestmark = pytest.mark.slow


# session, user, membership; then jobs running, failed jobs, evaluations
FRAGMENT = 6
# releases, splits, suggestions, trained matchers, whether the reader rates, and anybody
LIST = FRAGMENT + 7
REPORT = 6  # the evaluation, whether the reader rates, alerts


@pytest.fixture
def lakes(db: None) -> Campaign:
    campaign = make_campaign("lakes", title="Lakes", overlap=1)
    make_labelled_items(campaign, items=6, documents=3)
    return campaign


@pytest.fixture
def fern(lakes: Campaign) -> Membership:
    return make_member(lakes, "researcher", "fern")


@pytest.fixture
def browser(fern: Membership) -> Client:
    return signed_in(fern)


@pytest.fixture
def stored(lakes: Campaign) -> Evaluation:
    return store(lakes, sample_report())


def text(response: Any) -> str:
    assert response.status_code == HTTPStatus.OK
    return " ".join(response.content.decode().split())


def ticked(html: str) -> list[str]:
    boxes = re.findall(r'<input type="checkbox" name="metrics" value="([^"]+)"([^>]*)>', html)
    return [value for value, more in boxes if "checked" in more]


def release_of(campaign: Campaign, folder: Path) -> None:
    chosen = ReleasePlan(version="1.0.0", split="document:dev=50,test=50", seed=0)
    publish_release(campaign=campaign, plan=chosen, out=folder / "release")


def test_what_is_to_be_done_first_is_said(campaign: Campaign, admin: Membership) -> None:
    html = text(signed_in(admin).get("/c/rivers/lab/"))
    assert "Nothing is judged yet." in html
    assert "Start evaluation" not in html
    said = make_campaign("said", protocol="statement")
    html = text(signed_in(make_member(said, "admin")).get("/c/said/lab/"))
    assert "The protocol of this campaign does not judge answers" in html


def test_the_form_offers_metrics_and_starts_a_job(browser: Client, lakes: Campaign) -> None:
    html = text(browser.get("/c/lakes/lab/"))
    assert "Nothing has been evaluated yet." in html
    assert {"em", "f1", "cfmatch", "feather"} <= set(ticked(html))
    assert "bleu" not in html
    assert "Tune thresholds on" not in html
    response = browser.post("/c/lakes/lab/", {"source": "", "metrics": ["em", "f1"]})
    assert (response.status_code, response["Location"]) == (303, "/c/lakes/lab/")
    job = Job.objects.get()
    assert (job.kind, job.created_by) == (JobKind.EVALUATE, User.objects.get(username="fern"))
    chosen = EvaluationPlan.from_json(job.parameters)
    assert chosen == EvaluationPlan(metrics=("em", "f1"), seed=lakes.seed)
    assert chosen.replicates == REPLICATES


def test_a_release_and_a_split_of_it_can_be_chosen(
    browser: Client, lakes: Campaign, tmp_path: Path
) -> None:
    release_of(lakes, tmp_path)
    Question.objects.filter(key="labelled-1").update(split="train")
    html = text(browser.get("/c/lakes/lab/"))
    for choice in ("Release 1.0.0", "dev", "test", "train"):
        assert f">{choice}</option>" in html
    wrong = browser.post("/c/lakes/lab/", {"source": "", "metrics": ["f1"], "tune_on": "dev"})
    assert wrong.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "These data have no split of that name; they have: train." in wrong.content.decode()
    assert not Job.objects.exists()
    body = {"source": "1.0.0", "metrics": ["f1"], "tune_on": "dev", "unit": "ratings"}
    browser.post("/c/lakes/lab/", body)
    chosen = EvaluationPlan.from_json(Job.objects.get().parameters)
    assert (chosen.release, chosen.tune_on, chosen.unit) == ("1.0.0", "dev", "ratings")


@pytest.mark.parametrize(
    "body", [{"metrics": []}, {"metrics": ["bleu"]}, {"metrics": ["f1"], "source": "9.9.9"}]
)
def test_what_is_not_offered_is_not_started(browser: Client, body: dict[str, Any]) -> None:
    response = browser.post("/c/lakes/lab/", body)
    assert response.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "errorlist" in response.content.decode()
    assert not Job.objects.exists()


def test_withdrawn_releases_are_not_offered_and_marked_where_they_were(
    browser: Client, lakes: Campaign, tmp_path: Path
) -> None:
    release_of(lakes, tmp_path)
    run_job(lakes, plan(release="1.0.0"))
    withdraw_release(release=lakes.releases.get(), reason="Names are in it.")
    html = text(browser.get("/c/lakes/lab/"))
    assert '<option value="1.0.0"' not in html
    assert 'Release 1.0.0</a> <span class="badge">withdrawn</span>' in html


def test_what_is_running_and_what_failed_is_shown(browser: Client, lakes: Campaign) -> None:
    run_job(lakes, plan(metrics=("blue",)))
    Job.objects.create(
        campaign=lakes, kind=JobKind.EVALUATE, input_hash="x", state=JobState.RUNNING,
        parameters=plan(release="1.0.0", tune_on="dev").as_json(), done=2, total=7,
    )  # fmt: skip
    page = browser.get("/c/lakes/lab/", headers=HTMX)
    fragment = text(page)
    assert "<h1>" not in fragment
    assert 'hx-trigger="every 1s"' in fragment
    assert 'Release 1.0.0, <span dir="auto">f1</span>, tuned on dev' in fragment
    assert '<progress max="7" value="2"' in fragment
    assert "no matcher &#x27;blue&#x27;" in fragment
    Job.objects.update(state=JobState.DONE)
    assert "hx-trigger" not in text(browser.get("/c/lakes/lab/", headers=HTMX))


def test_a_job_leads_to_its_report_and_the_list_as_well(browser: Client, lakes: Campaign) -> None:
    job = run_job(lakes, plan())
    made = Evaluation.objects.get()
    place = f'href="/c/lakes/lab/{made.pk}/"'
    assert place in text(browser.get(f"/c/lakes/jobs/{job.pk}/"))
    html = text(browser.get("/c/lakes/lab/"))
    assert place in html
    assert "The campaign as it stood" in html
    assert made.digest in text(browser.get(f"/c/lakes/lab/{made.pk}/"))


def test_the_report_says_what_it_rests_on(browser: Client, stored: Evaluation) -> None:
    html = text(browser.get(f"/c/lakes/lab/{stored.pk}/"))
    assert '<h1 dir="auto">Evaluation: Rivers</h1>' in html
    for fact in (
        "<dd>1,234</dd>",
        f"<code>{sample_report().digest}</code>",
        "2,000 replicates, seed 7",
        "the items they are judged on",
        '<code class="version">f1 of tokens 1</code>',
    ):
        assert fact in html
    for key, title in (("quality", "Metrics and people"), ("transfer", "Transfer")):
        assert f'<a href="#{key}" lang="en">{title}</a>' in html
        assert f'id="{key}"' in html
    assert '<p class="note" lang="en">the data have no splits</p>' in html


def test_tables_carry_their_numbers_for_the_charts(browser: Client, stored: Evaluation) -> None:
    html = compact(text(browser.get(f"/c/lakes/lab/{stored.pk}/")))
    assert 'data-value="0.8125" data-low="0.75" data-high="0.875" data-n="1234">81.2 %<span' in html
    assert '<span class="interval">75.0 % to 87.5 %</span>' in html
    assert 'data-value="1234">1,234</td>' in html
    assert 'data-value="-0.25">−0.250</td>' in html
    assert "&lt;b&gt;larch&lt;/b&gt;" in html
    assert "<p>– is undefined: all labels are right.</p>" in html
    points, line = re.findall(r"<figure [^>]*>", html)
    assert 'data-chart="points" data-table="quality-rates" data-names="1" data-series="3"' in points
    assert 'data-unit="percent"' in points
    assert 'data-min="0" data-max="1"' in points
    assert "data-x=" not in points
    assert 'data-chart="line" data-table="quality-sweep" data-names="0" data-series="1"' in line
    assert 'data-x="number"' in line
    assert html.count(' data-x="') == 1 + 21
    assert 'data-value="0.05" data-x="0.05">0.050</th>' in html
    # the table of 21 rows is folded below its chart, the short one is not
    assert re.findall(r'<details class="numbers" id="([^"]+)"', html) == ["quality-sweep-numbers"]


def test_every_file_is_linked_and_is_what_the_report_makes(
    browser: Client, stored: Evaluation
) -> None:
    place = f"/c/lakes/lab/{stored.pk}/files/"
    html = text(browser.get(f"/c/lakes/lab/{stored.pk}/"))
    linked = set(re.findall(rf'href="{place}([^"]+)"', html))
    expected = {file.path: file.content for file in report_files(sample_report())}
    assert linked == set(expected)
    for path, content in expected.items():
        response = browser.get(place + path)
        assert b"".join(response) == content
        assert response["Content-Disposition"].startswith("attachment; filename=")
        assert response["X-Content-Type-Options"] == "nosniff"
    assert browser.get(f"{place}tables/none.csv").status_code == HTTPStatus.NOT_FOUND
    assert browser.get(f"{place}../../secret").status_code == HTTPStatus.NOT_FOUND
    part = browser.get(f"{place}report.json", headers={"Range": "bytes=2-5"})
    assert (part.status_code, b"".join(part)) == (206, expected["report.json"][2:6])


def test_the_archive_has_every_file(browser: Client, stored: Evaluation) -> None:
    response = browser.get(f"/c/lakes/lab/{stored.pk}/download")
    name = f"lakes-evaluation-{stored.pk}"
    assert response["Content-Disposition"] == f'attachment; filename="{name}.zip"'
    assert response["X-Content-Type-Options"] == "nosniff"
    content = b"".join(response)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        packed = {entry: archive.read(entry) for entry in archive.namelist()}
    files = {f"{name}/{file.path}": file.content for file in report_files(sample_report())}
    assert packed == files
    assert json.loads(packed[f"{name}/report.json"])["digest"] == sample_report().digest
    assert b"".join(browser.get(f"/c/lakes/lab/{stored.pk}/download")) == content


def test_reports_are_of_their_campaign(
    stored: Evaluation, stranger: User, admin: Membership
) -> None:
    place = f"lab/{stored.pk}/"
    pages = [place, f"{place}download", f"{place}files/report.json"]
    for client, slug in ((signed_in(stranger), "lakes"), (signed_in(admin), "rivers")):
        assert [client.get(f"/c/{slug}/{page}").status_code for page in pages] == [404] * 3


@pytest.mark.parametrize("number", [1, 5])
def test_pages_cost_the_same_statements_however_many_evaluations(
    browser: Client, lakes: Campaign, number: int
) -> None:
    for _each in range(number):
        made = store(lakes, sample_report())
        make_item(lakes)
    place = "/c/lakes/lab/"
    pages = (
        lambda: browser.get(place),
        lambda: browser.get(place, headers=HTMX),
        lambda: browser.get(f"{place}{made.pk}/"),
    )
    assert [statements(page)[0] for page in pages] == [LIST, FRAGMENT, REPORT]
