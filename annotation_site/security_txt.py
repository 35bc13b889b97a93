"""/.well-known/security.txt: whom to tell of a fault in the security of this site (RFC 9116)."""

from datetime import UTC, datetime, time, timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

PATH: Final = ".well-known/security.txt"
_GOOD_FOR: Final = timedelta(days=90)  # RFC 9116, 2.5.5: less than a year


def security_txt(_request: HttpRequest) -> HttpResponse:
    """A site without a contact has no such page."""
    last_day = (timezone.now() + _GOOD_FOR).astimezone(UTC).date()
    expires = datetime.combine(last_day, time(tzinfo=UTC))
    lines = [
        *(f"Contact: {contact}" for contact in settings.SECURITY_CONTACTS),
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        *([f"Canonical: {settings.SITE_URL}/{PATH}"] if settings.SITE_URL else ()),
    ]
    content = "".join(f"{line}\n" for line in lines)
    return HttpResponse(content, content_type="text/plain; charset=utf-8")
