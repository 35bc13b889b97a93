"""What people type about accounts, memberships and invitations, checked field by field."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.forms import PasswordResetForm, UserCreationForm
from django.core.mail import EmailMessage
from django.core.validators import URLValidator
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from tasks.mail import send_soon
from tasks.models import Campaign, InvitationKind, Membership, Role, User
from tasks.queries.crowd import is_crowd_account

if TYPE_CHECKING:
    CampaignModelForm = forms.ModelForm[Campaign]
    MembershipModelForm = forms.ModelForm[Membership]
    SignUpBase = UserCreationForm[User]
else:  # Django's forms are generic for the type checker only
    CampaignModelForm = MembershipModelForm = forms.ModelForm
    SignUpBase = UserCreationForm

MAX_DAYS = 366
MAX_USES = 100_000
_NAME = forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"})


def validate_printable(value: str) -> None:
    if not value.isprintable():
        raise forms.ValidationError(_("It holds characters that cannot be printed."))


class NewMemberForm(forms.Form):
    """An account that does not exist yet."""

    username = forms.CharField(label=_("User name"), max_length=150, widget=_NAME)
    role = forms.ChoiceField(label=_("Role"), choices=Role)


class AddMemberForm(NewMemberForm):
    """An account that exists; `cleaned_data["user"]` is it."""

    def clean_username(self) -> str:
        name = str(self.cleaned_data["username"])
        user = User.objects.filter(username=name, is_active=True).first()
        if user is None or is_crowd_account(user):
            raise forms.ValidationError(_("There is no such account."))
        self.cleaned_data["user"] = user
        return name


class MemberForm(MembershipModelForm):
    """Role and quota of a member."""

    class Meta:
        model = Membership
        fields = ["role", "quota"]
        labels = {"role": _("Role"), "quota": _("Quota")}
        help_texts = {
            "quota": _("How many items this person may rate. Empty: as the campaign says."),
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
        label=_("Open for, in days"), min_value=1, max_value=MAX_DAYS, initial=14
    )
    max_uses = forms.IntegerField(
        label=_("Uses"),
        required=False,
        min_value=1,
        max_value=MAX_USES,
        help_text=_("How many people may come by it. Empty: any number."),
    )
    note = forms.CharField(
        label=_("Note"), required=False, max_length=200, help_text=_("For the admins only.")
    )

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("kind") == InvitationKind.CROWD and data.get("role") != Role.RATER:
            self.add_error("role", _("Visitors of a crowd service can only be raters."))
        return data


class SignUpForm(SignUpBase):
    """A new account, made by whoever was invited."""

    class Meta:
        model = User
        fields = ["username", "email"]
        labels = {"username": _("User name"), "email": _("E-mail")}
        help_texts = {
            "username": _("Letters, digits and @ . + - _"),
            "email": _("Optional, for a forgotten password."),
        }


def _current_password() -> forms.CharField:
    return forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class EmailForm(forms.Form):
    """The address that a forgotten password is sent to; empty for none."""

    email = forms.EmailField(
        label=_("E-mail"),
        required=False,
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text=_("For a forgotten password. Nobody in a campaign sees it."),
    )
    password = _current_password()


class CodeForm(forms.Form):
    """A code of an authenticator app, or a recovery code."""

    code = forms.CharField(
        label=_("Code"),
        max_length=20,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "one-time-code",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
    )


class SecuredForm(CodeForm):
    """What changes the second factor asks for both."""

    password = _current_password()
    field_order = ["password", "code"]


class ResetByMailForm(PasswordResetForm):
    """Sends its mail after the answer, so that the time it takes tells nothing of the account."""

    def send_mail(
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,  # noqa: ARG002 - Django's signature
    ) -> None:
        subject = " ".join(render_to_string(subject_template_name, context).split())
        body = render_to_string(email_template_name, context)
        send_soon(EmailMessage(subject, body, from_email, [to_email]))


class HttpsField(forms.URLField):
    """An address that begins with https://."""

    default_validators = [URLValidator(schemes=["https"])]
    default_error_messages = {"invalid": _("It has to be an address that begins with https://.")}


class CompletionForm(CampaignModelForm):
    """What visitors of a crowd service take back to it."""

    completion_url = HttpsField(
        label=_("Address to go back to"), required=False, max_length=500, assume_scheme="https"
    )

    class Meta:
        model = Campaign
        fields = ["completion_code", "completion_url"]
        labels = {"completion_code": _("Completion code")}


class VisitForm(forms.Form):
    """What a crowd service appends to the address it sends people to."""

    participant = forms.CharField(
        max_length=200,
        validators=[validate_printable],
        error_messages={"required": _("It is missing.")},
    )
    study = forms.CharField(required=False, max_length=200, validators=[validate_printable])
    session = forms.CharField(required=False, max_length=200, validators=[validate_printable])
