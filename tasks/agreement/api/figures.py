"""Figures of the dashboards, what follows from them, and looks. For researchers and admins."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import RESULTS
from tasks.access.guards.operations import call_at, get
from tasks.agreement.figures.figures import FIGURES, NotNarrowedError, require_narrowed
from tasks.agreement.figures.more_figures import sample_plan
from tasks.agreement.forms import DEFAULT_WIDTH, MoreForm
from tasks.agreement.workflow.alerts import latest_look
from tasks.agreement.workflow.assessment import ShownFigures, ask_for_figures, figures_of
from tasks.models import Look, Membership
from tasks.votes.all_votes import (
    AllVotesParameters,
    NarrowingParameters,
    narrow_as_asked,
    require_asked_for_figures,
)
from tasks.web.calls import ListParameters, asked_of, page_of, require_valid
from tomahto.estimates.estimate import estimate_as_json


class FiguresSerializer(serializers.Serializer[Any]):
    """Current figures: `made_at` is null for those of this moment."""

    figures = serializers.DictField(
        allow_null=True, help_text="Figures as the command prints them; null until there are any."
    )
    made_at = serializers.DateTimeField(allow_null=True)
    is_current = serializers.BooleanField(help_text="False while newer figures are computed.")


class PlanParameters(AllVotesParameters):
    quantity = serializers.CharField(
        required=False, help_text="Key of one of the `quantities` of the figures `more`."
    )
    width = serializers.FloatField(
        required=False,
        default=DEFAULT_WIDTH,
        min_value=0.001,
        max_value=2,
        help_text="Target width of the interval, end to end.",
    )


class PredictedWidthSerializer(serializers.Serializer[Any]):
    items = serializers.IntegerField()
    width = serializers.FloatField()


class PlanSerializer(serializers.Serializer[Any]):
    """The ratings needed to know a quantity with the target width."""

    kind = serializers.CharField()
    systems = serializers.ListField(child=serializers.CharField())
    estimate = serializers.DictField(help_text="Value, interval, n, replicates and seed.")
    ratings_each = serializers.IntegerField()
    size = serializers.DictField(
        help_text="`needed` items in total, `more` beyond the existing ones, which take "
        "`more_ratings` ratings; `reason` if there is no prediction."
    )
    widths = PredictedWidthSerializer(many=True)


class LooksParameters(ListParameters, AllVotesParameters):
    """A page of what came of all votes."""


class LookSerializer(serializers.Serializer[Any]):
    """A look at which statistical tests were made; `findings` is what each found, by its name."""

    number = serializers.IntegerField()
    ratings = serializers.IntegerField()
    level = serializers.FloatField()
    made_at = serializers.DateTimeField()
    findings = serializers.DictField()


@call_at("v1/campaigns/<slug:slug>/figures/<slug:name>", name="api-figures")
@get(
    "figures",
    RESULTS,
    asks=NarrowingParameters,
    gives={200: FiguresSerializer, 202: FiguresSerializer},
    refuses=(409,),
)
def figures(request: Request, member: Membership, name: str) -> Response:
    """The figures of a dashboard, the same as `./run manage figures SLUG NAME --json` prints.

    In a large campaign they are those of `made_at`, null for this moment, and `is_current` is
    false while newer ones are worked out; 202 and null stand for the first time they are.

    Figures of this moment leave out the items that the caller may still rate, as those of all
    calls do, until they ask for all votes; for figures of another moment 409 asks whether they
    want to.

    The other parameters have the figures of a part of the ratings; 400 if these are always of all.
    """
    if name not in FIGURES:
        raise NotFound(f"no figures {name!r}; known: {', '.join(FIGURES)}")
    narrow_as_asked(request, member)
    try:
        require_narrowed(member.campaign, name)
    except NotNarrowedError as error:
        raise serializers.ValidationError(str(error)) from None
    shown = current_figures(request, member, name)
    answer = {"figures": shown.content, "made_at": shown.made_at, "is_current": shown.is_current}
    return Response(answer, status=202 if shown.content is None else 200)


@call_at("v1/campaigns/<slug:slug>/figures/more/plan", name="api-plan")
@get(
    "sample_plan",
    RESULTS,
    asks=PlanParameters,
    gives={200: PlanSerializer, 202: None},
    refuses=(409,),
)
def plan(request: Request, member: Membership) -> Response:
    """How many more ratings it takes until an interval is as narrow as wanted.

    By default of α. 202 while the figures it rests on are worked out for the first time.
    """
    asked = asked_of(request, PlanParameters)
    shown = current_figures(request, member, "more")
    if shown.content is None:
        return Response(status=202)
    quantities = shown.content["quantities"]
    chosen = {name: str(value) for name, value in asked.items() if name != "votes"}
    form = MoreForm(chosen, quantities)
    require_valid(form)
    made = sample_plan(quantities, form.cleaned_data["quantity"], form.cleaned_data["width"])
    return Response(
        {
            "kind": made.kind,
            "systems": made.systems,
            "estimate": estimate_as_json(made.estimate),
            "ratings_each": made.ratings_each,
            "size": asdict(made.size),
            "widths": [{"items": items, "width": width} for items, width in made.widths],
        }
    )


@call_at("v1/campaigns/<slug:slug>/looks", name="api-looks")
@get("looks", RESULTS, rows=LookSerializer, asks=LooksParameters, refuses=(409,))
def looks(request: Request, member: Membership) -> Response:
    """The looks at the campaign at which statistical tests were made, newest first. 409 asks who
    rates in it whether they want to see what came of all votes."""
    asked_of(request, LooksParameters)
    require_asked_for_looks(request, member)
    return page_of(request, Look.objects.filter(campaign=member.campaign), Look.as_json)


def current_figures(request: Request, member: Membership, name: str) -> ShownFigures:
    """Figures as the member may know them; newer ones are asked for where they are old.

    Raises ConfirmationRequired.
    """
    shown = figures_of(member.campaign, name)
    if not shown.is_current:
        ask_for_figures(member.campaign)
    require_asked_for_figures(request, member, shown.made_at)
    return shown


def require_asked_for_looks(request: Request, member: Membership) -> None:
    """Of what looks have found. Raises ConfirmationRequired."""
    if look := latest_look(member.campaign):
        require_asked_for_figures(request, member, look.made_at)
