"""Signatures of participants are those that any program makes."""

import subprocess

from pytest_django import Settings

from tasks.people.workflow.invitations import invite
from tasks.people.workflow.signatures import is_vouched_for, signature_of, signing_key
from tests.factories import make_campaign


def test_signature_is_that_of_openssl() -> None:
    key = "0123456789abcdef" * 4
    done = subprocess.run(
        ["openssl", "dgst", "-sha256", "-hmac", key],
        input="5f1é".encode(),
        capture_output=True,
        check=True,
    )
    assert signature_of(key, "5f1é") == done.stdout.decode().split()[-1]


def test_link_takes_signatures_of_the_key_before_as_long_as_it_is_named(
    db: None, settings: Settings
) -> None:
    link, _secret = invite(campaign=make_campaign(), kind="crowd", is_signed=True)
    signature = signature_of(signing_key(link), "5f1e")
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another " * 8
    assert not is_vouched_for(link, "5f1e", signature)
    settings.SECRET_KEY_FALLBACKS = [old]
    assert is_vouched_for(link, "5f1e", signature)
    assert not is_vouched_for(link, "5f1f", signature)
    assert is_vouched_for(link, "5f1e", signature_of(signing_key(link), "5f1e"))
