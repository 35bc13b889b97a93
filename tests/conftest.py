"""Settings of every test: fast password hashes, no model hub, no deadlines."""

import os

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from pytest_django import Settings

os.environ.setdefault("HF_HUB_OFFLINE", "1")

# A busy machine may pause any example: a deadline would test the machine, not the code.
hypothesis_settings.register_profile(
    "tomahto", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("tomahto")


@pytest.fixture(autouse=True)
def _fast_passwords(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
