"""Forms of alerts: the rules, the channels, and what somebody says who has seen to one."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks.agreement.findings.alert_rules import USUAL_RULES, Rule
from tasks.models import AlertChannels, AlertKind
from tasks.web.sendable import SendableURLField


class RulesForm(forms.Form):
    """One switch per rule, and a number where its kind has one."""

    def __init__(self, *args: Any, rules: list[Rule], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for rule in rules:
            self.fields[rule.kind] = forms.BooleanField(
                label=rule.kind.label, required=False, initial=rule.is_active
            )
            if rule.threshold is not None:
                self.fields["threshold"] = forms.FloatField(
                    label=_("Alert when α is below"),
                    initial=rule.threshold,
                    min_value=-1,
                    max_value=1,
                    help_text=_(
                        "The alert is raised only if the whole confidence interval is "
                        "below this value."
                    ),
                )
            if rule.hours is not None:
                self.fields["hours"] = forms.IntegerField(
                    label=_("Hours without a rating before an alert"),
                    initial=rule.hours,
                    min_value=1,
                    max_value=10_000,
                )

    def rules(self) -> list[Rule]:
        """The rules as they were filled in."""
        data = self.cleaned_data
        return [
            Rule(
                usual.kind,
                is_active=data[usual.kind],
                threshold=data["threshold"] if usual.kind == AlertKind.ALPHA else None,
                hours=data["hours"] if usual.kind == AlertKind.STALLED else None,
            )
            for usual in USUAL_RULES
        ]


class GoalForm(forms.Form):
    goal = forms.FloatField(label=_("Goal for α"), min_value=-1, max_value=1)

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.fields["goal"].widget.attrs |= {"step": "any", "inputmode": "decimal"}


class ChannelsForm(forms.Form):
    sends_mail = forms.BooleanField(label=_("E-mail to the campaign’s admins"), required=False)
    webhook_url = SendableURLField(
        label=_("Webhook"),
        required=False,
        help_text=_("Every alert is posted to this address as JSON, signed with a secret."),
    )

    @classmethod
    def of(cls, channels: AlertChannels) -> "ChannelsForm":
        """The form as it is shown first."""
        names = ("sends_mail", "webhook_url")
        return cls(initial={name: getattr(channels, name) for name in names}, auto_id="channel-%s")


class AcknowledgementForm(forms.Form):
    note = forms.CharField(max_length=500, required=False)
