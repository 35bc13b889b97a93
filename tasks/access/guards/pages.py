"""Guards of pages by role: a page that one may not see is not there, a forbidden act is refused."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from tasks.access.guards.logins import says_when_to_try_again
from tasks.access.queries import campaign_to_enter, membership_in
from tasks.models import Campaign, Membership, Role, User
from tasks.storing.refusals import require_not_archived
from tasks.web.page import View

P = ParamSpec("P")

READ, WRITE = ("GET", "HEAD"), ("POST",)
BOTH = (*READ, *WRITE)

MemberPage = Callable[Concatenate[HttpRequest, Membership, P], HttpResponseBase]


def is_htmx(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))


def user_page(page: View) -> View:
    """A page for everybody with an account; the page is called with the user."""

    @wraps(page)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if not isinstance(request.user, User):
            # a script gets 401 instead, because it keeps what the person has typed
            if is_htmx(request) or request.headers.get("X-Requested-With") == "fetch":
                return HttpResponse(status=401)
            return redirect_to_login(request.get_full_path())
        return page(request, request.user, *args, **kwargs)

    return guarded


def account_page(page: View) -> View:
    """A page for people who sign in with a password; visitors of a crowd service have none."""

    @user_page
    @says_when_to_try_again
    @wraps(page)
    def guarded(
        request: HttpRequest, user: User, *args: object, **kwargs: object
    ) -> HttpResponseBase:
        if not user.has_usable_password():
            raise PermissionDenied
        return page(request, user, *args, **kwargs)

    return guarded


def member_page(
    roles: tuple[Role, ...], methods: tuple[str, ...] = READ, *, while_archived: bool = False
) -> Callable[[MemberPage[P]], View]:
    """A page of a campaign for its members in these roles, asked for by these methods.

    The page is called with the membership. Strangers get 404, members in another role 403;
    an operator of the site who is no member is sent to where they can become one. Raises
    CampaignArchived for writing in an archived campaign, unless that may be done `while_archived`.
    """

    def decorate(page: MemberPage[P]) -> View:
        @require_http_methods(methods)
        @user_page
        @wraps(page)
        def guarded(
            request: HttpRequest, user: User, slug: str, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponseBase:
            try:
                membership = _membership(user, slug, roles)
            except Http404:
                return _redirect_operator(request, user, slug)
            if request.method not in READ and not while_archived:
                require_not_archived(membership.campaign)
            return page(request, membership, *args, **kwargs)

        guarded.roles = roles  # type: ignore[attr-defined]  # `Address.roles` reads it
        return guarded

    return decorate


def _redirect_operator(request: HttpRequest, user: User, slug: str) -> HttpResponseBase:
    """Operators of the site are asked whether they want to come in; for others it is not there."""
    try:
        campaign_to_enter(user, slug)
    except Campaign.DoesNotExist:
        raise Http404 from None
    if request.method not in ("GET", "HEAD") or is_htmx(request):
        raise Http404
    return redirect("campaign-enter", slug)


def _membership(user: User, slug: str, roles: tuple[Role, ...]) -> Membership:
    try:
        membership = membership_in(user, slug)
    except Membership.DoesNotExist:
        raise Http404 from None
    if membership.role not in roles:
        raise PermissionDenied
    membership.campaign.reader = membership
    return membership
