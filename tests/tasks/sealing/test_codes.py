"""Recovery codes as hashes."""

import hashlib

from tasks.sealing.codes import digest_of, hashed


def test_a_digest_is_scrypt_of_the_code() -> None:
    expected = hashlib.scrypt(b"abcd2345", salt=bytes(16), n=16384, r=8, p=1, dklen=32).hex()
    assert digest_of("abcd2345", "00" * 16) == expected


def test_every_set_has_a_salt_of_its_own() -> None:
    first, second = hashed(["abcd2345"]), hashed(["abcd2345"])
    assert first["salt"] != second["salt"]
    assert first["digests"] == [digest_of("abcd2345", first["salt"])]
    assert first["digests"] != second["digests"]
