"""Acts on many items over the API: what one would do, doing it, undoing it; and the tags."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN, RESULTS
from tasks.access.guards.operations import call_at, get, post
from tasks.explorer.forms import ItemParameters, listing_of_parameters
from tasks.explorer.page_forms import OptionsForm
from tasks.explorer.queries.found import item_ids
from tasks.explorer.queries.history import acts_of, tags_of
from tasks.explorer.workflow.acts import ACTS, MOST_ITEMS, do_act, preview, undo_act
from tasks.explorer.workflow.plan import LeftOut, Options
from tasks.explorer.workflow.refreshing import refresh_before_reading
from tasks.models import ActKind, BulkAct, Membership
from tasks.web.calls import (
    KEY,
    Body,
    IdField,
    ListParameters,
    NoBody,
    asked_of,
    key_of,
    one_of,
    page_of,
    read_body,
    require_valid,
)


class TagSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    items = serializers.IntegerField(help_text="Number of items with this tag.")


class LeftOutSerializer(serializers.Serializer[Any]):
    reason = serializers.ChoiceField(choices=LeftOut.values)
    items = serializers.IntegerField()


class ShareSerializer(serializers.Serializer[Any]):
    rater = serializers.CharField(help_text="Pseudonym.")
    items = serializers.IntegerField()


class ActPlanSerializer(serializers.Serializer[Any]):
    """The plan of an act as of now: the numbers of the items that it changes."""

    items = serializers.ListField(child=serializers.IntegerField())
    left_out = LeftOutSerializer(many=True)
    shares = ShareSerializer(many=True, help_text="For `assign`: number of items for each rater.")
    looked_at = serializers.CharField(
        help_text="Send it with the act, which is then refused (409) if its effect would differ "
        "from the preview."
    )


class ActSerializer(serializers.Serializer[Any]):
    """An act that was done to `items` items. `undone` and `kept` say of how many it was undone,
    and how many somebody had worked on by then; null while it is not undone."""

    id = serializers.IntegerField()
    act = serializers.ChoiceField(choices=ActKind.values, source="kind")
    options = serializers.JSONField()
    items = serializers.IntegerField()
    left_out = LeftOutSerializer(many=True, source="left_out_listed")
    member = serializers.CharField(source="member.pseudonym", help_text="Pseudonym.")
    created_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)
    undone = serializers.IntegerField(allow_null=True)
    kept = serializers.IntegerField(allow_null=True)


class ActSubmission(Body):
    """An act and its items: those of these `numbers`, or all that the parameters `matching`
    find, as the list of items takes them."""

    act = serializers.ChoiceField(choices=ActKind.choices)
    numbers = serializers.ListField(
        child=IdField(), required=False, min_length=1, max_length=MOST_ITEMS
    )
    matching = serializers.DictField(child=serializers.CharField(), required=False)
    tag = serializers.CharField(required=False, help_text="For `tag` and `untag`.")
    more = serializers.IntegerField(
        required=False, help_text="For `more-ratings`: additional ratings for each item."
    )
    raters = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        max_length=MOST_ITEMS,
        help_text="For `assign`: pseudonyms of active raters.",
    )
    is_divided = serializers.BooleanField(
        required=False,
        help_text="For `assign`: divide the items among the raters instead of giving every rater "
        "all of them.",
    )
    days = serializers.IntegerField(
        required=False, help_text="For `assign`: days for which the places are reserved."
    )
    rater = serializers.CharField(
        required=False, max_length=40, help_text="For `set-aside`: the pseudonym."
    )
    reason = serializers.CharField(required=False, help_text="For `set-aside`.")
    looked_at = serializers.CharField(required=False, max_length=40)

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if ("numbers" in given) == ("matching" in given):
            raise serializers.ValidationError("give the items by either `numbers` or `matching`")
        for name in set(given) & set(_OPTIONS) - set(ACTS[given["act"]].options):
            raise serializers.ValidationError({name: f"is not for the act {given['act']}"})
        return given


_OPTIONS = tuple(Options.__dataclass_fields__)


@call_at("v1/campaigns/<slug:slug>/items/tags", name="api-items-tags")
@get("item_tags", RESULTS, rows=TagSerializer)
def tags(request: Request, member: Membership) -> Response:
    """The tags that items have, newest first."""
    return page_of(request, tags_of(member.campaign), TagSerializer)


@call_at("v1/campaigns/<slug:slug>/items/acts", name="api-items-acts")
@get("item_acts", RESULTS, rows=ActSerializer)
@post(
    "act_on_items",
    ADMIN,
    headers=(KEY,),
    takes=ActSubmission,
    gives={
        200: (ActSerializer, "Already done by an earlier call."),
        201: (ActSerializer, "Done."),
    },
    refuses=(409,),
)
def acts(request: Request, member: Membership) -> Response:
    """The acts on many items, newest first; or do one.

    409 where it would change none of them, or something else than when it was looked at.
    """
    if request.method == "GET":
        asked_of(request, ListParameters)
        return page_of(request, acts_of(member.campaign), _as_body)
    key = key_of(request)
    kind, items, options, given = _requested_act(request, member)
    done = do_act(
        member=member,
        kind=kind,
        items=items,
        options=options,
        idempotency_key=key,
        looked_at=given.get("looked_at", ""),
        asked=given.get("matching"),
    )
    stored = acts_of(member.campaign).get(pk=done.act.pk)
    return Response(_as_body(stored), status=200 if done.is_replay else 201)


@call_at("v1/campaigns/<slug:slug>/items/acts/preview", name="api-items-acts-preview")
@post("preview_act_on_items", ADMIN, takes=ActSubmission, gives=ActPlanSerializer)
def act_preview(request: Request, member: Membership) -> Response:
    """The plan of the act: the items that it would change or leave out. Nothing is done."""
    kind, items, options, _given = _requested_act(request, member)
    plan = preview(member=member, kind=kind, items=items, options=options)
    left = [{"reason": str(reason), "items": n} for reason, n in plan.left_out.items()]
    shares = [{"rater": share.rater, "items": share.items} for share in plan.shares]
    body = {"items": plan.items, "left_out": left, "shares": shares, "looked_at": plan.digest}
    return Response(ActPlanSerializer(body).data)


@call_at("v1/campaigns/<slug:slug>/items/acts/<int:act_id>", name="api-items-act")
@get("item_act", RESULTS, gives=ActSerializer)
def one_act(_request: Request, member: Membership, act_id: int) -> Response:
    """One act on many items."""
    return Response(_as_body(_act(member, act_id)))


@call_at("v1/campaigns/<slug:slug>/items/acts/<int:act_id>/undo", name="api-items-act-undo")
@post("undo_act_on_items", ADMIN, takes=NoBody, gives=ActSerializer, refuses=(409,))
def undo(_request: Request, member: Membership, act_id: int) -> Response:
    """Undo it as far as nobody has worked on its items since; 409 if that was done before."""
    undo_act(act=_act(member, act_id), by=member)
    return Response(_as_body(_act(member, act_id)))


def _act(member: Membership, act_id: int) -> BulkAct:
    return one_of(acts_of(member.campaign).filter(pk=act_id), "there is no such act")


def _requested_act(
    request: Request, member: Membership
) -> tuple[ActKind, list[int], Options, dict[str, Any]]:
    given = read_body(request, ActSubmission)
    kind = ActKind(given["act"])
    return kind, _items(member, given), _options(member, kind, given), given


def _options(member: Membership, kind: ActKind, given: dict[str, Any]) -> Options:
    """Checked by the form of the page; what has a usual value need not be named."""
    usual = Options()
    told = {name: given.get(name, getattr(usual, name)) for name in ACTS[kind].options}
    if "is_divided" in told:
        told["is_divided"] = "yes" if told["is_divided"] else "no"
    form = OptionsForm(kind, member, told)
    require_valid(form)
    return form.options


def _items(member: Membership, given: dict[str, Any]) -> list[int]:
    if "numbers" in given:
        return list(given["numbers"])
    parameters = ItemParameters(data=given["matching"])
    unknown = set(given["matching"]) - set(parameters.fields)
    if unknown:
        there_are = ", ".join(sorted(parameters.fields))
        raise serializers.ValidationError(
            {"matching": f"no parameter {min(unknown)}; known: {there_are}"}
        )
    parameters.is_valid(raise_exception=True)
    refresh_before_reading(campaign=member.campaign)
    listing = listing_of_parameters(member, parameters.validated_data)
    found = item_ids(member, listing, MOST_ITEMS + 1)
    if len(found) > MOST_ITEMS:
        raise serializers.ValidationError(
            {"matching": f"matches more than {MOST_ITEMS} items, the limit of one act"}
        )
    return found


def _as_body(act: BulkAct) -> dict[str, Any]:
    left = [{"reason": reason, "items": number} for reason, number in act.left_out.items()]
    act.left_out_listed = left  # type: ignore[attr-defined]  # as the serializer calls it
    act.undone = act.result.get("undone")  # type: ignore[attr-defined]  # as above
    act.kept = act.result.get("kept")  # type: ignore[attr-defined]  # as above
    return dict(ActSerializer(act).data)
