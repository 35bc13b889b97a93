"""People to invite, as admins paste them or have them in a file."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.utils.datastructures import MultiValueDict

from tasks.people.mail_forms import InvitationMailForm, checked, entries_of_table, entries_of_text
from tasks.people.workflow.mailed_invitations import Recipient


def test_addresses_are_read_as_people_paste_them() -> None:
    text = (
        '"Lee, Ann" <ann@example.org>,\r\n\r\n bo@example.org;\n'
        "Cleo <cleo@example.org>, dan@example.org; <eve@example.org>\n"
    )
    assert checked(entries_of_text(text)) == [
        Recipient("ann@example.org", "Lee, Ann"),
        Recipient("bo@example.org"),
        Recipient("cleo@example.org", "Cleo"),
        Recipient("dan@example.org"),
        Recipient("eve@example.org"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        'E-mail,Name,Role\nann@example.org,"Lee, Ann",Rater\n\nbo@example.org,,\n',
        'name;email;role\r\n"Lee, Ann";ann@example.org;rater\r\n;bo@example.org\r\n',
        'role\tname\te-mail\nrater\t"Lee, Ann"\tann@example.org\n\t\tbo@example.org\n',
    ],
)
def test_tables_are_read_with_commas_semicolons_and_tabs(text: str) -> None:
    assert checked(entries_of_table(text)) == [
        Recipient("ann@example.org", "Lee, Ann", "rater"),
        Recipient("bo@example.org"),
    ]


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        (
            "e-mail,name,role\nann,\nbo@example.org,A\tB,boss\n",
            [
                "Line 2, e-mail: “ann” is not an e-mail address.",
                "Line 3, name: The name is too long or cannot be printed.",
                "Line 3, role: “boss” is not one of the roles: rater, researcher, admin.",
            ],
        ),
        ("e-mail,age\n", ["Line 1, age: The columns are e-mail, name and role, each once."]),
        ("\n\ne-mail,age\n", ["Line 3, age: The columns are e-mail, name and role, each once."]),
        (",,\n", ["Line 1, e-mail: This column is missing."]),
        ("email,e-mail\n", ["Line 1, email: The columns are e-mail, name and role, each once."]),
        ("name\nAnn\n", ["Line 1, e-mail: This column is missing."]),
        (
            "name,e-mail\nLee, Ann,ann@x.org\n",
            ["Line 2, ann@x.org: The line has more cells than columns."],
        ),
        ('e-mail\n"ann@example.org\n', ["Line 2, CSV: The quotation marks do not match."]),
    ],
)
def test_a_wrong_table_is_refused_with_line_and_field(text: str, errors: list[str]) -> None:
    with pytest.raises(ValidationError) as refused:
        checked(entries_of_table(text))
    assert refused.value.messages == errors


def test_two_people_without_a_comma_are_refused() -> None:
    with pytest.raises(ValidationError, match="is not an e-mail address"):
        checked(entries_of_text("Ann <a@example.org> Bob <b@example.org>"))


def test_many_errors_are_counted() -> None:
    with pytest.raises(ValidationError) as refused:
        checked(entries_of_text("nobody\n" * 13))
    assert refused.value.messages[9:] == [
        "Line 10, e-mail: “nobody” is not an e-mail address.",
        "3 more lines are wrong.",
    ]


def filled(file: bytes = b"", **fields: str) -> InvitationMailForm:
    data = {"addresses": "", "role": "rater", "language": "en", "message": "", **fields}
    files: MultiValueDict[str, UploadedFile[Any]] = MultiValueDict()
    if file:
        files["file"] = SimpleUploadedFile("people.csv", file)
    return InvitationMailForm(data, files)


def test_a_form_joins_what_was_typed_and_the_file() -> None:
    table = "\N{BYTE ORDER MARK}e-mail\r\nbo@example.org\r\n"
    form = filled(table.encode(), addresses="ann@example.org", table="e-mail\nold@example.org")
    assert form.is_valid(), form.errors
    assert form.cleaned_data["recipients"] == [
        Recipient("ann@example.org"),
        Recipient("bo@example.org"),
    ]
    later = filled(table=form.cleaned_data["table"])
    assert later.is_valid(), later.errors
    assert later.cleaned_data["recipients"] == [Recipient("bo@example.org")]


@pytest.mark.parametrize(
    ("form", "errors"),
    [
        (filled(), {"addresses": ["Enter at least one address, or choose a file."]}),
        (filled(b"\xff"), {"file": ["The file is not text in UTF-8."]}),
        (filled(b"a" * 100_001), {"file": ["The file is larger than 100 KB."]}),
        (
            filled(addresses="\n".join(f"p{n}@example.org" for n in range(201))),
            {"__all__": ["These are 201 addresses. You can invite 200 at once."]},
        ),
    ],
)
def test_a_form_says_what_is_wrong(form: InvitationMailForm, errors: dict[str, list[str]]) -> None:
    assert dict(form.errors) == errors
