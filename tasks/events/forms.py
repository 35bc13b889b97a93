"""Forms of webhooks."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks.events.workflow.events import MIN_SECRET
from tasks.models import CHOSEN_KINDS, Webhook
from tasks.web.outgoing import SendableURLField


def _kinds() -> list[tuple[str, str]]:
    return [(kind.value, f"{kind.label} ({kind.value})") for kind in CHOSEN_KINDS]


class WebhookForm(forms.Form):
    url = SendableURLField(
        label=_("Address"),
        help_text=_("Every event is posted to this address as JSON, signed with the secret."),
    )
    events = forms.MultipleChoiceField(
        label=_("Events"), choices=_kinds, widget=forms.CheckboxSelectMultiple
    )
    secret = forms.CharField(
        label=_("Secret"),
        required=False,
        min_length=MIN_SECRET,
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Leave empty to generate one, or keep the current secret."),
    )

    @classmethod
    def of(cls, webhook: Webhook) -> "WebhookForm":
        """The form as it is shown first; the secret is not on it."""
        return cls(initial={"url": webhook.url, "events": webhook.events})
