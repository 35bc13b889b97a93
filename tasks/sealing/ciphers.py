"""The one cipher of the site, and the keys that it is given.

ChaCha20-Poly1305 (RFC 8439): what was changed, or sealed under another key or for another place,
is not read at all. Keys are derived by HKDF-SHA256 (RFC 5869), each for one purpose.
"""

import hashlib
from typing import Any, Final

KEY_BYTES: Final = 32
NAME_BYTES: Final = 8
NONCE_BYTES: Final = 12
TAG_BYTES: Final = 16


def key_name(key: bytes) -> str:
    """16 hexadecimal digits that say which key it is, and nothing of it."""
    return hashlib.sha256(key).digest()[:NAME_BYTES].hex() if key else ""


def derived_key(key: bytes, *, info: bytes, salt: bytes | None = None) -> bytes:
    """The key of one purpose, which `info` names, and of one file, if there is a salt."""
    # most processes never need it
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=salt, info=info).derive(key)


def cipher_of(key: bytes) -> Any:
    """What encrypts and decrypts with a derived key."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(key)


def opened_or_none(cipher: Any, nonce: bytes, sealed: bytes, associated: bytes) -> bytes | None:
    """None for what is not as it was sealed, with this key and these associated data."""
    from cryptography.exceptions import InvalidTag

    try:
        return bytes(cipher.decrypt(nonce, sealed, associated))
    except (InvalidTag, ValueError):
        return None
