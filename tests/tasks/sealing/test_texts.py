"""Sealed texts: read at their place with the right key, and nowhere else."""

from base64 import urlsafe_b64decode

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from tasks.sealing.texts import Unreadable, named_key, opened, place_of, present_head, seal

PLACE = place_of("tasks_webhook", "secret", 7)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=200)


@given(TEXTS)
def test_a_text_is_read_as_it_was(text: str) -> None:
    assert opened(seal(text, PLACE), PLACE) == text


def test_the_form_is_the_documented_one(settings: Settings) -> None:
    """Read with the primitives alone, as another program would."""
    settings.SECRET_KEY = "the site's own"
    version, name, content = seal("s3cret", PLACE).split(".")
    key = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"tomahto secrets 1").derive(
        b"the site's own"
    )
    stored = urlsafe_b64decode(content + "=" * (-len(content) % 4))
    associated = f"1.{name}.tasks_webhook.secret 7".encode()
    assert version == "1"
    assert ChaCha20Poly1305(key).decrypt(stored[:12], stored[12:], associated) == b"s3cret"


def test_nothing_of_the_text_is_seen_and_no_two_are_alike() -> None:
    first, second = seal("s3cret", PLACE), seal("s3cret", PLACE)
    assert first != second
    assert "s3cret" not in first


def test_no_secret_needs_no_seal() -> None:
    assert (seal("", PLACE), opened("", PLACE)) == ("", "")


@pytest.mark.parametrize(
    "place",
    [
        place_of("tasks_webhook", "secret", 8),
        place_of("tasks_webhook", "url", 7),
        place_of("tasks_alertchannels", "secret", 7),
    ],
)
def test_a_copy_at_another_place_is_not_read(place: str) -> None:
    with pytest.raises(Unreadable, match="is not what was sealed there"):
        opened(seal("s3cret", PLACE), place)


def test_every_changed_character_is_noticed() -> None:
    sealed = seal("s3cret", PLACE)
    # the last character of a base64 text may hold bits that say nothing
    for at, character in enumerate(sealed[:-1]):
        changed = sealed[:at] + ("A" if character != "A" else "B") + sealed[at + 1 :]
        with pytest.raises(Unreadable):
            opened(changed, PLACE)


@pytest.mark.parametrize("text", ["s3cret", "https://hooks.example/a.b", "2.0123456789abcdef.AAAA"])
def test_what_was_never_sealed_is_no_secret(text: str) -> None:
    """Who can write to the database alone can put no secret of theirs in."""
    with pytest.raises(Unreadable, match="is not sealed"):
        opened(text, PLACE)


@pytest.mark.parametrize("cut", ["", "AAAA", "AAAAAAAAAAAAAAAA", "A", "é"])
def test_a_text_that_is_cut_off_is_no_secret(cut: str) -> None:
    with pytest.raises(Unreadable):
        opened(present_head() + cut, PLACE)


def test_a_key_of_before_reads_and_seals_no_more(settings: Settings) -> None:
    settings.SECRET_KEY = "old"
    sealed = seal("s3cret", PLACE)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "new", ["older", "old"]
    assert opened(sealed, PLACE) == "s3cret"
    assert not sealed.startswith(present_head())
    anew = seal("s3cret", PLACE)
    settings.SECRET_KEY_FALLBACKS = []
    assert opened(anew, PLACE) == "s3cret"
    with pytest.raises(Unreadable, match=f"with the key {named_key(sealed)}, which this site does"):
        opened(sealed, PLACE)
