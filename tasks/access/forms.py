"""Forms of people's own accounts, checked field by field."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tasks.access.queries import memberships_of
from tasks.access.workflow import MAX_DAYS as MAX_TOKEN_DAYS
from tasks.access.workflow import set_password
from tasks.models import Campaign, MessageMails, Scope, User
from tasks.web.outgoing import Mail, Part, compose, public_address, send_soon

if TYPE_CHECKING:
    SetBase = SetPasswordForm[User]
else:  # Django's form is generic for the type checker only
    SetBase = SetPasswordForm


class NewPasswordForm(SetBase):
    def save(self, commit: bool = True) -> User:  # noqa: ARG002 - Django's own
        set_password(user=self.user, password=self.cleaned_data["new_password1"])
        return self.user


def _current_password() -> forms.CharField:
    return forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class EmailForm(forms.Form):
    email = forms.EmailField(
        label=_("E-mail"),
        required=False,
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text=_(
            "Used for a forgotten password, and for messages if you want them. Nobody in a "
            "campaign can see it."
        ),
    )
    password = _current_password()


class MessageMailsForm(forms.Form):
    message_mails = forms.ChoiceField(
        label=_("E-mail about messages"),
        choices=MessageMails.choices,
        widget=forms.RadioSelect,
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_message_mails(self) -> MessageMails:
        choice = MessageMails(self.cleaned_data["message_mails"])
        if choice != MessageMails.NONE and not self.user.email:
            raise forms.ValidationError(_("Save an e-mail address above first."))
        return choice


class PasswordForm(forms.Form):
    password = _current_password()


class CodeForm(forms.Form):
    code = forms.CharField(
        label=_("Code"),
        max_length=20,
        widget=forms.TextInput(
            {"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )


class SecuredForm(CodeForm):
    password = _current_password()
    field_order = ["password", "code"]


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=100,
        help_text=_("The purpose of the token, so that you recognise it."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("Permissions"),
        choices=[
            (Scope.READ, _("Read what you can see")),
            (Scope.RATE, _("Claim and rate items")),
            (Scope.WRITE, _("Change what you can change")),
        ],
        widget=forms.CheckboxSelectMultiple,
    )
    campaign = forms.ModelChoiceField(
        label=_("Campaign"),
        queryset=Campaign.objects.none(),
        required=False,
        to_field_name="slug",
        empty_label=_("All my campaigns"),
    )
    days = forms.IntegerField(
        label=_("Valid for, in days"),
        required=False,
        initial=90,
        min_value=1,
        max_value=MAX_TOKEN_DAYS,
        help_text=_("Leave empty for a token that does not expire."),
    )
    password = _current_password()

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        mine = memberships_of(user).values("campaign")
        choice = self.fields["campaign"]
        assert isinstance(choice, forms.ModelChoiceField)  # noqa: S101 - declared above
        choice.queryset = Campaign.objects.filter(pk__in=mine).order_by("title", "pk")


class GuardedPasswordChangeForm(NewPasswordForm, PasswordChangeForm):
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
        subject_template_name: str,  # noqa: ARG002 - Django's signature, as all unused below
        email_template_name: str,  # noqa: ARG002 - as above
        context: dict[str, Any],
        from_email: str | None,  # noqa: ARG002 - as above
        to_email: str,
        html_email_template_name: str | None = None,  # noqa: ARG002 - as above
    ) -> None:
        way = {"uidb64": context["uid"], "token": context["token"]}
        link = public_address(reverse("password_reset_confirm", kwargs=way), context["request"])
        user: User = context["user"]
        with translation.override(user.language or translation.get_language()):
            send_soon(compose(reset_mail(user, link), to=[to_email]))


def reset_mail(user: User, link: str) -> Mail:
    request = gettext(
        "Somebody asked for a new password for the account %(name)s at %(site)s. This link works"
        " once, within a day."
    ) % {"name": user.username, "site": urlsplit(link).netloc}
    ignore = gettext("If it was not you, do nothing. Your password stays as it is.")
    return Mail(
        subject=gettext("A new password for Tomahto"),
        body=[Part(request), Part(gettext("Set a new password"), link)],
        footer=[Part(ignore)],
    )
