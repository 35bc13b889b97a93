"""Members of a campaign, and what raters consent to."""

from typing import Any

from django.core.exceptions import ValidationError as DjangoValidationError
from django.db import transaction
from rest_framework import serializers
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN, MEMBERS
from tasks.access.guards.operations import call_at, caller_of, get, patch, post
from tasks.campaigns.workflow.campaign import CampaignError, create_member
from tasks.models import (
    MAX_SET_ASIDE_REASON,
    Campaign,
    Consent,
    ConsentText,
    Membership,
    Role,
    Scope,
    User,
)
from tasks.people.queries import account_to_admit, members_of
from tasks.people.workflow.members import (
    MemberRefused,
    NotAnOperator,
    admit,
    give_consent,
    publish_consent_text,
    update_member,
)
from tasks.web.calls import Body, ListParameters, asked_of, one_of, page_of, read_body

_MOST = (1 << 31) - 1
_OLDEST_FIRST = ("id",)


class MemberParameters(ListParameters):
    role = serializers.ChoiceField(choices=Role.choices, required=False)
    active = serializers.BooleanField(required=False, allow_null=True, default=None)
    paused = serializers.BooleanField(required=False, allow_null=True, default=None)


class MemberSerializer(serializers.Serializer[Any]):
    """A member. Raters of imported ratings have no account: `username` is null."""

    id = serializers.IntegerField()
    username = serializers.CharField(source="user.username", allow_null=True)
    name = serializers.CharField()
    pseudonym = serializers.CharField()
    role = serializers.ChoiceField(choices=Role.choices)
    active = serializers.BooleanField(source="is_active")
    paused = serializers.BooleanField(source="is_paused")
    quota = serializers.IntegerField(allow_null=True, help_text="null: the campaign's quota.")
    created_at = serializers.DateTimeField()


class NewMemberSerializer(MemberSerializer):
    """A member whose account was made: password and token are in this answer and nowhere else."""

    password = serializers.CharField(required=False)
    token = serializers.CharField(required=False)


class NewMemberBody(Body):
    username = serializers.CharField(
        max_length=150, help_text="Stored and answered as the login reads it (NFKC)."
    )
    role = serializers.ChoiceField(choices=Role.choices, default=Role.RATER)
    account = serializers.ChoiceField(
        choices=["new", "existing"],
        default="new",
        help_text="Make an account, or admit an existing one. Only operators of the site may do the"
        " latter; other admins invite people.",
    )


class MemberBody(Body):
    """What may be changed of a member; what is not named stays."""

    role = serializers.ChoiceField(choices=Role.choices, required=False)
    active = serializers.BooleanField(required=False)
    paused = serializers.BooleanField(required=False)
    set_aside = serializers.CharField(
        required=False,
        max_length=MAX_SET_ASIDE_REASON,
        help_text="With `active` false: the reason to set all their ratings aside too.",
    )
    quota = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=_MOST)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "set_aside" in attrs and attrs.get("active") is not False:
            raise serializers.ValidationError({"set_aside": "goes with `active`: false"})
        return attrs


@call_at("v1/campaigns/<slug:slug>/members", name="api-members")
@get("members", ADMIN, rows=MemberSerializer, asks=MemberParameters)
@post(
    "add_member",
    ADMIN,
    takes=NewMemberBody,
    gives={201: (NewMemberSerializer, "A member from now on.")},
    refuses=(409,),
)
def members(request: Request, member: Membership) -> Response:
    """Everybody who is or was in the campaign, in the order in which they came; or a new member.

    A new account gets a password and a token. 409 if there is an account of the name already, or
    if it is a member.
    """
    campaign = member.campaign
    return _list(request, campaign) if request.method == "GET" else _add(request, campaign)


@call_at("v1/campaigns/<slug:slug>/members/<int:member_id>", name="api-member")
@get("member", ADMIN, gives=MemberSerializer, refuses=(400,))
@patch(
    "change_member",
    ADMIN,
    takes=MemberBody,
    gives=MemberSerializer,
    refuses=(409,),
    while_archived=True,
)
def member(request: Request, member: Membership, member_id: int) -> Response:
    """One member; or change role, quota and whether they are active or paused, all or nothing.

    409 if the campaign would be left without an active admin, for visitors of a crowd service in
    another role than rater, and for members without an account.
    """
    campaign = member.campaign
    person = one_of(members_of(campaign).filter(pk=member_id), "the campaign has no such member")
    if request.method == "PATCH":
        try:
            wanted = read_body(request, MemberBody, partial=True)
            update_member(member=person, wanted=wanted, by=member)
        except MemberRefused as refused:
            return Response({"detail": refused.reason}, status=409)
    return Response(MemberSerializer(person).data)


