"""The numbers that charts and files read off the cells of tables."""

from typing import Any

import pytest
from django.template import Context, Template
from django.utils import translation

from tasks.templatetags.tables import drawn
from tomahto.estimates.estimate import Estimate, undefined


@pytest.mark.parametrize(
    ("cell", "attributes"),
    [
        (1234567, 'data-value="1234567"'),
        (0, 'data-value="0"'),
        (1 / 3, 'data-value="0.3333333333333333"'),
        (None, ""),
        ("", ""),
        (Estimate(value=0.5, n=3), 'data-value="0.5" data-n="3"'),
        (
            Estimate(value=0.5, n=3, low=0.25, high=1.0),
            'data-value="0.5" data-low="0.25" data-high="1.0" data-n="3"',
        ),
        (undefined("nobody agrees", n=0), ""),
        (
            {"value": 0.5, "low": 0.25, "high": 1.0, "n": 3},
            'data-value="0.5" data-low="0.25" data-high="1.0" data-n="3"',
        ),
        ({"value": 0.5, "low": None, "high": None}, 'data-value="0.5"'),
        ({"value": 7}, 'data-value="7"'),
        ({"value": None, "reason": "nobody agrees"}, ""),
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_cells_are_written_as_programs_read_them(cell: Any, attributes: str, language: str) -> None:
    with translation.override(language):
        assert drawn(cell) == attributes


def test_cells_of_percentage_points_are_written_in_them() -> None:
    difference = {"value": -0.125, "low": -0.25, "high": 0.5, "n": 8}
    points = 'data-value="-12.5" data-low="-25.0" data-high="50.0" data-n="8"'
    assert drawn(difference, 100) == points
    assert drawn("", 100) == ""


def rendered(text: str, **values: object) -> str:
    return Template(f"{{% load tables %}}{text}").render(Context(values))


def test_the_first_row_of_a_table_is_its_head() -> None:
    rows = "<tr><th>{{ name }}</th></tr><tr><td>1</td></tr><tr><td>2</td></tr>"
    assert rendered(f"{{% table %}}{rows}{{% endtable %}}", name="<b>") == (
        "<table><thead><tr><th>&lt;b&gt;</th></tr></thead>"
        "<tbody><tr><td>1</td></tr><tr><td>2</td></tr></tbody></table>"
    )


def test_a_table_with_a_label_scrolls_by_itself_and_one_with_a_file_is_saved() -> None:
    tag = '{% table label id="odd" class="small" file="odd-"|add:label caption=label %}'
    assert rendered(f"{tag}<tr></tr>{{% endtable %}}", label="A & B") == (
        '<div class="scroll" role="region" tabindex="0" aria-label="A &amp; B">'
        '<table id="odd" class="small" data-sortable="" data-file="odd-A &amp; B">'
        '<caption class="unseen">A &amp; B</caption><thead><tr></tr></thead><tbody></tbody></table>'
        "</div>"
    )
    tag = '{% table labelledby="title" box="card scroll" sortable=True folded="numbers" %}'
    assert rendered(f"{tag}<tr></tr>{{% endtable %}}") == (
        '<details class="numbers" id="numbers"><summary>Show the numbers</summary>'
        '<div class="card scroll" role="region" tabindex="0" aria-labelledby="title">'
        '<table data-sortable=""><thead><tr></tr></thead><tbody></tbody></table></div></details>'
    )
