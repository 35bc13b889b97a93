"""Calls say once, above the function, what they are: address, methods, roles, what goes in and out.

    @call_at("v1/campaigns/<slug:slug>/webhooks", name="api-webhooks")
    @get("webhooks", ADMIN, rows=WebhookSerializer)
    @post("add_webhook", ADMIN, takes=WebhookSubmission, gives={201: NewWebhookSerializer})
    def webhooks(request: Request, member: Membership) -> Response:

The address, the guard of the caller's role, the scope of a token and the schema are made from it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from tasks.access.guards import MEMBERS
from tasks.access.queries import TokenHolder, membership_for_assignment, membership_in
from tasks.models import ApiToken, Membership, Role, Scope, User
from tasks.storing.refusals import require_not_archived
from tasks.web.addresses import Address, add_call
from tasks.web.api_errors import ErrorSerializer
from tasks.web.calls import ListParameters, NoBody, Parameters, asked_of, page_serializer, read_body


def member_of(
    request: Request, slug: str, *roles: Role, while_archived: bool = False
) -> Membership:
    """The caller's membership; 404 for a stranger, 403 for a member in another role, and 409 for
    writing in an archived campaign, unless that may be done `while_archived`."""
    try:
        membership = _by_token(request) or membership_in(caller_of(request), slug)
    except Membership.DoesNotExist:
        raise NotFound("no such campaign, or you are not a member of it") from None
    if roles and membership.role not in roles:
        raise PermissionDenied(f"required role: {' or '.join(roles)}")
    membership.campaign.reader = membership
    return membership if while_archived else _may_write(request, membership)


def member_for_assignment(request: Request, assignment_id: int) -> Membership:
    """The caller's membership that an assignment belongs to; 404 for anybody else's."""
    try:
        membership = _by_token(request) or membership_for_assignment(
            caller_of(request), assignment_id
        )
    except Membership.DoesNotExist:
        raise NotFound("you have no such assignment") from None
    return _may_write(request, membership)


def caller_of(request: Request) -> User:
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def token_of(request: Request) -> ApiToken | None:
    """The token that they call by; None in a browser's session."""
    return request.auth.token if isinstance(request.auth, TokenHolder) else None


def _may_write(request: Request, membership: Membership) -> Membership:
    """The membership, unless the request would write in an archived campaign."""
    if request.method not in SAFE_METHODS:
        require_not_archived(membership.campaign)
    return membership


def _by_token(request: Request) -> Membership | None:
    """The membership read with the token; None for a session, which has none."""
    if not isinstance(request.auth, TokenHolder):
        return None
    if request.auth.membership is None:
        raise Membership.DoesNotExist
    return request.auth.membership


