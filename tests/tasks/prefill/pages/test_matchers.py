"""The page of the matchers that a campaign has trained."""

from http import HTTPStatus

import pytest

from tasks.jobs.work import run_job
from tasks.models import Campaign, Job, JobKind, Membership, TrainedMatcher
from tests.factories import make_campaign, make_labelled_items
from tests.tasks.browsers import compact, signed_in, text
from tests.tasks.prefill.trained import store
from tests.tasks.statements import statements

PAGE = "/c/rivers/matchers/"
CURVE = {
    "folds": 5,
    "points": [
        {
            "labels": 25,
            "accuracy": {"value": None, "low": None, "high": None, "reason": "all are correct"},
        },
        {"labels": 45, "accuracy": {"value": 0.8125, "low": 0.7, "high": 0.9}},
    ],
    "baselines": {
        "shipped": {"value": 0.75, "low": 0.6, "high": 0.85, "n": 60, "replicates": 1000},
        "token_f1": {"value": 0.7, "low": 0.6, "high": 0.8, "n": 60, "replicates": 1000},
    },
}


@pytest.fixture
def trained(campaign: Campaign) -> TrainedMatcher:
    return store(campaign, "feather", digest="0123456789ab", learning_curve=CURVE, labels=60)


def test_page_shows_the_curve_with_its_numbers(
    researcher: Membership, trained: TrainedMatcher
) -> None:
    html = compact(text(signed_in(researcher), PAGE))
    assert "Trained on 60 labels (6 correct) of 6 documents" in html
    assert 'data-value="0.8125" data-low="0.7" data-high="0.9">81.2 %' in html
    assert '<td class="number-cell">70.0 % to 90.0 %</td>' in html
    assert '<span class="undefined" lang="en">all are correct</span>' in html
    assert "n = 60 labels held out once each" in html
    assert "<code>0123456789ab</code>" in html
    # the undefined point is in the table and not drawn; both baselines are, beside either point
    assert html.count("data-low") == 1 + 2 * 2
    assert 'class="picture"' in html
    assert "<form" not in html.split("<main")[1].split("</main>")[0]  # researchers only look


def test_page_counts_what_there_is_to_learn_from(admin: Membership, campaign: Campaign) -> None:
    make_labelled_items(campaign, items=9)
    html = text(signed_in(admin), PAGE)
    assert "<dt>items labelled correct</dt><dd>6</dd>" in html
    assert "<dt>items labelled incorrect</dt><dd>3</dd>" in html
    assert "<dt>ties, left out</dt><dd>0</dd>" in html


def test_admins_train_and_use_a_matcher(admin: Membership, campaign: Campaign) -> None:
    make_labelled_items(campaign)
    client = signed_in(admin)
    response = client.post(f"{PAGE}train/", {"name": "cfmatch", "seed": "4"})
    job = Job.objects.get()
    assert (response.status_code, response["Location"]) == (303, f"/c/rivers/jobs/{job.pk}/")
    assert (job.kind, job.parameters) == ("train", {"name": "cfmatch", "seed": 4})
    assert "cfmatch is being trained" in text(client, PAGE)
    run_job(job.pk)
    assert "Open the learning curve" in text(client, response["Location"])
    assert "in use" not in text(client, PAGE)

    response = client.post(f"{PAGE}use/", {"name": "cfmatch@rivers"})
    used = Job.objects.get(kind=JobKind.SUGGEST)
    assert (response.status_code, response["Location"]) == (303, f"/c/rivers/jobs/{used.pk}/")
    assert used.parameters == {"name": "cfmatch@rivers"}
    campaign.refresh_from_db()
    assert campaign.suggestion_matcher == "cfmatch@rivers"
    assert "in use" in text(client, PAGE)
    assert '<option value="cfmatch@rivers" selected>' in text(client, "/c/rivers/settings/")
    assert '<option value="cfmatch@rivers">' in text(client, "/c/rivers/jobs/")


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        ("train", {"name": "cap", "seed": "0"}),
        ("train", {"name": "cfmatch", "seed": "-1"}),
        ("use", {"name": "cfmatch"}),
        ("use", {"name": "feather@seas"}),
    ],
)
def test_wrong_forms_are_refused(
    admin: Membership, trained: TrainedMatcher, action: str, fields: dict[str, str]
) -> None:
    store(make_campaign("seas"), "feather", learning_curve=CURVE)
    before = Job.objects.count()
    response = signed_in(admin).post(f"{PAGE}{action}/", fields)
    assert (response.status_code, Job.objects.count()) == (HTTPStatus.BAD_REQUEST, before)


def test_bem_can_be_trained_where_torch_is_installed_and_its_cost_is_told(
    admin: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in(admin)
    html = text(client, PAGE)
    assert '<option value="bem">bem</option>' in html
    assert "bem starts from a model and is trained 7 times: expect hours without" in html
    asked = {"name": "bem", "seed": "0"}
    assert client.post(f"{PAGE}train/", asked).status_code == HTTPStatus.SEE_OTHER
    job = Job.objects.get()
    assert job.parameters == {"name": "bem", "seed": 0}
    monkeypatch.setattr("tomahto.matching.table.is_installed", lambda name: name != "torch")
    html = text(client, PAGE)
    assert '<option value="bem">' not in html
    assert "Install torch to train bem." in html
    assert client.post(f"{PAGE}train/", asked).status_code == HTTPStatus.BAD_REQUEST
    assert list(Job.objects.all()) == [job]


def test_matchers_of_other_campaigns_are_nowhere_offered(
    admin: Membership, campaign: Campaign
) -> None:
    store(make_campaign("seas"), "feather", learning_curve=CURVE)
    client = signed_in(admin)
    for page in ("matchers/", "jobs/", "settings/"):
        assert "feather@seas" not in text(client, f"/c/rivers/{page}")
    body = {"kind": "suggest", "name": "feather@seas"}
    assert client.post("/c/rivers/jobs/", body).status_code == HTTPStatus.BAD_REQUEST


@pytest.mark.parametrize("number", [1, 3])
def test_page_costs_the_same_statements_however_many_there_are(
    admin: Membership, campaign: Campaign, number: int
) -> None:
    for place in range(number):
        store(campaign, "cfmatch", digest=f"{place}", learning_curve=CURVE)
        store(campaign, "feather", digest=f"{place}", learning_curve=CURVE)
    client = signed_in(admin)
    cost, response = statements(lambda: client.get(PAGE))
    # session, user, membership, matchers, whether they rate, outcomes, votes, jobs, counts in the
    # side bar, the inbox
    assert (response.status_code, cost) == (200, 13)
