"""Forms of the dashboards: what people choose to see, alerts, and setting ratings aside."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tasks.agreement.findings import USUAL_RULES, Rule
from tasks.models import MAX_SET_ASIDE_REASON, AlertChannels, AlertKind, Campaign, Narrowing
from tasks.votes.ratings import NarrowingError, narrowing_of
from tasks.web.outgoing import SendableURLField

DEFAULT_WIDTH = 0.1
_SKILLED = "0.15"

SOURCE_TITLES = (("rated", _("raters here")), ("imported", _("imported files")))


class Chip(NamedTuple):
    """A filter in words; `query` is the address without it."""

    text: str
    query: str


class NarrowingForm(forms.Form):
    """The part of the ratings that a page is about: `narrowing`, without what cannot be asked, of
    which `wrong` says why."""

    system = forms.ChoiceField(label=_("System"))
    since = forms.DateField(label=_("Rated from"))
    until = forms.DateField(label=_("Rated until"))
    guideline = forms.ChoiceField(label=_("Under guidelines"))
    source = forms.ChoiceField(
        label=_("Labels from"), choices=[("", pgettext_lazy("filter", "Any")), *SOURCE_TITLES]
    )

    def __init__(self, campaign: Campaign, asked: Mapping[str, str]) -> None:
        initial = {name: asked.get(name, "") for name in self.base_fields}
        super().__init__(initial=initial)
        self.use_required_attribute = False
        systems = campaign.systems.order_by("name").values_list("name", flat=True)
        versions = campaign.guidelines.values_list("version", flat=True)
        anything = ("", pgettext_lazy("filter", "Any"))
        self._offer("system", [anything, *((name, name) for name in systems)])
        numbered = [(str(version), str(version)) for version in versions]
        self._offer("guideline", [anything, *numbered, ("0", _("none"))])
        for name in ("since", "until"):
            self.fields[name].widget = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
        kept, self.wrong = dict(asked.items()), list[str]()
        while (narrowing := self._narrowing(campaign, kept)) is None:
            pass
        self.narrowing = narrowing

    def _narrowing(self, campaign: Campaign, kept: dict[str, str]) -> Narrowing | None:
        """Of what is kept; None if something had to be left out first."""
        try:
            return narrowing_of(campaign, kept)
        except NarrowingError as error:
            del kept[error.parameter]
            self.initial[error.parameter] = ""
            self.wrong.append(f"{self.fields[error.parameter].label}: {error.reason}")
            return None

    def _offer(self, name: str, choices: Sequence[tuple[Any, Any]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]  # a field of choices

    @property
    def chips(self) -> Iterator[Chip]:
        """The filters in force, each with the address without it."""
        asked = self.narrowing
        shown = {
            "system": asked.system,
            "since": asked.since and date_format(asked.since, "SHORT_DATE_FORMAT"),
            "until": asked.until and date_format(asked.until, "SHORT_DATE_FORMAT"),
            "guideline": asked.guideline if asked.guideline else asked.guideline == 0 and _("none"),
            "source": asked.source and dict(SOURCE_TITLES)[asked.source],
        }
        nothing = Narrowing()
        for name, value in shown.items():
            if value:
                without = replace(asked, **{name: getattr(nothing, name)})
                yield Chip(f"{self.fields[name].label}: {value}", without.key)


class MoreForm(forms.Form):
    """The quantity to be known, its precision, and the worth of a rater.

    `width` is that of the whole interval, as a share. `epsilon` is as in
    `tomahto.raters.alternative_annotator`.
    """

    quantity = forms.ChoiceField(label=_("Quantity"))
    width = forms.FloatField(
        label=_("Target width of the interval, end to end"),
        min_value=0.001,
        max_value=2,
        widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
    )
    epsilon = forms.ChoiceField(
        label=_("Raters that the matcher would replace"),
        choices=[
            ("0.2", _("experts (ε = 0.2)")),
            (_SKILLED, _("skilled (ε = 0.15)")),
            ("0.1", _("crowd (ε = 0.1)")),
        ],
    )

    def __init__(self, given: Mapping[str, str], quantities: Sequence[Mapping[str, Any]]) -> None:
        defaults = {
            "quantity": quantities[0]["key"],
            "width": str(DEFAULT_WIDTH),
            "epsilon": _SKILLED,
        }
        super().__init__({name: given.get(name, value) for name, value in defaults.items()})
        self.fields["quantity"] = forms.ChoiceField(
            label=self.fields["quantity"].label, choices=_grouped(quantities)
        )


def _grouped(quantities: Sequence[Mapping[str, Any]]) -> list[tuple[Any, Any]]:
    titles = {
        "accuracy": _("Accuracy of a system"),
        "difference": _("Difference of two systems"),
    }
    choices: list[tuple[Any, Any]] = []
    for kind, found in groupby(quantities, key=lambda quantity: quantity["kind"]):
        if kind == "alpha":
            choices += [(quantity["key"], _("Krippendorff’s α")) for quantity in found]
        else:
            named = [(quantity["key"], " − ".join(quantity["systems"])) for quantity in found]
            choices.append((titles[kind], named))
    return choices


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
        names = ("sends_mail", "webhook_url")
        return cls(initial={name: getattr(channels, name) for name in names}, auto_id="channel-%s")


class AcknowledgementForm(forms.Form):
    note = forms.CharField(max_length=500, required=False)


class SetAsideForm(forms.Form):
    """The ratings of a rater to set aside, and the reason."""

    since = forms.DateField(
        required=False,
        label=_("Only those given since"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_(
            "Leave empty for all ratings. With a date, ratings without a known time still count."
        ),
    )
    reason = forms.CharField(
        max_length=MAX_SET_ASIDE_REASON,
        label=_("Reason"),
        help_text=_("Kept with the ratings and in the audit log. The rater does not see it."),
    )
