"""Find pages, items, people and words of the documentation, from any page."""

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tasks.access.guards.pages import user_page
from tasks.access.queries.memberships import memberships_of
from tasks.explorer.workflow.refreshing import refresh_before_reading
from tasks.home.queries.find import MAX_WORDS, find
from tasks.models import User
from tasks.web.addresses import page_at


@page_at(
    "find/",
    name="find",
    no_call="programs use the filters of the calls for items, people and systems",
    help="pages.md#find-anything",
)
@require_safe
@user_page
def find_page(request: HttpRequest, user: User) -> HttpResponseBase:
    """Results for the words `q`, in the user's `campaign` too; a script gets them alone."""
    words = request.GET.get("q", "").replace("\0", "").strip()[:MAX_WORDS]
    slug = request.GET.get("campaign", "").replace("\0", "")
    membership = memberships_of(user).filter(campaign__slug=slug).first()
    if words and membership is not None:
        refresh_before_reading(campaign=membership.campaign)
    groups = find(user, words, membership)
    context = {"words": words, "groups": groups, "membership": membership}
    is_script = request.headers.get("X-Requested-With") == "fetch"
    return render(request, "home/results.html" if is_script else "home/find.html", context)
