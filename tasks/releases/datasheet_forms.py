"""The form of the datasheet: the questions of a release in the language of the page."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tasks.releases.workflow.datasheet import MAX_ANSWER
from tomahto.releases.documents.citation import AuthorsError, parse_authors
from tomahto.releases.documents.datasheet import AUTHORS, QUESTIONS, Question

TEXTS: Mapping[str, tuple[Promise, Promise]] = {
    "purpose": (
        _("For what purpose was the dataset created?"),
        _("The task or the gap it was made for."),
    ),
    AUTHORS: (
        _("Who made the dataset?"),
        _(
            "One author in a line, in the order of the citation: Family name, Given names. A line "
            "without a comma is an institution. An ORCID iD may follow in brackets."
        ),
    ),
    "funding": (
        _("Who funded its creation?"),
        _("Funders and grant numbers, or that there were none."),
    ),
    "sources": (
        _(
            "Where do questions, passages, references and candidates come from, and under which "
            "terms?"
        ),
        _("Datasets with their licences, systems with their versions."),
    ),
    "sensitive": (
        _("Does it hold anything personal, offensive or confidential?"),
        _("Findings and how they were searched for, or that nobody has searched."),
    ),
    "annotators": (
        _("What kind of people rated?"),
        _("As the Hugging Face hub names them."),
    ),
    "recruitment": (
        _("Who are the raters, and how were they recruited?"),
        _("Backgrounds and languages, where they were found, who was turned away. No names."),
    ),
    "training": (
        _("How were raters trained, beyond guidelines and calibration?"),
        _("Meetings, practice, feedback during the work."),
    ),
    "pay": (
        _("What were raters paid?"),
        _("By hour or by item, in which currency, and how that compares with a local wage."),
    ),
    "ethics": (
        _("Was there an ethical review?"),
        _("By whom, with what outcome; or why not."),
    ),
    "processing": (
        _("What was done to the texts before they were rated?"),
        _("Filtering, cleaning, sampling; whether the raw data is kept."),
    ),
    "uses": (
        _("What should the dataset be used for, and what not?"),
        _("Also what it has been used for already."),
    ),
    "maintenance": (
        _("Who maintains the dataset, and how are errors mended?"),
        _("Whether there will be new versions, and how long old ones stay."),
    ),
    "contact": (
        _("Whom can users ask?"),
        _("An address that will be public."),
    ),
}
"""Question and hint by key, word for word those of tomahto.releases.documents.datasheet,
which stand in releases in English."""


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
        """The answers that were changed, by key."""
        return {key: self.cleaned_data[key] for key in self.changed_data}


def _field(question: Question) -> forms.Field:
    label, hint = TEXTS[question.key]
    common: dict[str, Any] = {
        "label": label,
        "help_text": hint,
        "required": False,
        "show_hidden_initial": True,
    }
    if question.choices:
        names = [("", _("not stated")), *((choice, choice) for choice in question.choices)]
        return forms.ChoiceField(choices=names, **common)
    rows = forms.Textarea(attrs={"rows": 3, "spellcheck": "true", "dir": "auto"})
    return forms.CharField(max_length=MAX_ANSWER, widget=rows, **common)
