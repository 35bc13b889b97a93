"""The dashboards, each shown the same way: figures of this moment or of a worker's."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards import RESULTS
from tasks.access.guards.pages import is_htmx, member_page
from tasks.agreement.figures.more_figures import sample_plan
from tasks.agreement.figures.suggestion_figures import CORRECT
from tasks.agreement.forms import MoreForm
from tasks.agreement.shown.labels import label_heads
from tasks.agreement.workflow.alerts import next_look_at
from tasks.agreement.workflow.assessment import (
    ShownFigures,
    all_figures_of,
    ask_for_figures,
    figures_of,
)
from tasks.models import Campaign, ItemOrder, Look, Membership
from tasks.votes.all_votes import asks_before_figures
from tasks.votes.blindness import leaves_out_votes
from tasks.votes.ratings import set_aside_now
from tasks.web.addresses import Tab, TabRow, page_at, tab_over
from tomahto.ranking.system_answers import TIE

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise


_STAMP = "X-Figures"  # what the page shows already

Tables = Callable[[Campaign, Mapping[str, Any]], dict[str, Any]]


ROW: Final = TabRow(
    under="agreement",
    pages=(
        "labels",
        "progress",
        "time",
        "systems",
        "raters",
        "classes",
        "suggestion",
        "more",
        "alerts",
    ),
)


def dashboard(
    name: str,
    title: "StrPromise",
    *,
    help: str = "",  # noqa: A002 - as `page_at` calls it
) -> Callable[[Tables], Tables]:
    """The page of the figures called `name`, with its address, call, tab and help: what this stands
    above makes the tables of `dashboard_page`."""

    def register(tables: Tables) -> Tables:
        @page_at(
            f"c/<slug:slug>/agreement/{name}/",
            name=name,
            calls=("api-figures",),
            tab=Tab(title, RESULTS, ROW),
            help=help,
        )
        @member_page(RESULTS)
        def _page(request: HttpRequest, membership: Membership) -> HttpResponseBase:
            return dashboard_page(request, membership, name, tables)

        return tables

    return register


def dashboard_page(
    request: HttpRequest,
    membership: Membership,
    names: str | Sequence[str],
    tables: Tables,
    *,
    template: str = "",
    **context: Any,
) -> HttpResponseBase:
    """The page of figures, which the template gets as `figures`: those of one name, or of several
    as a mapping.

    The template is that of the same name, or the one called as the page is. Its heading is the
    title of the page's tab, if it has no other.

    `tables` makes of campaign and figures what the template shows beside them; it is not called
    while there are none. Asked by htmx, it answers 204 while this is what the page
    shows. Figures that are not there yet, or old, are asked for.
    """
    if isinstance(names, str):
        shown = figures_of(membership.campaign, names)
    else:
        shown = all_figures_of(membership.campaign, names)
    if asked := asks_before_figures(request, membership, shown.made_at):
        return asked
    if not shown.is_current:
        ask_for_figures(membership.campaign)
    stamp = _stamp(shown)
    if is_htmx(request) and request.headers.get(_STAMP) == stamp:
        return HttpResponse(status=204)
    if shown.content is not None:
        context |= tables(membership.campaign, shown.content)
    name = template or str(names)
    page = {
        "membership": membership,
        "heading": tab_over(name)[0].title,
        "shown": shown,
        "figures": shown.content,
        "stamp": stamp,
        "leaves_out": leaves_out_votes(membership),
        "set_aside": set_aside_now(membership.campaign),
        "narrowing": narrowed.key if (narrowed := membership.campaign.narrowed_to) else "",
    }
    return render(request, f"agreement/{name}.html", page | context)


def _stamp(shown: ShownFigures) -> str:
    parts = [shown.content, str(shown.made_at), shown.is_current, shown.error]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


@dashboard("labels", gettext_lazy("Labels"), help="dashboards.md#labels")
def labels(campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
    titles = campaign.annotation_protocol.titles
    histogram = figures["f1_histogram"]
    columns = [histogram["labels"][label] for label in (*titles, TIE)]
    return {
        "labels": [
            (title, figures["votes"][label], figures["majority"][label])
            for label, title in titles.items()
        ],
        "ties": figures["majority"][TIE],
        "histogram": {
            "heads": label_heads(campaign),
            "bins": list(
                zip(pairwise(histogram["edges"]), zip(*columns, strict=True), strict=True)
            ),
            "without_references": histogram["without_references"],
        },
        "types": [
            (kind, list(counts.values())) for kind, counts in figures["by_question_type"].items()
        ],
    }


@dashboard("progress", gettext_lazy("Progress"), help="dashboards.md#progress")
def progress(_campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
    forecast = figures["forecast"]
    return {
        "days": [
            {**row, "day": (day := date.fromisoformat(row["day"])), "x": on_time_axis(day)}
            for row in figures["days"]
        ],
        "dates": {
            name: None if forecast[name] is None else date.fromisoformat(forecast[name])
            for name in ("date", "earliest", "latest")
        },
        "share": figures["done"] / figures["wanted"] if figures["wanted"] else None,
    }


def on_time_axis(day: date) -> int:
    """The position of a day on a chart's axis of time: milliseconds, at noon.

    At noon, because then it is the same day wherever the page is read.
    """
    noon = datetime.combine(day, time(12), tzinfo=UTC)
    return round(noon.timestamp() * 1000)


@dashboard("time", gettext_lazy("Over time"), help="dashboards.md#over-time")
def over_time(_campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "periods": [
            {**row, "start": (start := date.fromisoformat(row["start"])), "x": on_time_axis(start)}
            for row in figures["periods"]
        ]
    }


@dashboard("systems", gettext_lazy("Systems"), help="dashboards.md#systems")
def systems(campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
    titles = campaign.annotation_protocol.titles
    return {
        "heads": label_heads(campaign),
        "labels": [
            (row["system"], [row["labels"][label] for label in (*titles, TIE)])
            for row in figures["systems"]
        ],
        "unrated": sum(row["unrated_items"] for row in figures["systems"]),
    }


CONCLUSIVE = ("steers", "steers-away", "no-larger-effect")


@dashboard("suggestion", gettext_lazy("Suggestion"), help="dashboards.md#does-the-suggestion-steer")
def suggestion(campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
    titles = campaign.annotation_protocol.titles
    looks = [
        {**look, "made_at": datetime.fromisoformat(look["made_at"])} for look in figures["looks"]
    ]
    latest = looks[0] if looks else None
    found = next((look for look in looks if look["verdict"] in CONCLUSIVE), None)
    effects = [figures["overall"], *figures["by_side"]] if figures["overall"] else []
    return {
        "effects": [(_title(effect["suggested"]), effect) for effect in effects],
        "labels": [(titles[shift["label"]], shift) for shift in figures["labels"]],
        "has_two_labels": len(titles) == 2,
        "correct_titles": [
            title
            for label, title in titles.items()
            if label in campaign.annotation_protocol.correct_labels
        ],
        "looks": looks,
        "latest": latest,
        # what an earlier look has found stays found
        "earlier": found if found is not latest else None,
        "next_look_at": next_look_at(Look.objects.filter(campaign=campaign).first()),
    }


def _title(suggested: str | None) -> str:
    if suggested is None:
        return _("All suggestions")
    return _("Suggested: correct") if suggested == CORRECT else _("Suggested: not correct")


@page_at(
    "c/<slug:slug>/agreement/more/",
    name="more",
    calls=("api-figures",),
    tab=Tab(gettext_lazy("How many more?"), RESULTS, ROW),
    help="dashboards.md#how-many-more",
)
@member_page(RESULTS)
def more(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The form's choice is applied to the figures, so that it costs no new ones."""
    return dashboard_page(request, membership, "more", partial(_more_tables, request.GET))


def _more_tables(
    given: Mapping[str, str], campaign: Campaign, figures: Mapping[str, Any]
) -> dict[str, Any]:
    form = MoreForm(given, figures["quantities"])
    plan = stand_in_test = None
    if form.is_valid():
        chosen, tests = form.cleaned_data, figures["stand_in"]["by_epsilon"]
        plan = sample_plan(figures["quantities"], chosen["quantity"], chosen["width"])
        epsilon = float(chosen["epsilon"])
        stand_in_test = next((test for test in tests if test["epsilon"] == epsilon), None)
    powered = figures["prediction_powered"]
    return {
        "form": form,
        "has_right_answers": bool(campaign.annotation_protocol.accepted_labels),
        "plan": plan,
        "stand_in_test": stand_in_test,
        "has_two_labels": len(campaign.annotation_protocol.labels) == 2,
        "order": ItemOrder(powered["order"]).label,
        "powered": [(system, _gain(system)) for system in powered["systems"]],
    }


def _gain(system: Mapping[str, Any]) -> float | None:
    """The labels that the classical estimate would need, as a multiple of those there are."""
    if system["effective_n"] is None or not system["labelled"]:
        return None
    gain: float = system["effective_n"] / system["labelled"]
    return gain
