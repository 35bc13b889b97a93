"""Help where it is needed: the section that explains a page, and terms in two sentences."""

from django import template
from django.template.context import RequestContext

from tasks.handbook.queries.documents import address_of
from tasks.handbook.queries.terms import TERMS
from tasks.web.addresses import help_for

register = template.Library()


@register.simple_tag(takes_context=True)
def help_address(context: RequestContext) -> str:
    """Of the section of the documentation that explains the page; empty where there is no page."""
    request = context.get("request")
    match = request.resolver_match if request else None
    if match is None or match.namespaces:  # those of the operators' admin are none of ours
        return ""
    try:
        return address_of(help_for(match.url_name))
    except KeyError:  # where something is refused that is no page, as the choice of a language
        return ""


@register.inclusion_tag("handbook/term.html")
def term(name: str) -> dict[str, object]:
    """A small button that explains a term of `TERMS`, for the place where it first stands."""
    found = TERMS[name]
    return {"term": found, "id": f"term-{name}", "address": address_of(found.section)}
