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

from exporters.planned_release import ReleasePlan
from tasks.evaluations.workflow.evaluation import REPLICATES, EvaluationPlan, start_evaluation
from tasks.jobs import work as jobs
from tasks.jobs.workflow.jobs import cancel
from tasks.models import Campaign, Evaluation, Job, JobKind, JobState, Membership, Question, User
from tasks.releases.workflow.listing import withdraw_release
from tasks.releases.workflow.release import publish_release
from tests.evaluations import plan, run_job, sample_report, store
from tests.factories import make_campaign, make_item, make_labelled_items, make_member
from tests.tasks.browsers import HTMX, compact, signed_in
from tests.tasks.statements import statements
from tests.tomahto.lab.answer_data import Said, judged_data, lab_input
from tomahto.lab.report import LabReport
from tomahto.lab.report_files import report_files
from tomahto.lab.sections import make_report

pytestmark = pytest.mark.slow


# session, user, membership; then jobs running, failed jobs, evaluations
FRAGMENT = 6
# releases, splits, suggestions, trained matchers, whether the reader rates, and anybody; the inbox
LIST = FRAGMENT + 8
PROGRESS = FRAGMENT - 1  # the job, its evaluation
REPORT = 7  # the evaluation, whether the reader rates, alerts, the inbox


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
    assert "No judgements yet." in html
    assert "Start evaluation" not in html
    said = make_campaign("said", protocol="statement")
    html = text(signed_in(make_member(said, "admin")).get("/c/said/lab/"))
    assert "The protocol of this campaign does not judge answers" in html


def test_the_form_offers_metrics_and_starts_a_job(browser: Client, lakes: Campaign) -> None:
    html = text(browser.get("/c/lakes/lab/"))
    assert "No evaluations yet." in html
    assert {"em", "f1", "cfmatch", "feather"} <= set(ticked(html))
    assert "bleu" not in html
    assert "Tune thresholds on" not in html
    response = browser.post("/c/lakes/lab/", {"source": "", "metrics": ["em", "f1"]})
    job = Job.objects.get()
    place = f"/c/lakes/lab/running/{job.pk}/"
    assert (response.status_code, response["Location"]) == (303, place)
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
    assert "There is no split with this name; the splits are: train." in wrong.content.decode()
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


def test_an_evaluation_shows_how_far_it_is_and_ends_at_its_report(
    browser: Client, fern: Membership
) -> None:
    job = start_evaluation(plan=plan(), by=fern)
    place = f"/c/lakes/lab/running/{job.pk}/"
    assert "Waiting for a worker." in text(browser.get(place))
    Job.objects.update(state=JobState.RUNNING, done=1, total=3)
    page = text(browser.get(place, headers=HTMX))
    assert "<h1>" not in page
    assert 'hx-get="" hx-trigger="every 1s"' in page
    assert '<progress max="3" value="1"' in page
    assert "1 of 3 steps" in page
    Job.objects.update(state=JobState.QUEUED)
    jobs.run_job(job.pk)
    report = f"/c/lakes/lab/{Evaluation.objects.get().pk}/"
    assert browser.get(place, headers=HTMX)["HX-Redirect"] == report
    assert browser.get(place)["Location"] == report


def test_an_evaluation_that_ends_without_a_report_says_why(
    browser: Client, lakes: Campaign, fern: Membership
) -> None:
    failed = run_job(lakes, plan(metrics=("blue",)))
    page = text(browser.get(f"/c/lakes/lab/running/{failed.pk}/", headers=HTMX))
    assert "no matcher &#x27;blue&#x27;" in page
    assert "hx-get" not in page
    cancelled = start_evaluation(plan=plan(), by=fern)
    cancel(job=cancelled)
    page = text(browser.get(f"/c/lakes/lab/running/{cancelled.pk}/"))
    assert "This evaluation has no report." in page
    other = Job.objects.create(campaign=lakes, kind=JobKind.SUGGEST, input_hash="x")
    assert browser.get(f"/c/lakes/lab/running/{other.pk}/").status_code == HTTPStatus.NOT_FOUND


def test_a_job_leads_to_its_report_and_the_list_as_well(browser: Client, lakes: Campaign) -> None:
    job = run_job(lakes, plan())
    made = Evaluation.objects.get()
    place = f'href="/c/lakes/lab/{made.pk}/"'
    assert place in text(browser.get(f"/c/lakes/jobs/{job.pk}/"))
    html = text(browser.get("/c/lakes/lab/"))
    assert place in html
    assert "The campaign in its state at the time" in html
    assert made.digest in text(browser.get(f"/c/lakes/lab/{made.pk}/"))


def test_the_report_says_what_it_rests_on(browser: Client, stored: Evaluation) -> None:
    html = text(browser.get(f"/c/lakes/lab/{stored.pk}/"))
    assert '<h1 dir="auto">Evaluation: Rivers</h1>' in html
    for fact in (
        "<dd>1,234</dd>",
        f"<code>{sample_report().digest}</code>",
        "2,000 replicates, seed 7",
        "the items that metrics are judged on",
        '<code class="version">f1 of tokens 1</code>',
    ):
        assert fact in html
    for answer in (
        "No answer: the report was made without this section.",
        "No numbers for metrics or systems.",
    ):
        assert answer in html


