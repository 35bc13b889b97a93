"""The form of the datasheet: the questions of a release in the language of the page."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks.releases.workflow.datasheet import MAX_ANSWER
from tomahto.releases.documents.citation import AuthorsError, parse_authors
from tomahto.releases.documents.datasheet import AUTHORS, QUESTIONS, Question


class DatasheetForm(forms.Form):
    """A field for every question. Each comes back with what it showed, so that only what this
    person has changed is saved, whatever others did in the meantime."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for question in QUESTIONS:
            self.fields[question.key] = _field(question)

    def clean_authors(self) -> str:
        text = str(self.cleaned_data[AUTHORS]).replace("\r\n", "\n")
        for number, line in enumerate(text.split("\n"), start=1):
            try:
                parse_authors(line)
            except AuthorsError:
                message = _(
                    "Line %(number)d names neither a person nor an institution, or its ORCID iD is "
                    "not valid."
                )
                raise forms.ValidationError(message, params={"number": number}) from None
        return text

    def changes(self) -> dict[str, str]:
        return {key: self.cleaned_data[key] for key in self.changed_data}


def _field(question: Question) -> forms.Field:
    common: dict[str, Any] = {
        "label": _(question.question),
        "help_text": _(question.hint),
        "required": False,
        "show_hidden_initial": True,
    }
    if question.choices:
        names = [("", _("not stated")), *((choice, choice) for choice in question.choices)]
        return forms.ChoiceField(choices=names, **common)
    rows = forms.Textarea(attrs={"rows": 3, "spellcheck": "true", "dir": "auto"})
    return forms.CharField(max_length=MAX_ANSWER, widget=rows, **common)
