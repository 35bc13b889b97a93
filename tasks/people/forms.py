"""What people type about members and invitations, checked field by field."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.forms import (
    UserCreationForm,
)
from django.utils.translation import gettext_lazy as _

from tasks.campaigns.workflow.campaign import own_username
from tasks.models import InvitationKind, Membership, Role, User

if TYPE_CHECKING:
    MembershipModelForm = forms.ModelForm[Membership]
    SignUpBase = UserCreationForm[User]
else:  # Django's forms are generic for the type checker only
    MembershipModelForm, SignUpBase = forms.ModelForm, UserCreationForm


MAX_DAYS = 366

MAX_USES = 100_000

_NAME = forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"})


def validate_printable(value: str) -> None:
    if not value.isprintable():
        raise forms.ValidationError(_("It contains characters that cannot be printed."))


class NewMemberForm(forms.Form):
    """An account that does not exist yet."""

    username = forms.CharField(label=_("Username"), max_length=150, widget=_NAME)
    role = forms.ChoiceField(label=_("Role"), choices=Role)


class AddMemberForm(NewMemberForm):
    """An account that may exist: who is no operator of the site is not told whether it does."""


class MemberForm(MembershipModelForm):
    """Role and quota of a member."""

    class Meta:
        model = Membership
        fields = ["role", "quota"]
        labels = {"role": _("Role"), "quota": _("Quota")}
        help_texts = {
            "quota": _(
                "How many items this person may rate. Leave empty for the campaign’s limit."
            ),
        }


class InvitationForm(forms.Form):
    """A link to be made."""

    kind = forms.ChoiceField(
        label=_("For"),
        choices=[
            (InvitationKind.ACCOUNT, _("People with an account")),
            (InvitationKind.CROWD, _("A crowd service")),
        ],
    )
    role = forms.ChoiceField(label=_("Role"), choices=Role, initial=Role.RATER)
    days = forms.IntegerField(
        label=_("Valid for, in days"), min_value=1, max_value=MAX_DAYS, initial=14
    )
    max_uses = forms.IntegerField(
        label=_("Uses"),
        required=False,
        min_value=1,
        max_value=MAX_USES,
        help_text=_("How many people can use the link. Leave empty for no limit."),
    )
    is_signed = forms.BooleanField(
        label=_("Only signed participants"),
        required=False,
        help_text=_("For a crowd service that signs who it sends. You get the key with the link."),
    )
    note = forms.CharField(
        label=_("Note"), required=False, max_length=200, help_text=_("Only admins see it.")
    )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("kind") == InvitationKind.CROWD and data.get("role") != Role.RATER:
            self.add_error("role", _("Visitors from a crowd service can only be raters."))
        if data.get("kind") == InvitationKind.ACCOUNT and data.get("is_signed"):
            self.add_error("is_signed", _("Only links for a crowd service can ask for this."))
        return data


class WishForm(forms.Form):
    """How somebody who was invited wants to be called.

    `cleaned_data["username"]` is what they get.
    """

    name = forms.CharField(
        label=_("Name"),
        max_length=145,
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "autocapitalize": "none"}),
        help_text=_(
            "Letters, digits and @ . + - _. Your username is this name with four digits added."
        ),
    )

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        self.cleaned_data["username"] = own_username(name)
        return name


class SignUpForm(SignUpBase):
    """A new account, made by whoever was invited, under the name that was given to them."""

    class Meta:
        model = User
        fields = ["email"]
        labels = {"email": _("E-mail")}
        help_texts = {"email": _("Optional, to reset a forgotten password.")}


class VisitForm(forms.Form):
    """What a crowd service appends to the address it sends people to."""

    participant = forms.CharField(
        max_length=200,
        validators=[validate_printable],
        error_messages={"required": _("is missing")},
    )
    study = forms.CharField(required=False, max_length=200, validators=[validate_printable])
    session = forms.CharField(required=False, max_length=200, validators=[validate_printable])
    signature = forms.CharField(required=False, max_length=64, validators=[validate_printable])


class ConsentForm(forms.Form):
    """A rater's consent to the version they have read."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    agrees = forms.BooleanField(
        label=_("I have read this, and I agree to take part."),
        error_messages={"required": _("Tick the box if you agree; otherwise you cannot rate.")},
    )
