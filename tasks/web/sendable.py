"""Addresses that people give for the site to send to."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from tomahto.outgoing.destination import read_destination
from tomahto.outgoing.errors import DestinationRefused


class SendableURLField(forms.URLField):
    """An address that the site's own client would send to."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=500, assume_scheme="https", **kwargs)

    def run_validators(self, value: Any) -> None:
        """One after the other, so that there is one error."""
        super().run_validators(value)
        if value:
            require_sendable(value)


def require_sendable(url: str) -> None:
    """Raises ValidationError for an address that the site's own client would not send to."""
    try:
        read_destination(url)
    except DestinationRefused as refusal:
        raise ValidationError(
            _("No request can be sent to this address: %(reason)s") % {"reason": refusal}
        ) from None
