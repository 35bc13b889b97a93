"""Every table of figures can be taken away from the page that shows it, as that page shows it."""

import csv
import io
import re
from html import unescape
from http import HTTPStatus
from pathlib import Path

import pytest
from django.test import Client

from exporters.plan import ReleasePlan
from tasks.models import Campaign, Membership
from tasks.people.shown.names import ShownName
from tasks.releases.workflow.release import publish_release
from tests.factories import make_labelled_items, make_member
from tests.simulated_suggestions import simulate
from tests.tasks.agreement.figures.test_systems_figures import fill
from tests.tasks.agreement.pages.test_more import fill_more
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.slow

DASHBOARDS = {
    "": {"questions", "ratings-per-item", "kappa"},
    "labels/": {"labels", "f1"},
    "progress/": {"days", "items"},
    "time/": {"periods", "versions"},
    "systems/": {"accuracy", "labels", "answers"},  # of one system
    "raters/": {"raters"},
    "classes/": {"disagreement", "pairs", "suggestions"},
    "suggestion/": {"arms", "difference", "effects", "shift"},
    "more/": {"widths", "powered", "exact"},
}


def links(html: str) -> set[str]:
    """The addresses of the tables' files."""
    return set(map(unescape, re.findall(r'href="([^"]*[?&;]table=[^"]*)"', html)))


def table_in(html: str, table: str) -> str:
    """The body of a table."""
    found = re.search(rf'<table[^>]*id="{table}"[^>]*>.*?</table>', html, re.DOTALL)
    assert found
    return found[0].split("<tbody>")[1]


def numbers_in(body: str) -> list[float]:
    """All that the cells say to programs, row by row, an interval and n after its value."""
    cells = re.findall(r"<td[^>]*data-value[^>]*>", body)
    parts = [re.findall(r'data-(?:value|low|high|n)="([^"]+)"', cell) for cell in cells]
    return [float(number) for cell in parts for number in cell]


def numbers_of(text: str) -> list[float]:
    """Those of a CSV file, but for what names its rows."""
    rows = list(csv.reader(io.StringIO(text)))[1:]
    return [float(cell) for row in rows for cell in row[1:] if _is_number(cell)]


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", text) is not None


def check(client: Client, page: str) -> set[str]:
    """Every file of the page is there and says what the page says; the names of the tables."""
    html = client.get(page).content.decode()
    names = set()
    for link in links(html):
        response = client.get(link)
        assert response.status_code == HTTPStatus.OK, link
        assert response["Content-Disposition"].startswith("attachment; filename=")
        found = re.search(r"table=([\w-]+)&format=(\w+)", link)
        assert found
        names.add(found[1].removesuffix("-table"))
        body, text = table_in(html, found[1]), response.content.decode()
        if found[2] == "csv":
            assert numbers_of(text) == numbers_in(body), link
        else:
            assert text.startswith("% needs \\usepackage{booktabs}"), link
            assert text.count("\\\\\n") == 1 + body.count("<tr"), link
    return names


@pytest.fixture
def simulated(db: None) -> Campaign:
    campaign = simulate(items=40)
    fill_more(campaign, 5)
    return campaign


@pytest.mark.parametrize("role", ["admin", "researcher"])
def test_files_of_dashboards_say_what_their_pages_say(simulated: Campaign, role: str) -> None:
    client = signed_in(make_member(simulated, role))
    found = {name: check(client, f"/c/{simulated.slug}/agreement/{name}") for name in DASHBOARDS}
    assert found == DASHBOARDS


def test_the_comparison_of_systems_has_a_file(campaign: Campaign) -> None:
    right = {1: "e", 2: "e", 3: "n", 4: "e", 5: "n", 6: "e"}
    fill(campaign, {n: (n, ("juniper",), vote) for n, vote in right.items()})
    fill(campaign, {10 + n: (n, ("larch",), "n" if n < 4 else "e") for n in right})
    client = signed_in(make_member(campaign, "researcher"))
    found = check(client, "/c/rivers/agreement/systems/")
    assert found == {"accuracy", "differences", "labels", "answers"}


def test_a_file_has_the_names_that_its_reader_sees(simulated: Campaign) -> None:
    address = f"/c/{simulated.slug}/agreement/raters/?table=raters-table&format=csv"
    rater = Membership.objects.filter(campaign=simulated, role="rater").earliest("pk")
    for role, shown in (
        ("admin", f"{rater.name} {rater.pseudonym}"),
        ("researcher", rater.pseudonym),
    ):
        text = signed_in(make_member(simulated, role)).get(address).content.decode()
        assert shown in [row[0] for row in csv.reader(io.StringIO(text))]
    assert ShownName(rater.pseudonym) != ShownName(rater.pseudonym, rater.name)


def test_files_are_for_those_who_may_see_the_page(simulated: Campaign) -> None:
    address = f"/c/{simulated.slug}/agreement/systems/?table=accuracy-table&format=csv"
    rater = signed_in(make_member(simulated, "rater"))
    assert rater.get(address).status_code == HTTPStatus.FORBIDDEN
    assert Client().get(address).status_code == HTTPStatus.FOUND


def test_what_was_chosen_on_a_page_holds_for_its_files(simulated: Campaign) -> None:
    client = signed_in(make_member(simulated, "researcher"))
    page = f"/c/{simulated.slug}/agreement/more/?width=0.2&epsilon=0.1"
    html = client.get(page).content.decode()
    assert {link.partition("&table")[0] for link in links(html)} == {
        f"/c/{simulated.slug}/agreement/more/?width=0.2&epsilon=0.1"
    }
    check(client, page)


def test_releases_and_their_comparison_have_files(campaign: Campaign, tmp_path: Path) -> None:
    make_labelled_items(campaign, items=6, documents=3)
    for version, seed in (("1.0.0", 0), ("2.0.0", 5)):
        plan = ReleasePlan(version=version, split="document:dev=50,test=50", seed=seed)
        publish_release(campaign=campaign, plan=plan, out=tmp_path / version)
    client = signed_in(make_member(campaign, "researcher"))
    assert check(client, "/c/rivers/releases/") == {"releases"}
    assert check(client, "/c/rivers/releases/2.0.0/") >= {"sizes", "split-labels", "parts"}
    assert check(client, "/c/rivers/releases/2.0.0/changes/") >= {"change-1"}
