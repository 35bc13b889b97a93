"""The parameters that a crowd service appends to the address it sends people to."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from django import forms
from django.utils.translation import gettext, gettext_lazy

from tasks.people.forms import validate_printable

# what Prolific and MTurk call each, and our own name for all others
_NAMES = {
    "participant": ("PROLIFIC_PID", "workerId", "participant"),
    "study": ("STUDY_ID", "hitId", "study"),
    "session": ("SESSION_ID", "assignmentId", "session"),
    "submit_to": ("turkSubmitTo",),
}
_PLACEHOLDER = re.compile(r"\{\{.*|\$\{.*|[\[{<%].*[\]}>%]", re.DOTALL)
_MTURK = re.compile(r"https://(?:[a-z0-9-]+\.)*mturk\.com")
_MAX_LENGTH = 200


def validate_replaced(value: str) -> None:
    """An id must not be the name of an id: all participants would be one and the same."""
    plain = unquote(value).strip()
    if not _PLACEHOLDER.fullmatch(plain):
        return
    if plain.startswith("{{"):
        setting = gettext(
            "In Prolific, answer “How do you want to record Prolific IDs?” with “I’ll use URL "
            "parameters”."
        )
    elif plain.startswith("${"):
        setting = gettext(
            "In MTurk, use the link as the ExternalURL of an ExternalQuestion, without "
            "parameters: MTurk adds them."
        )
    else:
        setting = gettext("Check the address of the study in the settings of the service.")
    message = gettext("The service left the placeholder %(value)s in place of an ID.")
    raise forms.ValidationError(f"{message} {setting}", params={"value": plain})


def validate_of_mturk(value: str) -> None:
    if not _MTURK.fullmatch(value):
        raise forms.ValidationError(gettext("It must be an https:// address of mturk.com."))


class _Id(forms.CharField):
    default_validators = [validate_printable, validate_replaced]


class VisitForm(forms.Form):
    """Ids of a participant, and where MTurk takes the completion code."""

    participant = _Id(
        max_length=_MAX_LENGTH, error_messages={"required": gettext_lazy("It is missing.")}
    )
    study = _Id(required=False, max_length=_MAX_LENGTH)
    session = _Id(required=False, max_length=_MAX_LENGTH)
    submit_to = forms.CharField(
        required=False, max_length=_MAX_LENGTH, validators=[validate_of_mturk]
    )

    def __init__(self, parameters: Mapping[str, str]) -> None:
        """Of an address, whatever the service calls its parameters."""
        self.names = {field: _name(field, parameters) for field in _NAMES}
        super().__init__({field: parameters.get(name, "") for field, name in self.names.items()})

    @property
    def visit(self) -> dict[str, Any]:
        """Participant, study and session, as `enter` takes them."""
        return {field: self.cleaned_data[field] for field in ("participant", "study", "session")}

    def faults(self) -> Iterator[tuple[str, str]]:
        """Each fault after the name of the parameter that has it, as the service writes it."""
        for field, messages in self.errors.items():
            for message in messages:
                yield self.names[field], str(message)


def _name(field: str, parameters: Mapping[str, str]) -> str:
    """The first name that has a value; of a field that is missing, the first there is."""
    return next((name for name in _NAMES[field] if parameters.get(name)), _NAMES[field][0])
