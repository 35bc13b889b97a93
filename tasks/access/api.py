"""The caller's account, campaigns and tokens."""

from typing import Any

from django.conf import settings
from django.contrib.auth import authenticate
from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, caller_of, delete, get, patch, post, token_of
from tasks.access.queries import live_tokens, memberships_of
from tasks.access.workflow import (
    MAX_DAYS,
    MoreThanItself,
    TokenRefused,
    choose_language,
    make_token,
    revoke_token,
    set_message_mails,
)
from tasks.models import ApiToken, Campaign, MessageMails, Scope
from tasks.web.calls import Body, one_of, page_of, read_body


class TokenSerializer(serializers.Serializer[Any]):
    """A token, without its key. `campaign` and `expires_at` are null where it has no such limit."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices))
    campaign = serializers.SlugField(source="campaign.slug", allow_null=True)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)


class NewTokenSerializer(TokenSerializer):
    """A new token. Its key is in this answer and nowhere else."""

    key = serializers.CharField()


class TokenBody(Body):
    """Scopes, campaign and days of the new token; by default those of its maker."""

    name = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=Scope.choices), required=False
    )
    campaign = serializers.SlugField(required=False, allow_null=True, max_length=60)
    days = serializers.IntegerField(
        required=False, allow_null=True, min_value=1, max_value=MAX_DAYS
    )
    password = serializers.CharField(
        required=False,
        trim_whitespace=False,
        help_text="The caller's password, required in a browser's session and not with a token.",
    )


class TokenEndBody(Body):
    """Read in a browser's session only."""

    password = serializers.CharField(trim_whitespace=False)


class AccountSerializer(serializers.Serializer[Any]):
    """The caller. `token` is the one of this call, null in a browser's session."""

    username = serializers.CharField(source="user.username")
    is_operator = serializers.BooleanField(source="user.is_staff")
    message_mails = serializers.ChoiceField(
        choices=MessageMails.choices,
        source="user.message_mails",
        help_text="Frequency of e-mails about new messages.",
    )
    language = serializers.CharField(
        source="user.language", help_text="Of mails; empty: the site's."
    )
    token = TokenSerializer(allow_null=True)


class AccountChange(Body):
    message_mails = serializers.ChoiceField(
        choices=MessageMails.choices,
        required=False,
        help_text="Every value but `none` requires an e-mail address.",
    )
    language = serializers.ChoiceField(
        choices=settings.LANGUAGES, required=False, help_text="Of mails."
    )


@call_at("v1/account", name="api-account")
@get("account", gives=AccountSerializer, refuses=(403,), within_campaign=True)
@patch("change_account", takes=AccountChange, gives=AccountSerializer, refuses=(403,))
def account(request: Request) -> Response:
    """The caller's account, and what the token they call by is good for; or change when mails about
    messages are sent, and the language of mails."""
    user, token = caller_of(request), token_of(request)
    if request.method == "PATCH":
        wanted = read_body(request, AccountChange)
        choice = MessageMails(wanted.get("message_mails", user.message_mails))
        if choice != MessageMails.NONE and not user.email:
            raise serializers.ValidationError({"message_mails": "the account has no address"})
        set_message_mails(user=user, choice=choice)
        choose_language(user=user, language=wanted.get("language", user.language))
    return Response(AccountSerializer({"user": user, "token": token}).data)


@call_at("v1/tokens", name="api-tokens")
@get("tokens", rows=TokenSerializer, refuses=(403,), within_campaign=True)
@post(
    "make_token",
    takes=TokenBody,
    gives={201: (NewTokenSerializer, "Made.")},
    refuses=(403,),
    within_campaign=True,
)
def tokens(request: Request) -> Response:
    """The caller's tokens that have not expired, newest first; or a new one.

    A token sees, makes and revokes only tokens of its own campaign, if it has one, and makes none
    that can do more than itself. In a browser's session the password has to be given.
    """
    if request.method == "GET":
        return page_of(request, _seen_by(request), TokenSerializer)
    return _make(request)


@call_at("v1/tokens/<int:token_id>", name="api-token")
@delete("revoke_token", gives={204: None}, refuses=(403,), within_campaign=True)
def token(request: Request, token_id: int) -> Response:
    """Revoke one of the caller's tokens; it may be the one that calls.

    In a browser's session the password has to be given, as `{"password": …}` in the body.
    """
    api_token = one_of(_seen_by(request).filter(pk=token_id), "you have no such token")
    if token_of(request) is None:
        _require_password(request, read_body(request, TokenEndBody)["password"])
    revoke_token(token=api_token)
    return Response(status=204)


def _make(request: Request) -> Response:
    body, by = read_body(request, TokenBody), token_of(request)
    if by is None:
        _require_password(request, body.get("password", ""))
    try:
        made, key = make_token(
            user=caller_of(request),
            name=body["name"],
            scopes=body.get("scopes", by.scopes if by else Scope.values),
            campaign=_chosen_campaign(request, body, by),
            days=body.get("days"),
            made_by=by,
        )
    except MoreThanItself as refused:
        return Response({"detail": str(refused), "field": refused.field}, status=403)
    except TokenRefused as refused:
        return Response({"detail": str(refused), "field": refused.field}, status=400)
    return Response({**TokenSerializer(made).data, "key": key}, status=201)


def _require_password(request: Request, password: str) -> None:
    """An open browser is not enough to take a token along, nor to end one."""
    user = caller_of(request)
    if authenticate(request._request, username=user.username, password=password) != user:
        raise serializers.ValidationError({"password": "this is not your password"})


def _chosen_campaign(
    request: Request, body: dict[str, Any], by: ApiToken | None
) -> Campaign | None:
    if "campaign" not in body:
        return by.campaign if by else None
    if body["campaign"] is None:
        return None
    mine = memberships_of(caller_of(request)).filter(campaign__slug=body["campaign"]).first()
    if mine is None:
        raise serializers.ValidationError(
            {"campaign": "no such campaign, or you are not a member of it"}
        )
    return mine.campaign


def _seen_by(request: Request) -> QuerySet[ApiToken]:
    """The caller's tokens: those of its campaign if a token of one campaign asks."""
    own_tokens, by = live_tokens(caller_of(request)), token_of(request)
    if by is not None and by.campaign_id is not None:
        own_tokens = own_tokens.filter(campaign=by.campaign_id)
    return own_tokens
