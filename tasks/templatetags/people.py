"""What templates ask about people."""

from django import template

from tasks.access.queries.crowd import Completion, completion_for
from tasks.models import Membership
from tasks.people.shown import names as shown_names
from tasks.people.shown.names import Names, ShownName

register = template.Library()


@register.simple_tag
def completion_of(membership: Membership) -> Completion | None:
    """What a visitor of a crowd service takes back to it; None where there is nothing to give."""
    return completion_for(membership)


@register.simple_tag
def named(names: Names, pseudonym: str) -> ShownName:
    """What a member is called where names are shown like these."""
    return names.of(pseudonym)


@register.simple_tag
def shown_name(viewer: Membership, member: Membership) -> ShownName:
    """What the viewer sees of a member."""
    return shown_names.shown_name(viewer, member)
