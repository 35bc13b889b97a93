"""How many more ratings it takes, and what predictions and a matcher can save."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_safe

from measures.estimate import Estimate, estimate_from_json
from measures.sample_size import SampleSize, items_for_width, predicted_width
from tasks.figure_forms import MoreForm
from tasks.models import Campaign, ItemOrder, Membership
from tasks.views.access import RESULTS, member_page
from tasks.views.dashboard import dashboard_page

POINTS = 8  # of the line of predicted widths


@dataclass(frozen=True, slots=True)
class Plan:
    """The quantity asked for, what it takes, and the width predicted at growing numbers."""

    kind: str
    systems: Sequence[str]
    estimate: Estimate
    ratings_each: int
    size: SampleSize
    widths: Sequence[tuple[int, float]]


@require_safe
@member_page(*RESULTS)
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
        "plan": _plan(form, figures["quantities"]) if is_valid else None,
        "stand_in_test": _test(form, figures["stand_in"]) if is_valid else None,
        "has_two_labels": len(campaign.annotation_protocol.labels) == 2,
        "order": ItemOrder(powered["order"]).label,
        "powered": [(system, _gain(system)) for system in powered["systems"]],
    }


def _plan(form: MoreForm, quantities: Sequence[Mapping[str, Any]]) -> Plan:
    chosen = next(one for one in quantities if one["key"] == form.cleaned_data["quantity"])
    estimate = estimate_from_json(chosen["estimate"])
    size = items_for_width(
        estimate,
        form.cleaned_data["width"],
        available=chosen["available"],
        ratings_each=chosen["ratings_each"],
    )
    return Plan(
        kind=chosen["kind"],
        systems=chosen["systems"],
        estimate=estimate,
        ratings_each=chosen["ratings_each"],
        size=size,
        widths=_widths(estimate, size),
    )


def _widths(estimate: Estimate, size: SampleSize) -> list[tuple[int, float]]:
    """From what is there to all there can be, or to what is needed; in equal ratios."""
    if size.reason or size.needed is None or size.available is None:
        return []
    last = max(size.needed, size.available)
    marks = {size.n, size.needed, size.available}
    step = (last / size.n) ** (1 / (POINTS - 1))
    between = (round(size.n * step**place) for place in range(1, POINTS - 1))
    numbers = {one for one in between if all(_is_apart(one, mark, step) for mark in marks)}
    return [(number, predicted_width(estimate, number)) for number in sorted(numbers | marks)]


def _is_apart(one: int, other: int, step: float) -> bool:
    """Whether two numbers are at least two thirds of a step apart, so that both can be read."""
    return abs(math.log(one / other)) > math.log(step) * 2 / 3


def _test(form: MoreForm, stand_in: Mapping[str, Any]) -> Mapping[str, Any] | None:
    epsilon = float(form.cleaned_data["epsilon"])
    return next((test for test in stand_in["by_epsilon"] if test["epsilon"] == epsilon), None)


def _gain(system: Mapping[str, Any]) -> float | None:
    """How many times as many labels the classical estimate would need."""
    if system["effective_n"] is None or not system["labelled"]:
        return None
    gain: float = system["effective_n"] / system["labelled"]
    return gain
