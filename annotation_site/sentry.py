"""Reporting errors to Sentry where an operator wants it. Its library is optional."""

from django.core.exceptions import ImproperlyConfigured


def report_to_sentry(dsn: str, release: str) -> None:
    """Send what nobody caught; no names, addresses, bodies or cookies of people with it.

    Raises ImproperlyConfigured without the library, and for an address that cannot be one.
    """
    try:
        import sentry_sdk
        from sentry_sdk.utils import BadDsn
    except ImportError:
        raise ImproperlyConfigured(
            "TOMAHTO_SENTRY_DSN is set, but the package sentry-sdk is not installed"
        ) from None
    try:
        sentry_sdk.init(
            dsn=dsn,
            release=f"tomahto@{release}",
            send_default_pii=False,
            # bodies are answers, local variables hold rows of them
            max_request_body_size="never",
            include_local_variables=False,
            traces_sample_rate=0.0,
        )
    except BadDsn as error:
        raise ImproperlyConfigured(f"TOMAHTO_SENTRY_DSN cannot be used: {error}") from None
