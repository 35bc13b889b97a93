"""How many more ratings it takes, and what predictions and a matcher can save."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import member_page
from tasks.access.guards.roles import RESULTS
from tasks.agreement.figure_forms import MoreForm
from tasks.agreement.figures.more.sample_plan import SamplePlan, sample_plan
from tasks.agreement.pages.dashboard import dashboard_page
from tasks.models import Campaign, ItemOrder, Membership
from tasks.web.addresses import Tab, page_at


@page_at(
    "c/<slug:slug>/agreement/more/",
    name="more",
    calls=("api-figures",),
    tab=Tab(90, gettext_lazy("How many more?"), RESULTS, under="agreement"),
    help="dashboards.md#how-many-more",
)
@member_page(RESULTS)
def more(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The form's choice is applied to the figures, so that it costs no new ones."""
    return dashboard_page(request, membership, "more", partial(_tables, request.GET))


def _tables(
    given: Mapping[str, str], campaign: Campaign, figures: Mapping[str, Any]
) -> dict[str, Any]:
    form = MoreForm(given, figures["quantities"])
    is_valid = form.is_valid()
    powered = figures["prediction_powered"]
    return {
        "form": form,
        "has_right_answers": bool(campaign.annotation_protocol.accepted_labels),
        "plan": _plan(form, figures["quantities"]) if is_valid else None,
        "stand_in_test": _test(form, figures["stand_in"]) if is_valid else None,
        "has_two_labels": len(campaign.annotation_protocol.labels) == 2,
        "order": ItemOrder(powered["order"]).label,
        "powered": [(system, _gain(system)) for system in powered["systems"]],
    }


def _plan(form: MoreForm, quantities: Sequence[Mapping[str, Any]]) -> SamplePlan:
    return sample_plan(quantities, form.cleaned_data["quantity"], form.cleaned_data["width"])


def _test(form: MoreForm, stand_in: Mapping[str, Any]) -> Mapping[str, Any] | None:
    epsilon = float(form.cleaned_data["epsilon"])
    return next((test for test in stand_in["by_epsilon"] if test["epsilon"] == epsilon), None)


def _gain(system: Mapping[str, Any]) -> float | None:
    """How many times as many labels the classical estimate would need."""
    if system["effective_n"] is None or not system["labelled"]:
        return None
    gain: float = system["effective_n"] / system["labelled"]
    return gain
