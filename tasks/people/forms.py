"""Forms about members, invitation links, consent, and a crowd service's visitors."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from django import forms
from django.contrib.auth.forms import UserCreationForm, UsernameField
from django.core.validators import RegexValidator
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _

from tasks.models import MAX_SET_ASIDE_REASON, InvitationKind, Membership, Role, User
from tasks.people.queries import account_to_admit

if not TYPE_CHECKING:  # Django's forms are generic for the type checker only
    MembershipModelForm, SignUpBase = forms.ModelForm, UserCreationForm
else:
    MembershipModelForm = forms.ModelForm[Membership]
    SignUpBase = UserCreationForm[User]

MAX_DAYS = 366

MAX_USES = 100_000

_NAME = forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"})


def validate_printable(value: str) -> None:
    if not value.isprintable():
        raise forms.ValidationError(_("Remove the characters that cannot be printed."))


class NewMemberForm(forms.Form):
    username = forms.CharField(label=_("User name"), max_length=150, widget=_NAME)
    role = forms.ChoiceField(label=_("Role"), choices=Role)

    def clean_username(self) -> str:
        """As the login reads it."""
        return str(User.normalize_username(self.cleaned_data["username"]))


class AddMemberForm(NewMemberForm):
    """An account that exists; `cleaned_data["user"]` is it."""

    def clean_username(self) -> str:
        name = super().clean_username()
        user = account_to_admit(name)
        if user is None:
            raise forms.ValidationError(_("No account has this name."))
        self.cleaned_data["user"] = user
        return name


class MemberForm(MembershipModelForm):
    class Meta:
        model = Membership
        fields = ["role", "quota"]
        labels = {"role": _("Role"), "quota": _("Quota")}
        help_texts = {
            "quota": _(
                "How many items this person may rate. Leave empty for the campaign's quota."
            ),
        }


class DeactivationForm(forms.Form):
    set_aside = forms.BooleanField(
        required=False,
        label=_("Set all ratings of this person aside"),
        help_text=_("They stay stored but do not count, and others get their places."),
    )
    reason = forms.CharField(
        required=False,
        max_length=MAX_SET_ASIDE_REASON,
        label=_("Reason to set the ratings aside"),
    )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data["set_aside"] and not data.get("reason") and "reason" not in self.errors:
            self.add_error("reason", _("Give a reason to set the ratings aside."))
        return data


class InvitationForm(forms.Form):
    kind = forms.ChoiceField(
        label=_("For"),
        choices=[
            (InvitationKind.ACCOUNT, _("Anyone, with a new or existing account")),
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
        help_text=_("How many people can join with it. Leave empty for any number."),
    )
    note = forms.CharField(
        label=_("Note"), required=False, max_length=200, help_text=_("Only admins see it.")
    )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("kind") == InvitationKind.CROWD and data.get("role") != Role.RATER:
            self.add_error("role", _("Visitors of a crowd service can only be raters."))
        return data


class SignUpForm(SignUpBase):
    class Meta:
        model = User
        fields = ["username", "email"]
        field_classes = {"username": UsernameField}
        labels = {"username": _("User name"), "email": _("E-mail")}
        help_texts = {
            "username": _("Letters, digits and @ . + - _"),
            "email": _("Optional, for a forgotten password."),
        }


class ConsentForm(forms.Form):
    version = forms.IntegerField(widget=forms.HiddenInput)
    agrees = forms.BooleanField(
        label=_("I have read this, and I agree to take part."),
        error_messages={"required": _("Tick the box if you agree. Otherwise you cannot rate.")},
    )


# what Prolific and MTurk call each, and our own name for all others
_NAMES = {
    "participant": ("PROLIFIC_PID", "workerId", "participant"),
    "study": ("STUDY_ID", "hitId", "study"),
    "session": ("SESSION_ID", "assignmentId", "session"),
    "submit_to": ("turkSubmitTo",),
}
_PLACEHOLDER = re.compile(r"\{\{.*|\$\{.*|[\[{<%].*[\]}>%]", re.DOTALL)
_of_mturk = RegexValidator(
    r"\Ahttps://(?:[a-z0-9-]+\.)*mturk\.com\Z",
    gettext_lazy("It must be an https:// address of mturk.com."),
)
_MAX_LENGTH = 200


def validate_replaced(value: str) -> None:
    """An id must not be the name of an id: all participants would be one and the same."""
    plain = unquote(value).strip()
    if not _PLACEHOLDER.fullmatch(plain):
        return
    if plain.startswith("{{"):
        setting = gettext(
            "In Prolific, answer “How do you want to record Prolific IDs?” with “I’ll use URL "
            "parameters”."
        )
    elif plain.startswith("${"):
        setting = gettext(
            "In MTurk, use the link as the ExternalURL of an ExternalQuestion, without "
            "parameters: MTurk adds them."
        )
    else:
        setting = gettext("Check the address of the study in the settings of the service.")
    message = gettext("The service left the placeholder %(value)s in place of an ID.")
    raise forms.ValidationError(f"{message} {setting}", params={"value": plain})


class _Id(forms.CharField):
    default_validators = [validate_printable, validate_replaced]


class VisitForm(forms.Form):
    participant = _Id(
        max_length=_MAX_LENGTH, error_messages={"required": gettext_lazy("It is missing.")}
    )
    study = _Id(required=False, max_length=_MAX_LENGTH)
    session = _Id(required=False, max_length=_MAX_LENGTH)
    submit_to = forms.CharField(required=False, max_length=_MAX_LENGTH, validators=[_of_mturk])

    def __init__(self, parameters: Mapping[str, str]) -> None:
        """Of an address, whatever the service calls its parameters."""
        self.names = {field: _name(field, parameters) for field in _NAMES}
        super().__init__({field: parameters.get(name, "") for field, name in self.names.items()})

    @property
    def visit(self) -> dict[str, Any]:
        """Participant, study and session, as `enter` takes them."""
        return {field: self.cleaned_data[field] for field in ("participant", "study", "session")}

    def faults(self) -> Iterator[tuple[str, str]]:
        """Each fault after the name of the parameter that has it, as the service writes it."""
        for field, messages in self.errors.items():
            for message in messages:
                yield self.names[field], str(message)


def _name(field: str, parameters: Mapping[str, str]) -> str:
    """The first name that has a value; of a field that is missing, the first there is."""
    return next((name for name in _NAMES[field] if parameters.get(name)), _NAMES[field][0])