def _list(request: Request, campaign: Campaign) -> Response:
    parameters = asked_of(request, MemberParameters)
    names = {"role": "role", "active": "is_active", "paused": "is_paused"}
    chosen = {names[key]: parameters[key] for key in names if parameters.get(key) is not None}
    rows = members_of(campaign).filter(**chosen)
    return page_of(request, rows, MemberSerializer, order=_OLDEST_FIRST)


def _add(request: Request, campaign: Campaign) -> Response:
    fields = read_body(request, NewMemberBody)
    if fields["account"] == "existing" and not caller_of(request).is_operator:
        raise PermissionDenied(NotAnOperator.reason)
    add = _make_account if fields["account"] == "new" else _admit
    try:
        body = add(campaign, User.normalize_username(fields["username"]), fields["role"])
    except (CampaignError, MemberRefused) as refused:
        reason = refused.reason if isinstance(refused, MemberRefused) else str(refused)
        return Response({"detail": reason, "field": "username"}, status=409)
    except DjangoValidationError as error:
        raise serializers.ValidationError({"username": " ".join(error.messages)}) from error
    return Response(body, status=201)


@transaction.atomic
def _make_account(campaign: Campaign, username: str, role: str) -> dict[str, Any]:
    password, token = create_member(campaign=campaign, username=username, role=role)
    made = members_of(campaign).get(user__username=User.normalize_username(username))
    return {**MemberSerializer(made).data, "password": password, "token": token}


def _admit(campaign: Campaign, username: str, role: str) -> dict[str, Any]:
    user = account_to_admit(username)
    if user is None:
        raise serializers.ValidationError({"username": "there is no such account"})
    return MemberSerializer(admit(campaign=campaign, user=user, role=role)).data


class ConsentSerializer(serializers.Serializer[Any]):
    """The text in force, in Markdown, and when the caller agreed to it."""

    version = serializers.IntegerField()
    text = serializers.CharField()
    given_at = serializers.DateTimeField(allow_null=True)


class ConsentTextSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    text = serializers.CharField()
    created_at = serializers.DateTimeField()
    is_in_force = serializers.BooleanField()


class Agreement(Body):
    """That the caller has read this version and agrees to take part."""

    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class NewConsentText(Body):
    text = serializers.CharField(
        max_length=50_000, allow_blank=True, help_text="Markdown; empty to ask nobody from now on."
    )


@call_at("v1/campaigns/<slug:slug>/consent", name="api-consent")
@get("consent", MEMBERS, gives=ConsentSerializer, scope=Scope.RATE)
@post(
    "give_consent",
    MEMBERS,
    takes=Agreement,
    gives=ConsentSerializer,
    refuses={409: "Another version is in force."},
    scope=Scope.RATE,
)
def consent(request: Request, member: Membership) -> Response:
    """The text in force, 404 where nobody is asked for consent; or agree to it."""
    if request.method == "POST":
        give_consent(membership=member, version=read_body(request, Agreement)["version"])
    text = member.campaign.consent_text
    if text is None:
        raise NotFound("nobody is asked for consent here")
    own_consent = Consent.objects.filter(membership=member, text=text).first()
    values = {
        "version": text.version,
        "text": text.text,
        "given_at": own_consent and own_consent.given_at,
    }
    return Response(values)


@call_at("v1/campaigns/<slug:slug>/settings/consent-texts", name="api-consent-texts")
@get("consent_texts", ADMIN, rows=ConsentTextSerializer)
@post(
    "publish_consent_text",
    ADMIN,
    takes=NewConsentText,
    gives={
        200: (ConsentTextSerializer, "In force."),
        204: "Nobody is asked for consent now.",
    },
)
def consent_texts(request: Request, member: Membership) -> Response:
    """Every version, newest first; or publish one, to which everybody has to agree again.

    For admins. Equal text changes nothing.
    """
    campaign = member.campaign
    if request.method == "POST":
        text = read_body(request, NewConsentText)["text"]
        published = publish_consent_text(campaign=campaign, text=text)
        return Response(_text(published, published.pk)) if published else Response(status=204)
    texts = ConsentText.objects.filter(campaign=campaign)
    current = campaign.consent_text_id
    return page_of(request, texts, lambda each: _text(each, current), order=("-version",))


def _text(text: ConsentText, current: int | None) -> dict[str, Any]:
    return {
        "version": text.version,
        "text": text.text,
        "created_at": text.created_at,
        "is_in_force": text.pk == current,
    }
