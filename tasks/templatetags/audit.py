"""Entries of the audit log in words."""

from collections.abc import Iterator
from typing import Any

from django import template
from django.utils.text import capfirst

from tasks.models import AuditAction, AuditEntry, Role

register = template.Library()


@register.filter
def act(entry: AuditEntry) -> str:
    """The act in words; one that this version of the software does not know keeps its name."""
    known = entry.action in AuditAction.values
    return str(AuditAction(entry.action).label) if known else entry.action


@register.filter
def role_name(entry: AuditEntry) -> str:
    """The role in which it was done, empty for who had none."""
    return str(Role(entry.role).label) if entry.role in Role.values else entry.role


@register.filter
def sentences(entry: AuditEntry) -> list[str]:
    """The details, a sentence for each of them, in English as they were recorded."""
    return list(_sentences(entry.facts))


def _sentences(facts: dict[str, Any]) -> Iterator[str]:
    for name, (before, after) in facts.pop("changes", {}).items():
        words = {"name": _name(name), "before": _value(before), "after": _value(after)}
        yield "{name} was {before} and is {after}.".format(**words)
    for name, value in facts.items():
        yield f"{_name(name)}: {_value(value)}"


def _name(name: str) -> str:
    return str(capfirst(name.replace("_", " ")))


def _value(value: object) -> str:
    match value:
        case None | "" | []:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(map(_value, value))
        case int() | float():
            return str(value)
        case _:
            return f"“{value}”"