def test_each_section_has_a_page_and_every_page_the_contents(
    browser: Client, stored: Evaluation
) -> None:
    place = f"/c/lakes/lab/{stored.pk}/"
    titles = {"": "Summary", "quality/": "Metrics and people", "transfer/": "Transfer"}
    for current in titles:
        html = compact(text(browser.get(place + current)))
        for address, title in titles.items():
            marks = ' aria-current="page"' if address == current else ""
            lang = ' lang="en"' if address else ""
            # once in a bar, once in a menu for narrow screens
            assert html.count(f'<a href="{place}{address}"{lang}{marks}>{title}</a>') == 2
    assert "Rates of each metric" in text(browser.get(f"{place}quality/"))
    assert "Rates of each metric" not in text(browser.get(f"{place}transfer/"))
    reason = '<p class="note" lang="en">The data have no splits.</p>'
    assert reason in text(browser.get(f"{place}transfer/"))
    assert browser.get(f"{place}nothing/").status_code == HTTPStatus.NOT_FOUND


def test_a_section_has_charts_beside_their_tables(browser: Client, stored: Evaluation) -> None:
    html = compact(text(browser.get(f"/c/lakes/lab/{stored.pk}/quality/")))
    assert 'data-value="0.8125" data-low="0.75" data-high="0.875" data-n="1234">81.2 %<span' in html
    assert '<span class="interval">75.0 % to 87.5 %</span>' in html
    assert 'data-value="1234">1,234</td>' in html
    assert 'data-value="-0.25">−0.250</td>' in html
    assert "&lt;b&gt;larch&lt;/b&gt;" in html
    assert "<p>– is undefined: all labels are right.</p>" in html
    pictures = re.findall(r'<svg class="picture".*?</svg>', html)
    assert [re.findall('aria-label="([^"]+)"', each)[0] for each in pictures] == [
        "Accuracy",
        "By threshold",
    ]
    assert (
        "f1\nAccuracy (%): 81.2 [75.0, 87.5]"
        in browser.get(f"/c/lakes/lab/{stored.pk}/quality/").content.decode()
    )
    # the table of 21 rows is folded, the short one is not
    assert re.findall(r'<details class="numbers" id="([^"]+)"', html) == ["quality-sweep-numbers"]


def test_the_summary_says_what_follows(browser: Client, lakes: Campaign) -> None:
    stored = store(lakes, _planted())
    html = text(browser.get(f"/c/lakes/lab/{stored.pk}/"))
    for sentence in (
        '">good</b> agrees with people most, significantly more than every other metric.',
        "By people’s verdicts, 2 of 3 pairs of systems differ significantly.",
        "No: in one case a metric significantly reverses the order of two systems.",
    ):
        assert sentence in html
    german = browser.get(f"/c/lakes/lab/{stored.pk}/", headers={"Accept-Language": "de"})
    assert "stimmt am meisten mit Menschen überein" in text(german)


def test_every_file_is_linked_and_is_what_the_report_makes(
    browser: Client, stored: Evaluation
) -> None:
    place = f"/c/lakes/lab/{stored.pk}/files/"
    pages = ("", "quality/", "transfer/")
    html = "".join(text(browser.get(f"/c/lakes/lab/{stored.pk}/{page}")) for page in pages)
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
    running = f"lab/running/{stored.job_id}/"
    pages = [place, f"{place}quality/", f"{place}download", f"{place}files/report.json", running]
    for client, slug in ((signed_in(stranger), "lakes"), (signed_in(admin), "rivers")):
        assert [client.get(f"/c/{slug}/{page}").status_code for page in pages] == [404] * 5


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
        lambda: browser.get(f"{place}{made.pk}/quality/"),
        lambda: browser.get(f"{place}running/{made.job_id}/"),
    )
    counts = [statements(page)[0] for page in pages]
    assert counts == [LIST, FRAGMENT, REPORT, REPORT, PROGRESS]


def _planted() -> LabReport:
    """Of three systems' answers to 60 questions `good` knows what is right; `turned` takes the
    verdicts on the best system's answers for those on the second's, and the reverse."""
    right = {
        "a": [True] * 50 + [False] * 10,
        "b": [True] * 25 + [False] * 35,
        "c": [False] * 10 + [True] * 25 + [False] * 25,
    }
    said = [
        Said(system, f"q{place:02}", f"{system} {place}", f"r{place}", is_right)
        for system, verdicts in right.items()
        for place, is_right in enumerate(verdicts)
    ]
    scores = {
        "good": [float(each.is_right) for each in said],
        "turned": [float(each) for system in "bac" for each in right[system]],
    }
    return make_report(lab_input(judged_data(said), scores), ["metric_quality", "systems"])
