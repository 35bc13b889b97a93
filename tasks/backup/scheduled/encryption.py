"""A stream of bytes that only the holder of a key can read, and nobody can change or cut unseen.

The format `TOMAHTO-ENCRYPTED-1`: that name and a line feed, 8 bytes that say which key it is (the
beginning of its SHA-256), 16 random bytes, then chunks. The key of a file is made of the site's
key by HKDF-SHA256 with these 16 bytes as salt and `tomahto backup 1` as info. A chunk is a MiB,
the last one as much as is left, sealed by ChaCha20-Poly1305 (RFC 8439) with everything before the
chunks as associated data; its nonce is the number of the chunk, from 0, in 11 bytes, the most
significant first, and one that is 1 for the last chunk, else 0 (the construction STREAM of Hoang
et al., 2015). So a file that lacks its end has no last chunk, and none can change its place.
"""

import io
import secrets
from typing import IO, Any, Final

from tasks.backup.errors import BackupError
from tasks.sealing.ciphers import (
    NAME_BYTES,
    TAG_BYTES,
    cipher_of,
    derived_key,
    key_name,
    opened_or_none,
)

MAGIC: Final = b"TOMAHTO-ENCRYPTED-1\n"
_SALT_BYTES = 16
_HEADER = len(MAGIC) + NAME_BYTES + _SALT_BYTES
_CHUNK = 1 << 20


class EncryptingWriter(io.RawIOBase):
    """Writes what it is given to `target`, encrypted. Whole only once it is closed."""

    def __init__(self, target: IO[bytes], key: bytes) -> None:
        self._target, self._number, self._waiting = target, 0, bytearray()
        salt = secrets.token_bytes(_SALT_BYTES)
        self._header = MAGIC + bytes.fromhex(key_name(key)) + salt
        self._cipher = _cipher(key, salt)
        target.write(self._header)

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        self._waiting += content
        while len(self._waiting) > _CHUNK:  # the last chunk is known only at the end
            self._seal(bytes(self._waiting[:_CHUNK]), is_last=False)
            del self._waiting[:_CHUNK]
        return len(content)

    def finish(self) -> None:
        """Write the last chunk; without it nobody can read the file to its end."""
        self._seal(bytes(self._waiting), is_last=True)
        self._waiting.clear()

    def _seal(self, chunk: bytes, *, is_last: bool) -> None:
        nonce = _nonce(self._number, is_last=is_last)
        self._target.write(self._cipher.encrypt(nonce, chunk, self._header))
        self._number += 1


class DecryptingReader(io.RawIOBase):
    """Reads what an EncryptingWriter wrote; never a byte that is not as it was.

    Raises BackupError for another key, and where anything was changed or is missing.
    """

    def __init__(self, source: IO[bytes], key: bytes) -> None:
        self._source, self._number, self._left, self._is_over = source, 0, b"", False
        self._header = source.read(_HEADER)
        if len(self._header) < _HEADER or not self._header.startswith(MAGIC):
            raise BackupError("the backup is cut off, or not encrypted as this software does it")
        named = self._header[len(MAGIC) :][:NAME_BYTES].hex()
        if not key:
            raise BackupError(f"the backup is encrypted: set TOMAHTO_BACKUP_KEY to the key {named}")
        if named != key_name(key):
            raise BackupError(
                f"the backup is encrypted with the key {named}; that of TOMAHTO_BACKUP_KEY is "
                f"{key_name(key)}"
            )
        self._cipher = _cipher(key, self._header[-_SALT_BYTES:])
        self._ahead = source.read(_CHUNK + TAG_BYTES)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._left and not self._is_over:
            self._left = self._opened()
        taken = self._left[: len(buffer)]
        buffer[: len(taken)] = taken
        self._left = self._left[len(taken) :]
        return len(taken)

    def _opened(self) -> bytes:
        sealed, self._ahead = self._ahead, self._source.read(_CHUNK + TAG_BYTES)
        self._is_over = not self._ahead
        nonce = _nonce(self._number, is_last=self._is_over)
        self._number += 1
        found = opened_or_none(self._cipher, nonce, sealed, self._header)
        if found is None:
            raise BackupError("the backup is damaged, or its end is missing")
        return found


def _nonce(number: int, *, is_last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([is_last])


def _cipher(key: bytes, salt: bytes) -> Any:
    return cipher_of(derived_key(key, salt=salt, info=b"tomahto backup 1"))
