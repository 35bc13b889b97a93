"""Which language an answer is in: the reader's on pages, English for programs."""

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers

FOR_PROGRAMS = ("/api/", "/healthz", "/readyz", "/metrics")
"""Beginnings of the addresses that programs call: what they read must not depend on a browser."""


class PageLanguageMiddleware(LocaleMiddleware):
    """Pages in the language of the cookie, else of the browser; everything else in English."""

    def process_request(self, request: HttpRequest) -> None:
        if not _is_for_programs(request):
            super().process_request(request)
            return
        translation.activate(settings.LANGUAGE_CODE)
        request.LANGUAGE_CODE = settings.LANGUAGE_CODE

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        # a file is the same in every language, and says itself which one it is in
        if _is_for_programs(request) or response.has_header("Content-Disposition"):
            return response
        patch_vary_headers(response, ["Cookie"])  # Django names only the header Accept-Language
        return super().process_response(request, response)


def _is_for_programs(request: HttpRequest) -> bool:
    return request.path_info.startswith(FOR_PROGRAMS)
