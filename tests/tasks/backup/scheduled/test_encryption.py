"""Streams that only the holder of a key reads, and nobody changes or cuts unseen."""

import io

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tasks.backup.errors import BackupError
from tasks.backup.scheduled import encryption
from tasks.backup.scheduled.encryption import DecryptingReader, EncryptingWriter
from tasks.sealing.ciphers import key_name

KEY, OTHER = bytes(range(32)), bytes(32)
NAME = "630dcd2966c43366"  # sha256sum of the 32 bytes above, its first 16 digits


def encrypted(content: bytes, key: bytes = KEY) -> bytes:
    target = io.BytesIO()
    writer = EncryptingWriter(target, key)
    for start in range(0, len(content), 7):
        writer.write(content[start : start + 7])
    writer.finish()
    return target.getvalue()


def decrypted(content: bytes, key: bytes = KEY) -> bytes:
    return io.BufferedReader(DecryptingReader(io.BytesIO(content), key), 5).read()


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encryption, "_CHUNK", 10)


@pytest.mark.parametrize("length", [0, 1, 9, 10, 11, 20, 21, 105])
def test_what_was_written_is_read(length: int) -> None:
    content = bytes(each % 251 for each in range(length))
    assert decrypted(encrypted(content)) == content
    # a single byte may be among the random ones
    assert content[:5] not in encrypted(content) or length < 5


def test_format_is_as_it_is_described() -> None:
    """Read with the library alone, as somebody without this software would."""
    sealed = encrypted(b"0123456789abc")
    assert sealed.startswith(b"TOMAHTO-ENCRYPTED-1\n" + bytes.fromhex(NAME))
    header, body = sealed[:44], sealed[44:]
    derived = HKDF(algorithm=SHA256(), length=32, salt=header[28:], info=b"tomahto backup 1")
    cipher = ChaCha20Poly1305(derived.derive(KEY))
    assert cipher.decrypt(bytes(12), body[:26], header) == b"0123456789"
    assert cipher.decrypt(bytes(10) + b"\x01\x01", body[26:], header) == b"abc"


def test_two_files_of_the_same_content_have_nothing_in_common() -> None:
    assert encrypted(b"the same")[28:] != encrypted(b"the same")[28:]


def test_file_cut_at_any_byte_is_refused() -> None:
    whole = encrypted(bytes(35))
    for length in range(len(whole)):
        with pytest.raises(BackupError, match=r"cut off|damaged"):
            decrypted(whole[:length])


def test_file_with_any_byte_changed_is_refused() -> None:
    whole = encrypted(bytes(35))
    for place in range(len(whole)):
        with pytest.raises(BackupError):
            decrypted(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])


def test_chunks_that_changed_places_are_refused() -> None:
    whole = encrypted(bytes(35))
    header, first, second, rest = whole[:44], whole[44:70], whole[70:96], whole[96:]
    with pytest.raises(BackupError, match="damaged"):
        decrypted(header + second + first + rest)
    with pytest.raises(BackupError, match="damaged"):
        decrypted(whole + rest)


def test_key_is_named_where_another_one_is_needed() -> None:
    assert key_name(KEY) == NAME
    assert key_name(b"") == ""
    with pytest.raises(BackupError, match=f"encrypted with the key {NAME}; that of TOMAHTO_"):
        decrypted(encrypted(b"x"), OTHER)
    with pytest.raises(BackupError, match=f"set TOMAHTO_BACKUP_KEY to the key {NAME}"):
        decrypted(encrypted(b"x"), b"")