Call = Callable[..., HttpResponseBase]
_OPERATIONS = "operations"  # the attribute of a function that is to become a call


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A method of a call; `name` is its id in the schema.

    roles: of the campaign's members. The function is called with the caller's membership instead
        of the campaign's slug: strangers get 404, members in another role 403. None: it finds out
        by itself who calls.
    rows: the call answers a page of these; without filters of its own it refuses all parameters.
    asks, headers: the parameters of the address, and those beside it.
    takes: the body; the call itself reads it, unless it is NoBody.
    gives: the answer of status 200, or what is answered by its status: a serializer, a text where
        there is no body, or both.
    refuses: the statuses of further errors, with texts if they say more than the status. There are
        always 400 where parameters or a body are read, 403 where not every role may, 404 where the
        address names something, and 409 where an archived campaign would be changed.
    scope: what a token needs, if not what is usual for the method.
    within_campaign: though the address names no campaign, a token of one campaign is answered
        about nothing beyond that campaign.
    while_archived: it may be called in an archived campaign though it writes.
    """

    method: str
    name: str
    roles: tuple[Role, ...] | None = None
    rows: Any = None
    asks: type[Parameters] | None = None
    headers: tuple[OpenApiParameter, ...] = ()
    takes: Any = None
    gives: Any = None
    refuses: Sequence[int] | Mapping[int, str] = ()
    scope: Scope | None = None
    within_campaign: bool = False
    while_archived: bool = False

    def schema(self, pattern: str) -> Callable[[Call], Call]:
        query_parameters = [self.asks] if self.asks else [ListParameters] if self.rows else []
        return extend_schema(
            methods=[self.method],
            operation_id=self.name,
            parameters=[*self.headers, *query_parameters],
            request=self.takes,
            responses={**(answers := self._answers()), **self._refusals(pattern), **answers},
        )

    def _answers(self) -> dict[Any, Any]:
        if self.rows:
            return {200: page_serializer(self.rows)}
        answers = self.gives if isinstance(self.gives, Mapping) else {200: self.gives}
        return {status: _described(answer) for status, answer in answers.items()}

    def _refusals(self, pattern: str) -> dict[int, Any]:
        reads = self.rows or self.asks or self.takes
        is_of_campaign = "<slug:slug>" in pattern or "<int:assignment_id>" in pattern
        usual = {
            400: reads,
            403: self.roles is not None and self.roles != MEMBERS,
            404: "<" in pattern,
            409: self.method != "GET" and not self.while_archived and is_of_campaign,
        }
        texts = dict.fromkeys([status for status, there_is in usual.items() if there_is], "")
        texts |= (
            self.refuses if isinstance(self.refuses, Mapping) else dict.fromkeys(self.refuses, "")
        )
        return {status: OpenApiResponse(ErrorSerializer, text) for status, text in texts.items()}


def _operation(
    method: str, name: str, roles: tuple[Role, ...] | None = None, **parts: Any
) -> Callable[[Call], Call]:
    """Decorates the function of a call, below `call_at`; `said` are the fields of Operation."""

    def mark(call: Call) -> Call:
        operation = Operation(method=method, name=name, roles=roles, **parts)
        setattr(call, _OPERATIONS, [operation, *getattr(call, _OPERATIONS, ())])
        return call

    return mark


get = partial(_operation, "GET")
post = partial(_operation, "POST")
put = partial(_operation, "PUT")
patch = partial(_operation, "PATCH")
delete = partial(_operation, "DELETE")


def call_at(pattern: str, *, name: str, first: bool = False) -> Callable[[Call], Call]:
    """The call is there, below /api/. `first`: it is looked for before all others."""

    def register(call: Call) -> Call:
        operations: list[Operation] = getattr(call, _OPERATIONS)
        methods = {operation.method: operation for operation in operations}
        view: Any = api_view(list(methods))(_guarded(call, methods))
        for operation in operations:
            view = operation.schema(pattern)(view)
        view.cls.scopes = {m.lower(): o.scope for m, o in methods.items() if o.scope}
        view.cls.within_campaign = [m for m, o in methods.items() if o.within_campaign]
        add_call(Address(pattern, name, view, is_first=first))
        made: Call = view
        return made

    return register


def _guarded(call: Call, methods: Mapping[str, Operation]) -> Call:
    @wraps(call)
    def guarded(request: Request, **address: Any) -> HttpResponseBase:
        operation = methods["GET" if request.method == "HEAD" else str(request.method)]
        caller: tuple[Membership, ...] = ()
        if operation.roles is not None:
            slug, archived = address.pop("slug"), operation.while_archived
            caller = (member_of(request, slug, *operation.roles, while_archived=archived),)
        if operation.rows and operation.asks is None:
            asked_of(request, ListParameters)
        if operation.takes is NoBody:
            read_body(request, NoBody)
        return call(request, *caller, **address)

    return guarded


def _described(answer: Any) -> Any:
    if isinstance(answer, str):
        return OpenApiResponse(description=answer)
    return OpenApiResponse(*answer) if isinstance(answer, tuple) else answer
