"""The second factor as the database holds it: nothing that alone would be a code.

django-otp knows apps and recovery codes with what they are checked with in the clear. These are
its own devices with another place for that: an app's key is sealed, recovery codes are hashes. The
column `key` of the parent holds random digits that no app knows.
"""

from django.db import models
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from tasks.models.sealed.field import SealedField, are_readable, opened_text
from tasks.sealing.codes import digest_of


class AuthenticatorApp(TOTPDevice):  # type: ignore[misc]  # untyped
    """An app whose codes a login asks for, or, until it is confirmed, one that is being set up."""

    sealed_key = SealedField(blank=True)

    class Meta:
        verbose_name = "authenticator app"

    @property
    def is_readable(self) -> bool:
        """Whether codes can be checked: not after the site has lost the key to this one."""
        return bool(self.sealed_key) and are_readable(self)

    @property
    def bin_key(self) -> bytes:
        """What the app knows as well. Raises ValueError where it cannot be read any more."""
        key = opened_text(self, "sealed_key")
        if not key:
            raise ValueError("the key of this app cannot be read any more")
        return bytes.fromhex(key)

    def verify_token(self, token: str) -> bool:
        return self.is_readable and bool(super().verify_token(token))


class RecoveryCodes(StaticDevice):  # type: ignore[misc]  # untyped
    """Codes that stand in for the app once each. They do not depend on the site's secret key."""

    salt = models.CharField(max_length=32)
    digests = models.JSONField(default=list)

    class Meta:
        verbose_name = verbose_name_plural = "recovery codes"

    def verify_token(self, token: str) -> bool:
        """Whether it is one of the codes, which then is none any more."""
        is_allowed, _reason = self.verify_is_allowed()
        if not is_allowed:
            return False
        digest = digest_of(token, self.salt)
        if digest not in self.digests:
            self.throttle_increment()
            return False
        self.digests = [each for each in self.digests if each != digest]
        self.throttle_reset(commit=False)
        self.set_last_used_timestamp(commit=False)
        self.save()
        return True
