"""Signed participants: a crowd service, or a server between, vouches for who comes by a link.

The key of a link is made from the site's secret key and the link, so it is stored nowhere.
"""

import hashlib
import hmac

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from tasks.models import Invitation


def signing_key(invitation: Invitation, secret: str | None = None) -> str:
    """What the service signs with, 64 hexadecimal digits: made from the site's secret key, or from
    `secret`, one of before."""
    named = f"{invitation.pk} {invitation.digest}"
    return salted_hmac("crowd link", named, secret=secret, algorithm="sha256").hexdigest()


def signature_of(key: str, participant: str) -> str:
    """HMAC-SHA256 (RFC 2104) of the participant in UTF-8 under the key as it is written, in
    hexadecimal digits."""
    return hmac.new(key.encode(), participant.encode(), hashlib.sha256).hexdigest()


def is_vouched_for(invitation: Invitation, participant: str, signature: str) -> bool:
    """Always where the link asks for no signature. Keys of before are good as long as the site is
    told of them."""
    if not invitation.is_signed:
        return True
    keys = [signing_key(invitation, each) for each in (None, *settings.SECRET_KEY_FALLBACKS)]
    given = signature.lower()
    return any(constant_time_compare(signature_of(key, participant), given) for key in keys)
