"""Addresses for people who are elsewhere: in mails, and in links that are passed on."""

from django.conf import settings
from django.http import HttpRequest
from django.urls import get_script_prefix


def public_address(path: str, request: HttpRequest | None = None) -> str:
    """The address at which the world reaches this path: under TOMAHTO_SITE_URL, whatever host a
    request names. Without the setting under the host of the request, or else the path alone."""
    if settings.SITE_URL:
        return f"{settings.SITE_URL}/{path.removeprefix(get_script_prefix())}"
    return request.build_absolute_uri(path) if request else path
