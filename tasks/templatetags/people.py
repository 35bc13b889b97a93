"""What templates ask about people."""

from django import template

from tasks.access.queries import Completion, completion_for
from tasks.models import Membership

register = template.Library()


@register.simple_tag
def completion_of(membership: Membership) -> Completion | None:
    """What a visitor of a crowd service takes back to it; None where there is nothing to give."""
    return completion_for(membership)
