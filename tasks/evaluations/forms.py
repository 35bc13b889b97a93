"""Forms that start an evaluation, submit to a leaderboard, or withdraw."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tasks.evaluations.queries.judged import judged_splits
from tasks.evaluations.queries.leaderboard import splits_of
from tasks.evaluations.queries.metric_scores import available_metrics, usual_metrics
from tasks.evaluations.workflow.evaluation import EvaluationPlan
from tasks.evaluations.workflow.submissions import MAX_BYTES, MAX_DESCRIPTION, MAX_NAME, MAX_REASON
from tasks.models import Campaign, Release
from tomahto.interchange.campaigns.predictions import FORMATS
from tomahto.lab.benchmark import EVERYTHING


class EvaluationForm(forms.Form):
    """The data, the metrics, and the items on which their thresholds are tuned. `splits` are those
    of each choice of data."""

    source = forms.ChoiceField(
        label=_("Data"),
        required=False,
        help_text=_("A release can be cited; the campaign keeps changing."),
    )
    metrics = forms.MultipleChoiceField(
        label=_("Metrics"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "Fast metrics score whatever is missing; others appear once they have made "
            "suggestions. Metrics without a meaningful default threshold are not preselected."
        ),
    )
    tune_on = forms.ChoiceField(
        label=_("Tune thresholds on"),
        required=False,
        help_text=_("Metrics tuned on a split are judged on the others."),
    )

    unit = forms.ChoiceField(
        label=_("Unit"),
        choices=[("items", _("Items, by label")), ("ratings", _("Individual ratings"))],
        initial="items",
        required=False,
        help_text=_("The unit of one judgement when metrics are compared with people."),
    )

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._campaign = campaign
        releases = Release.objects.filter(campaign=campaign, withdrawal=None)
        self.splits: Mapping[str, Iterable[str]] = {
            "": judged_splits(campaign),
            **{release.version: list(release.splits) for release in releases},
        }
        versions = [version for version in self.splits if version]
        named = [(version, _("Release %(version)s") % {"version": version}) for version in versions]
        self._offer("source", [("", _("The campaign in its current state")), *named])
        metrics = available_metrics(campaign)
        self._offer("metrics", [(name, name) for name in metrics])
        self.fields["metrics"].initial = usual_metrics(campaign, metrics)
        splits = dict.fromkeys(split for splits in self.splits.values() for split in splits)
        none = ("", _("None: tune and judge on the same items"))
        self._offer("tune_on", [none, *((split, split) for split in splits)])
        if not splits:
            del self.fields["tune_on"]

    def _offer(self, field: str, choices: list[Any]) -> None:
        self.fields[field].choices = choices  # type: ignore[attr-defined]  # a ChoiceField

    def clean_tune_on(self) -> str:
        split: str = self.cleaned_data["tune_on"]
        splits = self.splits.get(self.cleaned_data.get("source", ""), ())
        if split and split not in splits:
            raise forms.ValidationError(
                _("There is no split with this name; the splits are: %(splits)s."),
                params={"splits": ", ".join(splits) or "–"},
            )
        return split

    def plan(self) -> EvaluationPlan:
        return EvaluationPlan(
            metrics=tuple(self.cleaned_data["metrics"]),
            seed=self._campaign.seed,
            release=self.cleaned_data["source"] or None,
            tune_on=self.cleaned_data.get("tune_on") or None,
            unit=self.cleaned_data["unit"] or "items",
        )


class PredictionsForm(forms.Form):
    """One system's predictions for a split of a release."""

    name = forms.CharField(
        label=_("System"),
        max_length=MAX_NAME,
        help_text=_("The system that made these predictions."),
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=MAX_DESCRIPTION,
        help_text=_("One line: model, size, prompt."),
    )
    file = forms.FileField(
        label=_("File of predictions"),
        help_text=_(
            "A JSON object that maps question ids to texts, or JSON lines or CSV with id and text."
        ),
    )
    format = forms.ChoiceField(
        label=_("Format"),
        required=False,
        choices=[("", _("Detect automatically")), *((name, name) for name in FORMATS)],
    )
    split = forms.ChoiceField(label=_("Split"))

    def __init__(self, *args: Any, release: Release, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["split"].choices = split_choices(release)  # type: ignore[attr-defined]  # a ChoiceField

    def clean_file(self) -> "UploadedFile[Any]":
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > MAX_BYTES:
            raise forms.ValidationError(
                _("The file is larger than %(limit)d MB."), params={"limit": MAX_BYTES >> 20}
            )
        return file

    def clean_format(self) -> str | None:
        return self.cleaned_data["format"] or None


class SubmissionWithdrawalForm(forms.Form):
    """Why a submission is not to be compared any more."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Shown to everybody who opens the leaderboard."),
    )


def split_choices(release: Release) -> list[tuple[str, Any]]:
    return [
        (split, _("everything") if split == EVERYTHING else split) for split in splits_of(release)
    ]
