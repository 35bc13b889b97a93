"""What people type about accounts, memberships and invitations, checked field by field."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import (
    PasswordChangeForm,
    PasswordResetForm,
    SetPasswordForm,
    UserCreationForm,
)
from django.core.mail import EmailMessage
from django.core.validators import URLValidator
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from tasks.access.queries.memberships import memberships_of
from tasks.access.workflow.accounts import set_password
from tasks.access.workflow.tokens import MAX_DAYS as MAX_TOKEN_DAYS
from tasks.models import Campaign, InvitationKind, Membership, Role, Scope, User
from tasks.people.queries.members import account_to_admit
from tasks.web.mail import send_soon

if TYPE_CHECKING:
    CampaignModelForm = forms.ModelForm[Campaign]
    MembershipModelForm = forms.ModelForm[Membership]
    SignUpBase = UserCreationForm[User]
    ChangeBase = PasswordChangeForm
    SetBase = SetPasswordForm[User]
else:  # Django's forms are generic for the type checker only
    CampaignModelForm = MembershipModelForm = forms.ModelForm
    SignUpBase = UserCreationForm
    ChangeBase, SetBase = PasswordChangeForm, SetPasswordForm

MAX_DAYS = 366
MAX_USES = 100_000
_NAME = forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"})


def validate_printable(value: str) -> None:
    if not value.isprintable():
        raise forms.ValidationError(_("It holds characters that cannot be printed."))


class NewPasswordForm(SetBase):
    """A new password for whoever has followed a link."""

    def save(self, commit: bool = True) -> User:  # noqa: ARG002 - Django's own
        set_password(user=self.user, password=self.cleaned_data["new_password1"])
        return self.user


class NewMemberForm(forms.Form):
    """An account that does not exist yet."""

    username = forms.CharField(label=_("User name"), max_length=150, widget=_NAME)
    role = forms.ChoiceField(label=_("Role"), choices=Role)


class AddMemberForm(NewMemberForm):
    """An account that exists; `cleaned_data["user"]` is it."""

    def clean_username(self) -> str:
        name = str(self.cleaned_data["username"])
        user = account_to_admit(name)
        if user is None:
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


class PasswordForm(forms.Form):
    """Whoever sits there is who signed in."""

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


class TokenForm(forms.Form):
    """A token for a program of one's own."""

    name = forms.CharField(
        label=_("Name"), max_length=100, help_text=_("What it is for, to know it by.")
    )
    scopes = forms.MultipleChoiceField(
        label=_("Good for"),
        choices=[
            (Scope.READ, _("Reading what you may see")),
            (Scope.RATE, _("Claiming items and rating them")),
            (Scope.WRITE, _("Changing what you may change")),
        ],
        widget=forms.CheckboxSelectMultiple,
    )
    campaign = forms.ModelChoiceField(
        label=_("Campaign"),
        queryset=Campaign.objects.none(),
        required=False,
        to_field_name="slug",
        empty_label=_("All of mine"),
    )
    days = forms.IntegerField(
        label=_("For so many days"),
        required=False,
        initial=90,
        min_value=1,
        max_value=MAX_TOKEN_DAYS,
        help_text=_("Empty: until you revoke it."),
    )
    password = _current_password()

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        mine = memberships_of(user).values("campaign")
        choice = self.fields["campaign"]
        assert isinstance(choice, forms.ModelChoiceField)  # noqa: S101 - declared above
        choice.queryset = Campaign.objects.filter(pk__in=mine).order_by("title", "pk")


class GuardedPasswordChangeForm(NewPasswordForm, ChangeBase):
    """A new password for whoever knows the old one."""

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        old: str = self.cleaned_data["old_password"]
        name = self.user.get_username()
        if authenticate(self.request, username=name, password=old) != self.user:
            raise forms.ValidationError(
                self.error_messages["password_incorrect"], code="password_incorrect"
            )
        return old


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
