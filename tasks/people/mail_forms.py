"""The form that invites people by e-mail, and the lists that are pasted or uploaded there."""

import csv
import re
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any, Final, NamedTuple

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import validate_email
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tasks.models import Role
from tasks.people.workflow.mailed_invitations import MOST_AT_ONCE, Recipient

MAX_TEXT: Final = 100_000
MAX_NAME: Final = 100
MAX_MESSAGE: Final = 2000
_SHOWN_ERRORS: Final = 10
# up to a comma or semicolon outside quotation marks
_ENTRY: Final = re.compile(r'(?:"[^"]*"|[^,;"])+')
_NAMED: Final = re.compile(r"(?P<name>[^<>]*?)\s*<(?P<address>[^<>]*)>")
_COLUMNS: Final = {"e-mail": "address", "email": "address", "name": "name", "role": "role"}


class _Entry(NamedTuple):
    line: int
    address: str
    name: str = ""
    role: str = ""


class InvitationMailForm(forms.Form):
    """People to invite and the words of their mail; `cleaned_data["recipients"]` is all of them.

    `table` is the text of the file, which a browser sends once, for later forms.
    """

    addresses = forms.CharField(
        label=_("E-mail addresses"),
        required=False,
        max_length=MAX_TEXT,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=_("One per line, such as ann@example.org or Ann Lee &lt;ann@example.org&gt;."),
    )
    file = forms.FileField(
        label=_("CSV file"),
        required=False,
        help_text=_("With a column e-mail and, if you like, the columns name and role."),
    )
    # a browser sends every end of a line as two characters
    table = forms.CharField(required=False, max_length=2 * MAX_TEXT, widget=forms.HiddenInput)
    role = forms.ChoiceField(label=_("Role"), choices=Role, initial=Role.RATER)
    language = forms.ChoiceField(label=_("Language of the e-mail"), choices=settings.LANGUAGES)
    message = forms.CharField(
        label=_("Your message"),
        required=False,
        max_length=MAX_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Optional. The e-mail quotes it above the link."),
    )

    def clean_file(self) -> str:
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return ""
        if (file.size or 0) > MAX_TEXT:
            raise ValidationError(gettext("The file is larger than 100 KB."))
        try:
            return str(file.read(), "utf-8-sig")
        except UnicodeDecodeError:
            raise ValidationError(gettext("The file is not text in UTF-8.")) from None

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        data["table"] = data.pop("file", "") or data.get("table", "")
        recipients: list[Recipient] = []
        sources = {"addresses": entries_of_text, "file": entries_of_table}
        for field, text in (("addresses", data.get("addresses", "")), ("file", data["table"])):
            try:
                recipients += checked(sources[field](text))
            except ValidationError as error:
                self.add_error(field, error)
        if not self.errors and not recipients:
            self.add_error("addresses", gettext("Enter at least one address, or choose a file."))
        if (number := len({each.address.lower() for each in recipients})) > MOST_AT_ONCE:
            text = gettext("These are %(number)d addresses. You can invite %(most)d at once.")
            self.add_error(None, text % {"number": number, "most": MOST_AT_ONCE})
        return {**data, "recipients": recipients}


def entries_of_text(text: str) -> Iterator[_Entry]:
    """Addresses as people paste them: with names or without, one or several in a line."""
    for number, line in enumerate(text.splitlines(), start=1):
        for entry in filter(None, map(str.strip, _ENTRY.findall(line))):
            named = _NAMED.fullmatch(entry)
            if named:
                yield _Entry(number, named["address"].strip(), named["name"].strip('" '))
            else:
                yield _Entry(number, entry)


def entries_of_table(text: str) -> Iterator[_Entry]:
    """The rows of a CSV file under its line of titles. Raises ValidationError naming the line."""
    if not text.strip():
        return
    first = text.lstrip().partition("\n")[0]
    rows = csv.reader(
        StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True
    )
    try:
        titles = [title.strip().lower() for title in next(filter(any, rows), [])]
        fields = [_COLUMNS.get(title, "") for title in titles]
        for title, field in zip(titles, fields, strict=True):
            if not field or fields.count(field) > 1:
                raise _wrong(
                    rows.line_num,
                    title,
                    gettext("The columns are e-mail, name and role, each once."),
                )
        if "address" not in fields:
            raise _wrong(rows.line_num, "e-mail", gettext("This column is missing."))
        for row in rows:
            if any(row) and len(row) > len(fields):
                raise _wrong(
                    rows.line_num, row[-1], gettext("The line has more cells than columns.")
                )
            if any(row):
                cells = dict(zip(fields, map(str.strip, row), strict=False))
                yield _Entry(rows.line_num, **{"address": "", **cells})
    except csv.Error:
        raise _wrong(rows.line_num, "CSV", gettext("The quotation marks do not match.")) from None


def checked(entries: Iterable[_Entry]) -> list[Recipient]:
    """The people. Raises ValidationError naming line and field of everything that is wrong."""
    recipients, errors = [], []
    for entry in entries:
        problems = list(_problems(entry))
        errors += [_wrong(entry.line, field, text) for field, text in problems]
        recipients.append(Recipient(entry.address, entry.name, entry.role.lower()))
    if len(errors) > _SHOWN_ERRORS:
        more = gettext("%(number)d more lines are wrong.") % {"number": len(errors) - _SHOWN_ERRORS}
        raise ValidationError([*errors[:_SHOWN_ERRORS], more])
    if errors:
        raise ValidationError(errors)
    return recipients


def _problems(entry: _Entry) -> Iterator[tuple[str, str]]:
    try:
        validate_email(entry.address)
    except ValidationError:
        text = gettext("“%(text)s” is not an e-mail address.")
        yield "e-mail", text % {"text": entry.address[:80]}
    if len(entry.name) > MAX_NAME or not entry.name.isprintable():
        yield "name", gettext("The name is too long or cannot be printed.")
    if entry.role and entry.role.lower() not in Role.values:
        text = gettext("“%(text)s” is not one of the roles: %(roles)s.")
        yield "role", text % {"text": entry.role[:80], "roles": ", ".join(Role.values)}


def _wrong(line: int, field: str, text: str) -> ValidationError:
    message = gettext("Line %(line)d, %(field)s: %(text)s")
    return ValidationError(message % {"line": line, "field": field[:80], "text": text})
