"""Nothing falls over what it is sent: everything odd is the client's error."""

import re
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

import tasks
from tasks.models import Campaign
from tasks.prefill.queries.generated import Common
from tasks.web.addresses import pages
from tests.sampling import sample
from tests.tasks.adjudication.acts import vote
from tests.tasks.api_client import ApiClient, AsMember
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import MakeCampaign, MakeMember

HUGE = 10**30
READ = [
    f"alerts/{HUGE}/acknowledge",
    f"evaluations/{HUGE}",
    f"evaluations/{2**63}/files",
    "evaluations/1/files/%00",
    "raters/%00",
    "raters/%00/disagreements",
    "label-pairs/%00/equivalent",
    "releases/%00",
    "releases/%00/archive",
    "releases/%00/files/README.md",
    "releases/%00/changes",
    "releases/%00/leaderboard",
    "releases/%ED%A0%80",
    "figures/more/plan?quantity=%00",
    "adjudications/item?item=%00",
    "adjudications/item?item=%ED%A0%80",
    f"adjudications/queue?start={HUGE}",
    "adjudications/queue?reason=own;",
    "adjudications?item=%00",
]
LISTS = ["alerts", "looks", "adjudications", "evaluations", "label-pairs/equivalent/not-equivalent"]
LISTS += ["items", "ratings"]
CURSORS = ["x", "%00", "%FF", *(b64encode(f"{c}".encode()).decode() for c in ("p=x", "p=%00"))]
WRITE = [
    ("PATCH", "alerts/rules"),
    ("PUT", "alerts/channels"),
    ("POST", "seen-votes"),
    ("POST", "adjudications"),
    ("POST", "adjudications/left"),
    ("POST", "first-looks"),
    ("PATCH", "datasheet"),
    ("POST", "releases"),
    ("POST", "release-previews"),
    ("POST", "releases/1.0.0/withdrawal"),
    ("POST", f"releases/1.0.0/submissions/{HUGE}/withdrawal"),
    ("POST", "evaluations"),
    ("POST", f"alerts/{HUGE}/acknowledge"),
]
TEXTS: list[object] = [
    *("\0", "x" * 20_000, -1, 1.5),
    *("\ud800", True, None, HUGE),
    *([], {}, [[]], {"": None}),
]
NAMES = (
    "rules", "sends_mail", "webhook_url", "item", "labels", "rater", "reason", "answers",
    "version", "split", "seed", "guideline_versions", "metrics", "tune_on", "note",
)  # fmt: skip


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    campaign = make_campaign(items=1)
    vote(campaign, 1, "en")
    return campaign


@pytest.fixture
def admin(campaign: Campaign, make_member: MakeMember, as_member: AsMember) -> ApiClient:
    return as_member(make_member(campaign, role="admin"))


def odd_bodies() -> Iterator[object]:
    yield from ([], "x", {"": ""}, {"\ud800": 1})
    for text in sample(TEXTS, 4):
        yield dict.fromkeys(NAMES, text)
    for name in ("item", "answers", "rules", "labels"):
        yield from ({name: text} for text in sample(TEXTS, 2))


def test_odd_addresses_are_not_there_or_refused(campaign: Campaign, admin: ApiClient) -> None:
    found = {path: admin.get(f"{campaign.slug}/{path}").status_code for path in READ}
    assert {path: code for path, code in found.items() if code not in (400, 404, 405)} == {}


def test_no_page_takes_a_nul_for_a_name(campaign: Campaign, make_member: MakeMember) -> None:
    browser = signed_in(make_member(campaign, role="admin"))
    odd = [each.pattern for each in pages() if "<text:" in each.pattern]
    found = {}
    for pattern in odd:
        path = re.sub("<int:[^>]+>", "1", pattern.replace("<slug:slug>", campaign.slug))
        found[path] = browser.get("/" + re.sub("<[^>]+>", "%00", path)).status_code
    assert len(found) > 8
    assert {path: code for path, code in found.items() if code not in (404, 405)} == {}


@pytest.mark.thorough
def test_no_page_falls_over_a_nul_in_what_it_is_asked(
    campaign: Campaign, make_member: MakeMember
) -> None:
    browser = signed_in(make_member(campaign, role="admin"))
    sources = "".join(path.read_text() for path in Path(tasks.__path__[0]).rglob("*.py"))
    names = {*re.findall(r'GET(?:\.get\(|\[)"(\w+)"', sources), *Common.__dataclass_fields__}
    plain = [each.pattern for each in pages() if not re.search("<(?!slug)", each.pattern)]
    found = {}
    for pattern in plain:
        address = "/" + pattern.replace("<slug:slug>", campaign.slug)
        for asked in (names, *([name] for name in sorted(names))):
            query = "&".join(f"{name}=%00" for name in asked)
            found[f"{address}?{query}"] = browser.get(f"{address}?{query}").status_code
    assert len(plain) > 30
    assert {path: code for path, code in found.items() if code >= 500} == {}


def test_odd_cursors_and_undeclared_filters_are_refused_by_name(
    campaign: Campaign, admin: ApiClient
) -> None:
    for path in LISTS:
        for cursor in CURSORS:
            refused = admin.get(f"{campaign.slug}/{path}?cursor={cursor}")
            assert (refused.status_code, refused.json()["field"]) == (400, "cursor"), (path, cursor)
        for beyond in ("p=9223372036854775808", "p=-9223372036854775809"):
            cursor = b64encode(beyond.encode()).decode()
            assert admin.get(f"{campaign.slug}/{path}?cursor={cursor}").status_code in (200, 400)
        for name in ("campaign__slug", "ordering", "id"):
            refused = admin.get(f"{campaign.slug}/{path}?{name}=1")
            assert (refused.status_code, refused.json()["field"]) == (400, name), path


def test_odd_bodies_are_refused(campaign: Campaign, admin: ApiClient) -> None:
    key = {"Idempotency-Key": "one"}
    found = [
        (path, body, admin.send(method, f"{campaign.slug}/{path}", body, **key).status_code)
        for method, path in WRITE
        for body in odd_bodies()
    ]
    # a sheet without answers changes nothing
    fine: tuple[str, object, int] = ("datasheet", {"answers": {}}, 200)
    assert [each for each in found if each[2] not in (400, 404, 409, 413) and each != fine] == []
