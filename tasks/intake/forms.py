"""Files that people hand in, checked before they are read."""

from pathlib import Path
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from tasks.intake.workflow.files import ImportFile
from tasks.intake.workflow.suggestions import ScaleError, scale_of
from tomahto.interchange.reading.rows import FieldMap
from tomahto.interchange.table import format_names

MAX_UPLOAD = 64 << 20


class UploadForm(forms.Form):
    """A file of one kind. `format` is None where it is to be told from the file."""

    file = forms.FileField(label=_("File"))
    format = forms.ChoiceField(label=_("Format"), required=False)
    field_order = ("system", "file", "format", "rate_exact")

    def __init__(self, kind: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", _("Detect automatically")), *((name, name) for name in format_names(kind))]
        self.fields["format"].choices = choices  # type: ignore[attr-defined]  # a ChoiceField
        if kind == "predictions":
            self.fields["system"] = forms.CharField(
                label=_("System"),
                max_length=150,
                help_text=_("The system that gave these answers."),
            )
            self.fields["rate_exact"] = forms.BooleanField(
                label=_("Also rate exact matches"),
                required=False,
                help_text=_("Use this if raters should judge every answer, as in CAP."),
            )
            self.order_fields(self.field_order)
        if kind == "ratings":
            self.fields["newest"] = forms.BooleanField(
                label=_("Keep only the newest of several ratings of an item by one rater"),
                required=False,
                help_text=_("For Label Studio, where people can annotate a task again."),
            )
        if kind == "suggestions":
            self.fields["matcher"] = forms.CharField(max_length=80)
            for name in ("low", "high", "threshold"):
                self.fields[name] = forms.FloatField(required=False)

    def clean(self) -> None:
        try:
            scale_of(self.cleaned_data)
        except ScaleError as error:
            raise forms.ValidationError({error.field: str(error)}) from error

    def clean_file(self) -> "UploadedFile[Any]":
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > MAX_UPLOAD:
            raise forms.ValidationError(
                _("The file is larger than %(limit)d MB. Import it from the command line."),
                params={"limit": MAX_UPLOAD >> 20},
            )
        return file

    def clean_format(self) -> str | None:
        return self.cleaned_data["format"] or None

    def handed_in(self, path: Path, name: str) -> ImportFile:
        """The file at the path with what was chosen for it; errors call it by the name."""
        fields = self.cleaned_data
        return ImportFile(
            path,
            name,
            fields["format"],
            fields.get("system", ""),
            fields=FieldMap(takes_newest=fields.get("newest", False)),
            matcher=fields.get("matcher", ""),
            scale=scale_of(fields),
            rates_exact=fields.get("rate_exact", False),
        )
