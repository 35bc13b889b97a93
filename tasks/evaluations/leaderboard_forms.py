"""What people type and choose when they submit to a leaderboard, or withdraw a submission."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tasks.evaluations.queries.leaderboard import splits_of
from tasks.evaluations.workflow.submissions import MAX_BYTES, MAX_DESCRIPTION, MAX_NAME, MAX_REASON
from tasks.models import Release
from tomahto.interchange.campaigns.submissions import FORMATS
from tomahto.lab.leaderboards.benchmark import EVERYTHING


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
    """Values and names."""
    return [
        (split, _("everything") if split == EVERYTHING else split) for split in splits_of(release)
    ]
