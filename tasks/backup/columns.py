"""What a column takes from a backup: nothing that the forms and models of the site refuse.

What they say of empty texts is left out: a form asks for an answer where a file need not have one.
"""

from collections.abc import Callable
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator, RegexValidator
from django.db.models import AutoField, EmailField, Field, ForeignKey

from tasks.campaigns.workflow.imported_raters import pseudonym_of_import
from tomahto.releases.records.errors import ReleaseError
from tomahto.releases.records.versions import parse_version

Check = Callable[[Any], None]


def _version(value: str) -> None:
    try:
        parse_version(value)
    except ReleaseError as error:
        raise ValidationError(str(error)) from error


def _pseudonym(value: str) -> None:
    if pseudonym_of_import("", value) != value:
        raise ValidationError(f"{value!r} is no pseudonym like r-a2b3c4d5e6")


# names that the site makes itself, and that stand in addresses
_NAMES: Final[dict[tuple[str, str], Check]] = {
    ("tasks_release", "version"): _version,
    ("tasks_membership", "pseudonym"): _pseudonym,
}
# createsuperuser takes more than EmailValidator does; no mail has a line in its address
_ADDRESS: Final = RegexValidator(r"\A\S*\Z", "is no address for mail")


def check_of(field: "Field[Any, Any]") -> Check:
    """A function that raises ValidationError for a value which is none of the field's."""
    checks, choices = _checks(field), dict(field.flatchoices)

    def check(value: Any) -> None:
        if value is None:
            if not field.null:
                raise ValidationError("is null")
            return
        if value == "" and field.blank:
            return
        if choices and value not in choices:
            raise ValidationError(f"{value!r} is none of {', '.join(map(repr, choices))}")
        for each in checks:
            each(value)

    return check


def _checks(field: "Field[Any, Any]") -> list[Check]:
    if isinstance(field, ForeignKey):
        return _checks(field.target_field)
    if isinstance(field, EmailField):
        return [_ADDRESS]
    checks: list[Check] = list(field.validators)
    if isinstance(field, AutoField):
        checks.append(MinValueValidator(1))
    if own := _NAMES.get((field.model._meta.db_table, str(field.column))):
        checks.append(own)
    return checks
