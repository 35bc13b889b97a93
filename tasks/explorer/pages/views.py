"""Saved views of the explorer: kept, and removed."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tasks.access.guards.pages import WRITE, member_page
from tasks.access.guards.roles import RESULTS
from tasks.explorer.queries.views import removable_views
from tasks.explorer.view_forms import ViewForm
from tasks.explorer.workflow.views import MOST_VIEWS, ViewNameTaken, remove_view, save_view
from tasks.models import Membership
from tasks.storing.refusals import Refusal
from tasks.web.addresses import page_at


@page_at("c/<slug:slug>/items/views/", name="items-views", calls=("api-items-views",))
@member_page(RESULTS, WRITE)
def save(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Keep what the page shows under a name, and show it again."""
    form = ViewForm(request.POST)
    query = str(request.POST.get("query", ""))
    if form.is_valid():
        given = form.cleaned_data
        try:
            save_view(
                member=membership,
                name=given["name"],
                query=given["query"],
                is_shared=given["is_shared"],
            )
        except Refusal as refusal:
            messages.error(request, _in_words(refusal))
        else:
            messages.success(
                request, _("The view “%(name)s” has been saved.") % {"name": given["name"]}
            )
    else:
        messages.error(request, _("Enter a name of at most 100 characters."))
    return redirect(f"{reverse('items', args=[membership.campaign.slug])}?{query}")


@page_at(
    "c/<slug:slug>/items/views/<int:view_id>/", name="items-view-remove", calls=("api-items-view",)
)
@member_page(RESULTS, WRITE)
def remove(request: HttpRequest, membership: Membership, view_id: int) -> HttpResponseBase:
    view = get_object_or_404(removable_views(membership), pk=view_id)
    remove_view(view=view)
    messages.success(request, _("The view “%(name)s” has been deleted.") % {"name": view.name})
    return redirect("items", membership.campaign.slug)


def _in_words(refusal: Refusal) -> str:
    if isinstance(refusal, ViewNameTaken):
        return _("You already have a view with this name. Choose another name.")
    return _("You have %(number)s saved views, the most you can have. Delete one first.") % {
        "number": MOST_VIEWS
    }
