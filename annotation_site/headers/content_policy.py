"""The Content-Security-Policy of every answer."""

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.http import HttpRequest, HttpResponseBase

# What programs read loads nothing, even if a browser shows it.
_OF_DATA = "; ".join(
    f"{directive} 'none'"
    for directive in (
        *("default-src", "script-src", "style-src", "object-src"),
        *("base-uri", "form-action", "frame-ancestors"),
    )
)


class ContentPolicyMiddleware(CSPMiddleware):
    """The policy of the settings for pages and files; for JSON the strictest there is."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if response.headers.get("Content-Type") == "application/json":
            response.headers[HEADER] = _OF_DATA
            return response
        return super().process_response(request, response)
