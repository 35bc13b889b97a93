"""The page of jobs lets admins start a model's writing, where a model and a protocol allow it."""

from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path

import pytest
from pytest_django import Settings

from tasks.models import Job, Membership
from tests.factories import make_campaign, make_member
from tests.tasks.browsers import signed_in, text
from tomahto.answerers.registry import configure_answerers

PAGE = "/c/classes/jobs/"
_ANSWERERS = """
[finch]
kind = "endpoint"
url = "https://finch.example.org/v1"
model = "finch-7b"

[reader]
kind = "extractive"
model = "somewhere"
"""


@pytest.fixture
def configured(tmp_path: Path, settings: Settings) -> Iterator[None]:
    path = tmp_path / "answerers.toml"
    path.write_text(_ANSWERERS)
    configure_answerers(path)
    yield
    configure_answerers(settings.ANSWERERS_FILE)


@pytest.fixture
def elm(db: None) -> Membership:
    return make_member(make_campaign("classes", protocol="cap"), "admin", "elm")


@pytest.mark.usefixtures("configured")
def test_admins_start_a_models_writing(elm: Membership) -> None:
    client = signed_in(elm)
    form = text(client, PAGE).partition("Generate texts")[2].partition("</form>")[0]
    assert '<option value="finch">finch</option>' in form
    assert "reader" not in form  # no endpoint
    assert '<option value="candidates">Candidates by class</option>' in form
    assert "Pairs by rule" not in form  # not for this protocol
    assert 'value="10"' in form
    asked = {"kind": "generate", "name": "finch", "texts": "candidates", "number": "3"}
    response = client.post(PAGE, asked)
    job = Job.objects.get()
    assert (response.status_code, response["Location"]) == (303, f"{PAGE}{job.pk}/")
    assert (job.kind, job.created_by) == ("generate", elm.user)
    assert job.parameters == {"name": "finch", "kind": "candidates", "number": 3}


@pytest.mark.usefixtures("configured")
@pytest.mark.parametrize(
    "changes",
    [
        {"name": "reader"},
        {"name": "lexical"},
        {"texts": "rules"},
        {"number": "0"},
        {"number": "100001"},
        {"number": ""},
    ],
)
def test_wrong_forms_start_nothing(elm: Membership, changes: dict[str, str]) -> None:
    asked = {"kind": "generate", "name": "finch", "texts": "candidates", "number": "3", **changes}
    assert signed_in(elm).post(PAGE, asked).status_code == HTTPStatus.BAD_REQUEST
    assert not Job.objects.exists()


def test_nothing_is_offered_without_an_endpoint(
    elm: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tomahto.answerers.registry._configured", {})
    assert "Generate texts" not in text(signed_in(elm), PAGE)


@pytest.mark.usefixtures("configured")
@pytest.mark.parametrize(
    ("protocol", "usual"), [("statement", "100"), ("rules", "10"), ("ae", "10")]
)
def test_what_is_offered_suits_the_protocol(db: None, protocol: str, usual: str) -> None:
    admin = make_member(make_campaign("others", protocol=protocol), "admin", "elm")
    form = text(signed_in(admin), "/c/others/jobs/").partition("Generate texts")[2]
    kind = "statements" if protocol == "statement" else "rules"
    assert f'<option value="{kind}">' in form
    assert f'value="{usual}"' in form.partition("</form>")[0]
