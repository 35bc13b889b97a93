"""Tags and filters about people."""

from django import template
from django.template.context import RequestContext

from tasks.access.queries import Completion, completion_for
from tasks.models import Membership, User
from tasks.talk.queries import unread_threads

register = template.Library()
_KNOWN = "_unread_threads"  # read once for each request


@register.simple_tag
def completion_of(membership: Membership) -> Completion | None:
    """The code or address that a visitor of a crowd service takes back to it; None if there is
    none."""
    return completion_for(membership)


@register.simple_tag(takes_context=True)
def unread_in_inbox(context: RequestContext) -> int:
    """In how many threads something waits for the person; 0 where nobody is signed in."""
    request = context.get("request")
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return 0
    if not hasattr(request, _KNOWN):
        setattr(request, _KNOWN, unread_threads(user))
    unread: int = getattr(request, _KNOWN)
    return unread
