"""Secrets as the database holds them: sealed, each for the one place where it stands.

The form `1.KEY.CONTENT`: a version, 16 hexadecimal digits that say which key it is, and 12 random
bytes of nonce with the sealed text in UTF-8 behind them, in base64url without padding. The key is
derived from the site's secret key with `tomahto secrets 1` as info. Associated data are version,
key and place, so that a value that is copied to another row or column cannot be read there.
"""

import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from functools import lru_cache
from typing import Final

from django.conf import settings

from tasks.sealing.ciphers import NONCE_BYTES, cipher_of, derived_key, key_name, opened_or_none

VERSION: Final = "1"
_INFO: Final = b"tomahto secrets 1"
_FORM: Final = re.compile(rf"{VERSION}\.([0-9a-f]{{16}})\.")


class Unreadable(Exception):
    """The site has no key for it, or it is not what was sealed for this place."""


def place_of(table: str, column: str, key: object) -> str:
    """What names the one place of a secret: its table, column and row."""
    return f"{table}.{column} {key}"


def seal(text: str, place: str) -> str:
    """The text as only this site reads it, and only at this place. Nothing stays nothing."""
    if not text:
        return ""
    key = _derived(settings.SECRET_KEY)
    head = _head(key_name(key))
    nonce = secrets.token_bytes(NONCE_BYTES)
    sealed = cipher_of(key).encrypt(nonce, text.encode(), _associated(head, place))
    return head + urlsafe_b64encode(nonce + sealed).decode().rstrip("=")


def opened(sealed: str, place: str) -> str:
    """The text that was sealed for this place. Raises Unreadable."""
    if not sealed:
        return ""
    if (name := named_key(sealed)) is None:
        raise Unreadable(f"{place} is not sealed")
    if (key := _keys().get(name)) is None:
        raise Unreadable(f"{place} is sealed with the key {name}, which this site does not have")
    head = _head(name)
    content = _bytes(sealed.removeprefix(head))
    found = opened_or_none(
        cipher_of(key), content[:NONCE_BYTES], content[NONCE_BYTES:], _associated(head, place)
    )
    if found is None:
        raise Unreadable(f"{place} is not what was sealed there")
    return found.decode()


def present_head() -> str:
    """What everything begins with that is sealed with the present key."""
    return _head(key_name(_derived(settings.SECRET_KEY)))


def named_key(sealed: str) -> str | None:
    """Which key it is sealed with; None for what is not sealed at all."""
    found = _FORM.match(sealed)
    return found[1] if found else None


def _keys() -> dict[str, bytes]:
    """The present key and those of before, by their names."""
    derived = map(_derived, [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS])
    return {key_name(key): key for key in derived}


@lru_cache(maxsize=16)
def _derived(secret_key: str) -> bytes:
    return derived_key(secret_key.encode(), info=_INFO)


def _head(name: str) -> str:
    return f"{VERSION}.{name}."


def _associated(head: str, place: str) -> bytes:
    return f"{head}{place}".encode()


def _bytes(text: str) -> bytes:
    """Nothing, which nobody can have sealed, for what is no base64."""
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (Error, ValueError):
        return b""
