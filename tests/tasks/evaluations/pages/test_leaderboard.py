"""The page of a leaderboard: its order, its forms, and who gets them."""

import re
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tasks.evaluations.workflow.submissions import withdraw_submission
from tasks.jobs import work as jobs
from tasks.models import Job, Leaderboard, Membership, Release, Submission
from tasks.releases.workflow.listing import withdraw_release
from tests.factories import make_member
from tests.tasks.browsers import compact, signed_in
from tests.tasks.evaluations.leaderboards import answers, as_file, make_release, submit, work
from tests.tasks.statements import statements

pytestmark = pytest.mark.slow


PAGE = "/c/lakes/releases/1.0.0/leaderboard/"


@pytest.fixture
def release(db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Release:
    monkeypatch.setattr("tasks.evaluations.work.suggesting_matchers", lambda: ("em", "f1"))
    return make_release(tmp_path)


@pytest.fixture
def researcher(release: Release) -> Membership:
    return make_member(release.campaign, "researcher", "fern")


def page(client: Client, address: str = PAGE, status: int = HTTPStatus.OK) -> str:
    response = client.get(address)
    assert response.status_code == status
    return " ".join(response.content.decode().split())


def post(client: Client, content: bytes, **fields: str) -> Any:
    file = SimpleUploadedFile("answers.json", content)
    return client.post(PAGE, {"name": "cedar", "split": "test", "file": file, **fields})


def order(html: str) -> list[tuple[str, str]]:
    """Systems with their ranks, as the table has them."""
    table = compact(html[html.index('<table id="board-table"') :])
    rows = re.findall(
        r'<th scope="row" dir="auto">([^<]*)</th><td>(?:<[^>]*>)?([^<]*)',
        table[: table.index("</table>")],
    )
    return [(name, ranks.strip()) for name, ranks in rows]


def test_the_first_look_has_it_worked_out(release: Release, researcher: Membership) -> None:
    client = signed_in(researcher)
    assert "The leaderboard is being computed for the first time." in page(client)
    work()
    html = page(client)
    assert "No submissions yet. The split has 12 questions." in html
    assert ">juniper</th>" in html  # of the benchmark itself
    assert Job.objects.count() == 1


def test_a_file_becomes_a_row_with_ranks_and_intervals(
    release: Release, researcher: Membership
) -> None:
    client = signed_in(researcher)
    made = post(client, as_file(answers(11)), description="Large <b>one</b>")
    assert (made.status_code, made["Location"]) == (303, f"{PAGE}?split=test")
    submit(release, "birch", answers(10))
    submit(release, "alder", answers(0))
    html = page(client)
    assert html.count("being scored") == 3
    assert 'hx-trigger="every 2s"' in html
    work()
    html = page(client)
    assert order(html) == [("cedar", "1–2"), ("birch", "1–2"), ("alder", "3")]
    assert "Large &lt;b&gt;one&lt;/b&gt;" in html
    assert "hx-trigger" not in html
    assert html.count('class="group-start"') == 1
    signature = f"em|norm:squad|agg:max-ref|v1|refs:question+accepted|release:{release.digest[:12]}"
    assert html.count(f'<code class="sum">{signature}</code>') == 3 + 1
    assert html.count(release.digest) == 1
    # cedar: 11 of 12, drawn with data-low and data-high
    assert re.search(
        r'<td class="number-cell" data-value="0.9166\d*" data-low="[^"]+" data-h', html
    )


def test_rows_stand_in_the_order_that_is_asked_for(
    release: Release, researcher: Membership
) -> None:
    submit(release, "cedar", answers(3, wrong="candidate 9"))
    submit(release, "birch", answers(1, wrong="a reference of sorts"))
    work()
    client = signed_in(researcher)
    assert [name for name, _ in order(page(client))] == ["cedar", "birch"]
    html = page(client, f"{PAGE}?by=f1")
    assert [name for name, _ in order(html)] == ["birch", "cedar"]
    assert '<option value="f1" selected>' in html
    # a bound is no order
    assert "Ordered by EM, with accepted answers" in page(client, f"{PAGE}?by=at_most")


def test_a_bad_file_is_refused_with_line_and_field(
    release: Release, researcher: Membership
) -> None:
    refused = post(signed_in(researcher), b'{"question-1": "a",\n"question-1": "b"}')
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    html = refused.content.decode()
    assert "answers.json, line 2: the key &#x27;question-1&#x27; is also on line 1" in html
    assert not Submission.objects.exists()


@pytest.mark.parametrize("fields", [{"name": ""}, {"split": "dev"}, {"format": "parquet"}])
def test_a_bad_form_is_refused(
    release: Release, researcher: Membership, fields: dict[str, str]
) -> None:
    refused = post(signed_in(researcher), as_file(answers(1)), **fields)
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert 'aria-invalid="true"' in refused.content.decode()
    assert not Submission.objects.exists()


def test_a_name_that_is_taken_is_an_error_of_its_field(
    release: Release, researcher: Membership
) -> None:
    submit(release, "cedar", answers(2))
    html = post(signed_in(researcher), as_file(answers(1))).content.decode()
    assert "release 1.0.0 already has a submission named &#x27;cedar&#x27;" in html


def test_withdrawn_rows_stay_without_numbers(release: Release, researcher: Membership) -> None:
    client = signed_in(researcher)
    post(client, as_file(answers(12)))
    submit(release, "birch", answers(6))
    work()
    cedar, birch = Submission.objects.order_by("pk")
    withdraw = f"{PAGE}{cedar.pk}/withdraw/"
    assert "Withdraw cedar" in page(client, withdraw)
    assert client.post(withdraw, {"reason": " "}).status_code == 422
    assert client.post(withdraw, {"reason": "Trained <on> it."}).status_code == 303
    html = page(client)
    assert order(html) == [("birch", "being computed")]
    assert "Trained &lt;on&gt; it." in html
    work()
    assert order(page(client)) == [("birch", "1")]
    assert client.get(withdraw).status_code == 303
    # somebody else's is for admins
    assert client.get(f"{PAGE}{birch.pk}/withdraw/").status_code == 403
    admin = signed_in(make_member(release.campaign, "admin"))
    assert admin.get(f"{PAGE}{birch.pk}/withdraw/").status_code == 200
    assert admin.get(f"{PAGE}0/withdraw/").status_code == 404


def test_withdrawn_releases_say_why_and_take_nothing(
    release: Release, researcher: Membership
) -> None:
    submit(release, "birch", answers(6))
    work()
    withdraw_release(release=release, reason="Names are in it.")
    client = signed_in(researcher)
    html = page(client)
    assert "Names are in it." in html
    assert order(html) == [("birch", "1")]
    assert 'type="file"' not in html
    refused = post(client, as_file(answers(1)))
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert Submission.objects.count() == 1


def test_what_could_not_be_worked_out_says_so(release: Release, researcher: Membership) -> None:
    submit(release, "cedar", answers(1))
    (release.folder / "items" / "test.parquet").write_bytes(b"PAR1")
    job = Job.objects.get()
    jobs.run_job(job.pk)
    html = page(signed_in(researcher))
    assert "The leaderboard could not be updated." in html
    assert "items/test.parquet: cannot be read" in html
    assert not Leaderboard.objects.exists()


def test_the_release_page_leads_to_its_leaderboard(
    release: Release, researcher: Membership
) -> None:
    assert f'href="{PAGE}"' in page(signed_in(researcher), "/c/lakes/releases/1.0.0/")


def test_what_is_of_another_campaign_is_not_there(release: Release) -> None:
    other = make_release(release.folder.parent, "seas")
    stranger = signed_in(make_member(other.campaign, "admin"))
    foreign = submit(release, "cedar", answers(1))
    for address in (
        PAGE,
        f"/c/seas/releases/1.0.0/leaderboard/{foreign.pk}/withdraw/",
        "/c/seas/releases/9.9.9/leaderboard/",
        "/c/seas/releases/1.0.0/leaderboard/?split=dev",
    ):
        assert stranger.get(address).status_code == 404, address


def test_the_page_costs_the_same_statements_for_many_systems(
    release: Release, researcher: Membership
) -> None:
    first = submit(release, "cedar", answers(1))
    withdraw_submission(submission=first, reason="No.")
    submit(release, "birch", answers(1))
    work()
    client = signed_in(researcher)
    page(client)
    few, _page = statements(lambda: client.get(PAGE))
    for number in range(3):
        made = submit(release, f"system {number}", answers(number))
        if number == 0:
            withdraw_submission(submission=made, reason="No.")
    work()
    more, _page = statements(lambda: client.get(PAGE))
    assert more == few
