"""Tables of pages as files: they say what the page shows, and no spreadsheet runs them."""

import csv
import io
from http import HTTPStatus

import pytest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.test import RequestFactory
from django.utils import translation

from tasks.web.tables.files import gives_tables, key_of
from tasks.web.tables.shown import ShownCell, ShownHead, ShownTable, shown_page

PAGE = """
<html><head><title>Systems · Rivers · Tomahto</title></head><body>
<h2 id="accuracy">Accuracy <button>What is accuracy?</button><span popover>Explained.</span></h2>
<div role="region" aria-label="How right they are"><table id="accuracy-table">
<thead><tr><th>System</th><th>Accuracy</th><th>κ</th><th data-unit="seconds">Time</th></tr></thead>
<tbody>
<tr><th>juniper &amp;<br>larch</th>
  <td data-value="0.75" data-low="0.5" data-high="1.0" data-n="8">75.0 % <span>50 to 100</span></td>
  <td data-value="0.5">0.50</td><td data-value="61.5">1 min 02 s</td></tr>
<tr><th>=1+1</th><td>no item has two ratings</td><td>–</td><td data-value="5.0">5 s</td></tr>
</tbody></table></div>
<table id="empty"><thead><tr><th>Nothing</th></tr></thead><tbody></tbody></table>
<table id="counts"><caption>Items by size</caption>
<thead><tr><th>Items</th><th>Items</th></tr></thead>
<tbody><tr><td data-value="1234">1,234</td><td data-value="3">3</td></tr></tbody></table>
<table id="people"><thead><tr><th>Ann</th><th>Ann n</th></tr></thead>
<tbody><tr><td data-value="0.5" data-low="0.2" data-high="0.8" data-n="8">0.50</td><td>x</td></tr>
</tbody></table>
<div aria-labelledby="accuracy"><table id="named"><tbody><tr><td>x</td></tr></tbody></table></div>
</body></html>
"""


@gives_tables
def page(request: HttpRequest, slug: str = "") -> HttpResponse:
    return HttpResponse(PAGE.replace("Accuracy</th>", f"{translation.get_language()}</th>"))


def file(table: str, format_: str) -> HttpResponse:
    request = RequestFactory().get("/", {"table": table, "format": format_})
    response = page(request, slug="rivers")
    assert isinstance(response, HttpResponse)
    return response


def test_tables_are_read_as_the_page_shows_them() -> None:
    found = shown_page(PAGE)
    assert found.title == "Systems · Rivers · Tomahto"
    assert list(found.tables) == ["accuracy-table", "empty", "counts", "people", "named"]
    assert found.tables["accuracy-table"] == ShownTable(
        "accuracy-table",
        "How right they are",
        [ShownHead("System"), ShownHead("Accuracy"), ShownHead("κ"), ShownHead("Time", "seconds")],
        [
            [
                ShownCell("juniper & larch"),
                ShownCell("75.0 % 50 to 100", 0.75, 0.5, 1.0, 8),
                ShownCell("0.50", 0.5),
                ShownCell("1 min 02 s", 61.5),
            ],
            [
                ShownCell("=1+1"),
                ShownCell("no item has two ratings"),
                ShownCell("–"),
                ShownCell("5 s", 5.0),
            ],
        ],
    )
    assert found.tables["counts"].title == "Items by size"
    assert found.tables["named"].title == "Accuracy"  # without what explains it


def test_csv_has_numbers_in_full_and_nothing_that_a_spreadsheet_runs() -> None:
    with translation.override("de"):
        response = file("accuracy-table", "csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="rivers-accuracy.csv"'
    rows = list(csv.reader(io.StringIO(response.content.decode())))
    assert rows == [  # in English, whatever the language of the page
        ["system", "en", "en_low", "en_high", "en_n", "kappa", "time_s"],
        ["juniper & larch", "0.75", "0.5", "1.0", "8", "0.5", "61.5"],
        ["'=1+1", "", "", "", "", "", "5.0"],
    ]


def test_latex_has_the_table_with_units_intervals_and_reasons() -> None:
    text = file("accuracy-table", "tex").content.decode()
    assert r"\caption{How right they are}" in text
    assert r"System & en (\%) & $\kappa$ & Time (s) \\" in text
    assert r"juniper \& larch & 75.0 {[}50.0, 100.0{]} & 0.500 & 61.500 \\" in text
    assert "Intervals are in brackets." in text
    assert "is undefined: no item has two ratings; it is not known." in text
    assert "Source: Systems · Rivers, " in text


def test_columns_of_one_title_are_told_apart() -> None:
    assert file("counts", "csv").content.decode() == "items,items__2\r\n1234,3\r\n"
    people = file("people", "csv").content.decode()
    assert people == "ann,ann_low,ann_high,ann_n,ann_n__2\r\n0.5,0.2,0.8,8,x\r\n"


@pytest.mark.parametrize(
    ("table", "format_"), [("other", "csv"), ("empty", "csv"), ("counts", "xlsx"), ("counts", "")]
)
def test_other_tables_and_formats_are_not_there(table: str, format_: str) -> None:
    with pytest.raises(Http404):
        file(table, format_)


def test_without_a_table_the_page_is_as_it_is() -> None:
    with translation.override("de"):
        response = page(RequestFactory().get("/"))
    assert b"<th>de</th>" in response.content  # type: ignore[attr-defined]  # an HttpResponse


def test_what_is_no_page_is_answered_as_it_is() -> None:
    away = gives_tables(lambda _request: HttpResponseRedirect("/login/"))
    response = away(RequestFactory().get("/", {"table": "counts", "format": "csv"}))
    assert (response.status_code, response["Location"]) == (HTTPStatus.FOUND, "/login/")


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("κ with the rest", "kappa_with_the_rest"),
        ("Krippendorff’s α", "krippendorff_s_alpha"),
        ("Accuracy (%)", "accuracy"),
        ("÷", "column"),
    ],
)
def test_keys_are_for_programs(title: str, key: str) -> None:
    assert key_of(title) == key
