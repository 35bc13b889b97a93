"""The values that a column takes from a backup: none that the forms and models of the site refuse.

Their rules for empty texts are left out: a form asks for an answer where a file need not have one.
"""

import json
from collections.abc import Callable
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db.models import AutoField, EmailField, Field, ForeignKey, JSONField

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
        raise ValidationError(f"{value!r} is not a pseudonym like r-a2b3c4d5e6")


# names that the site makes itself, and that stand in addresses
_NAMES: Final[dict[tuple[str, str], Check]] = {
    ("tasks_release", "version"): _version,
    ("tasks_membership", "pseudonym"): _pseudonym,
}
# JSON columns that hold lists, those of texts apart; all others hold objects
_TEXTS: Final = frozenset(
    {
        *(("tasks_question", "references"), ("tasks_item", "references")),
        *(("tasks_apitoken", "scopes"), ("tasks_webhook", "events")),
    }
)
_LISTS: Final = frozenset(
    {("tasks_question", "answer_starts"), ("tasks_candidate", "alternatives")}
)
# columns of text that hold an object
_JSON_TEXTS: Final = frozenset(
    {("tasks_auditentry", "details"), ("tasks_look", "findings"), ("tasks_evaluation", "report")}
)
# second factors: what makes a code cheap to check and hard to guess
_BOUNDS: Final[dict[tuple[str, str], tuple[int, int]]] = {
    ("otp_totp_totpdevice", "step"): (1, 600),
    ("otp_totp_totpdevice", "tolerance"): (0, 10),
    ("otp_totp_totpdevice", "throttling_failure_count"): (0, 30),
    ("otp_static_staticdevice", "throttling_failure_count"): (0, 30),
}


def _is_object(value: Any) -> None:
    if not isinstance(value, dict):
        raise ValidationError(f"{value!r:.80} is not an object")


def _is_list(value: Any) -> None:
    if not isinstance(value, list):
        raise ValidationError(f"{value!r:.80} is not a list")


def _is_list_of_texts(value: Any) -> None:
    _is_list(value)
    if not all(isinstance(each, str) for each in value):
        raise ValidationError(f"{value!r:.80} is not a list of texts")


def _is_text_of_an_object(value: str) -> None:
    try:
        _is_object(json.loads(value))
    except ValueError:
        raise ValidationError(f"{value!r:.80} is not JSON") from None


# createsuperuser takes more than EmailValidator does; no mail has a line in its address
_ADDRESS: Final = RegexValidator(r"\A\S*\Z", "is not an e-mail address")


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
            raise ValidationError(f"{value!r} is not one of {', '.join(map(repr, choices))}")
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
    place = (field.model._meta.db_table, str(field.column))
    if own := _NAMES.get(place):
        checks.append(own)
    if place in _BOUNDS:
        least, most = _BOUNDS[place]
        checks += [MinValueValidator(least), MaxValueValidator(most)]
    if place in _JSON_TEXTS:
        checks.append(_is_text_of_an_object)
    if isinstance(field, JSONField):
        checks.append(_shape_of(place))
    return checks


def _shape_of(place: tuple[str, str]) -> Check:
    if place in _TEXTS:
        return _is_list_of_texts
    return _is_list if place in _LISTS else _is_object
