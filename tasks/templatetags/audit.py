"""Entries of the audit log in words."""

from collections.abc import Iterator
from typing import Any

from django import template
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from tasks.models import AuditAction, AuditEntry

register = template.Library()


@register.filter
def act(entry: AuditEntry) -> str:
    """What was done; one that this version of the software does not know keeps its name."""
    known = entry.action in AuditAction.values
    return str(AuditAction(entry.action).label) if known else entry.action


@register.filter
def sentences(entry: AuditEntry) -> list[str]:
    """The details, a sentence for each of them."""
    return list(_sentences(entry.facts))


def _sentences(facts: dict[str, Any]) -> Iterator[str]:
    for name, (before, after) in facts.pop("changes", {}).items():
        words = {"name": _name(name), "before": _value(before), "after": _value(after)}
        yield _("%(name)s was %(before)s and is %(after)s.") % words
    for name, value in facts.items():
        yield _("%(name)s: %(value)s.") % {"name": _name(name), "value": _value(value)}


def _name(name: str) -> str:
    return str(capfirst(name.replace("_", " ")))


def _value(value: object) -> str:
    match value:
        case None | "" | []:
            return _("none")
        case bool():
            return _("yes") if value else _("no")
        case list():
            return ", ".join(map(_value, value))
        case int() | float():
            return str(value)
        case _:
            return f"“{value}”"
