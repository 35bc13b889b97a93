"""`{% request_id %}` for pages that say what went wrong; they are rendered without a context."""

from django.template import Library

from annotation_site.request_id import current_request_id

register = Library()


@register.simple_tag
def request_id() -> str:
    return current_request_id.get()
