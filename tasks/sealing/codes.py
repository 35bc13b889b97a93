"""Recovery codes as hashes. They do not depend on the site's secret key: whoever has lost that
needs them."""

import hashlib
import secrets
from collections.abc import Iterable
from typing import Final, TypedDict

# a try takes about 50 ms: all codes that there can be, 2^40, some 1,700 years of a core
_COST: Final = {"n": 1 << 14, "r": 8, "p": 1, "dklen": 32}


class HashedCodes(TypedDict):
    """One salt for all codes of a person, and the digest of each."""

    salt: str
    digests: list[str]


def hashed(codes: Iterable[str]) -> HashedCodes:
    salt = secrets.token_hex(16)
    return {"salt": salt, "digests": [digest_of(code, salt) for code in codes]}


def digest_of(code: str, salt: str) -> str:
    """Slow on purpose (scrypt, RFC 7914): a code has 40 random bits."""
    return hashlib.scrypt(code.encode(), salt=bytes.fromhex(salt), **_COST).hex()
