"""Saved views of the explorer over the API."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, delete, get, post
from tasks.access.guards.roles import RESULTS
from tasks.explorer.queries.views import removable_views, views_for
from tasks.explorer.view_forms import ViewForm
from tasks.explorer.workflow.views import remove_view, save_view
from tasks.models import Membership
from tasks.web.bodies import Body, read_body
from tasks.web.form_errors import require_valid
from tasks.web.lists import ListParameters, asked_of, one_of, page_of


class ViewSerializer(serializers.Serializer[Any]):
    """`query` is what the address of the page has after the question mark."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    query = serializers.CharField()
    is_shared = serializers.BooleanField()
    member = serializers.CharField(source="member.pseudonym", help_text="Pseudonym.")
    created_at = serializers.DateTimeField()


class ViewSubmission(Body):
    name = serializers.CharField()
    query = serializers.CharField(required=False, allow_blank=True)
    is_shared = serializers.BooleanField(required=False, default=False)


@call_at("v1/campaigns/<slug:slug>/items/views", name="api-items-views")
@get("item_views", RESULTS, rows=ViewSerializer)
@post("save_item_view", RESULTS, takes=ViewSubmission, gives={201: ViewSerializer}, refuses=(409,))
def views(request: Request, member: Membership) -> Response:
    """The caller's saved views and those that others share, newest first; or save one. 409 where
    the caller has one of that name."""
    if request.method == "GET":
        asked_of(request, ListParameters)
        return page_of(request, views_for(member), ViewSerializer)
    form = ViewForm(read_body(request, ViewSubmission))
    require_valid(form)
    saved = save_view(member=member, **form.cleaned_data)
    return Response(ViewSerializer(saved).data, status=201)


@call_at("v1/campaigns/<slug:slug>/items/views/<int:view_id>", name="api-items-view")
@delete("remove_item_view", RESULTS, gives={204: "Removed."})
def view(_request: Request, member: Membership, view_id: int) -> Response:
    """Remove a saved view: one's own, or as an admin one that is shared."""
    remove_view(view=one_of(removable_views(member).filter(pk=view_id), "there is no such view"))
    return Response(status=204)
