"""Items as a file: all that are found, in three formats, no vote that is withheld."""

import csv
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from tasks.explorer.shown.files import workbook
from tasks.models import AuditEntry, Campaign, Membership
from tests.factories import make_item
from tests.tasks.api_client import ApiClient
from tests.tasks.calls import call
from tests.tasks.conftest import MakeCampaign, MakeMember, rate_next

AsMember = Callable[[Membership | None], ApiClient]
PLACE = "campaigns/campaign-1/items/file"


@pytest.fixture
def campaign(make_campaign: MakeCampaign, make_member: MakeMember) -> Campaign:
    """Three items, all of which two raters have rated."""
    made = make_campaign(items=2)
    make_item(
        made,
        id="item-3",
        question_key="own",
        candidate="=1+1",
        question="é <b>&\x0b?",
        references=("so",),
    )
    for rater in (make_member(made), make_member(made)):
        while rate_next(rater):
            pass
    return made


def content(caller: ApiClient, query: str) -> bytes:
    response = call(caller, "GET", f"{PLACE}?{query}")
    assert response.status_code == 200, response.content
    return b"".join(response.streaming_content)


def lines(caller: ApiClient, query: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content(caller, f"format=jsonl&{query}").splitlines()]


def sheets(data: bytes) -> list[list[list[str]]]:
    """The cells of each sheet, as a reader of Office Open XML finds them."""
    names = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
    row_name = f"{{{names['m']}}}row"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        paths = sorted(path for path in archive.namelist() if path.startswith("xl/worksheets/"))
        types = archive.read("[Content_Types].xml").decode()
        assert all(f'PartName="/{path}"' in types for path in paths)
        return [
            [
                ["".join(cell.itertext()) for cell in row.findall("m:c", names)]
                for row in ElementTree.fromstring(archive.read(path)).iter(row_name)  # noqa: S314 - ours
            ]
            for path in paths
        ]


def test_a_file_has_all_items_that_are_found(
    campaign: Campaign, make_member: MakeMember, as_member: AsMember
) -> None:
    caller = as_member(make_member(campaign, role="researcher"))
    assert [each["id"] for each in lines(caller, "")] == ["item-3", "item-2", "item-1"]
    assert [each["id"] for each in lines(caller, "q=question&order=number")] == ["item-1", "item-2"]
    (only,) = lines(caller, "key=item-3&columns=id,candidate,id,references")
    assert only == {"id": "item-3", "candidate": "=1+1", "references": ["so"]}
    taken = AuditEntry.objects.filter(action="export.taken").order_by("sequence").last()
    assert taken is not None
    assert (taken.subject, taken.facts) == (
        "items",
        {
            "columns": ["id", "candidate", "references"],
            "format": "jsonl",
            "key": "item-3",
            "order": "-number",
            "rows": 1,
        },
    )
    # with a filter by votes the number of rows would tell them to who reads the log
    lines(caller, "key=item-3&label=equivalent&columns=id")
    taken = AuditEntry.objects.filter(action="export.taken").latest("sequence")
    assert (taken.facts["label"], "rows" in taken.facts) == ("equivalent", False)


def test_no_cell_of_a_spreadsheet_is_a_formula(
    campaign: Campaign, make_member: MakeMember, as_member: AsMember
) -> None:
    caller = as_member(make_member(campaign, role="admin"))
    query = "key=item-3&columns=id,ratings,candidate,question,share"
    header = ["id", "ratings", "candidate", "question", "share"]
    text = content(caller, f"format=csv&{query}").decode()
    assert list(csv.reader(io.StringIO(text, newline=""))) == [
        header,
        ["item-3", "2", "'=1+1", "é <b>&\x0b?", ""],
    ]
    data = content(caller, f"format=xlsx&{query}")
    assert sheets(data) == [[header, ["item-3", "2", "=1+1", "é <b>&_x000B_?"]]]
    assert b"<f>" not in data


def test_a_cell_has_no_more_than_programs_take_and_nothing_they_misread() -> None:
    rows = [["😀" * 40_000], ["a" * 40_000], ["_x0041_ _x_ __x0041_"], ["a\rb\nc"]]
    ((_head, *cells),) = sheets(b"".join(workbook(["n"], rows)))
    assert cells == [
        ["😀" * 16_383],
        ["a" * 32_767],
        ["_x005F_x0041_ _x_ __x005F_x0041_"],
        ["a_x000D_b\nc"],
    ]


def test_votes_that_are_withheld_are_in_no_file_until_they_are_asked_for(
    campaign: Campaign, make_member: MakeMember, as_member: AsMember
) -> None:
    caller = as_member(make_member(campaign, role="researcher"))
    for each in lines(caller, ""):
        assert (each["withheld"], each["votes"], each["label"], each["state"]) == (
            *("blind", [], ""),
            "complete",
        )
    assert lines(caller, "label=equivalent") == []
    asked = lines(caller, "votes=seen&label=equivalent")
    assert [(each["withheld"], each["label"]) for each in asked] == [(None, "equivalent")] * 3
    assert [each["withheld"] for each in lines(caller, "")] == [None] * 3


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("", "format"),
        ("format=pdf", "format"),
        ("format=csv&columns=id,nothing", "columns"),
        ("format=csv&limit=3", "limit"),
        ("format=csv&label=nothing", "label"),
        ("format=csv&order=score", "order"),
        ("format=csv&accepted=yes", "accepted"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(
    campaign: Campaign, make_member: MakeMember, as_member: AsMember, query: str, field: str
) -> None:
    response = call(as_member(make_member(campaign, role="admin")), "GET", f"{PLACE}?{query}")
    assert (response.status_code, field in response.content.decode()) == (400, True)


def test_raters_get_no_file(
    campaign: Campaign, make_member: MakeMember, as_member: AsMember
) -> None:
    response = call(as_member(make_member(campaign)), "GET", f"{PLACE}?format=csv")
    assert response.status_code == 403
