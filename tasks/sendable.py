"""Addresses that people give for the site to send to."""

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from outgoing.destination import read_destination
from outgoing.errors import DestinationRefused


def require_sendable(url: str) -> None:
    """Raises ValidationError for an address that the site's own client would not send to."""
    try:
        read_destination(url)
    except DestinationRefused as refusal:
        raise ValidationError(
            _("No request can be sent there: %(reason)s") % {"reason": refusal}
        ) from None
