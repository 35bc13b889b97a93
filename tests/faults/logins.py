"""Sites that judge passwords quickly, with the guard and without, and many guesses at once."""

import itertools
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings

from tests.site import Site

HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
PEOPLE = """
from django.conf import settings
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
from tasks.models import ApiToken
from tests.factories import make_campaign, make_member, make_user
make_user("pine")
make_user("oak")
print(ApiToken.issue(make_member(make_campaign("rapids")).user))
"""
# a second factor, and browsers known to its owner that have all got past the password
CODES = """
import json, time
from django.contrib.sessions.backends.db import SessionStore
from django.core import signing
from tasks.access.workflow.two_factor import begin, new_recovery_codes
from tasks.models import AuthenticatorApp
from tests.factories import make_user
user = make_user("birch")
begin(user=user)
AuthenticatorApp.objects.update(confirmed=True)
new_recovery_codes(user=user)
found = []
for number in range(64):
    session = SessionStore()
    session["pending_login"] = {"user": user.pk, "since": time.time()}
    session.save()
    known = signing.dumps([user.pk, f"browser {number}"], salt="known device")
    found.append(f"sessionid={session.session_key}; known_device={known}")
print(json.dumps(found))
"""
MORE_THAN_TEN = 12
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
_turns = itertools.count()


def quick_hashes() -> None:
    """The time that a real hash takes is not what is tested."""
    settings.PASSWORD_HASHERS = HASHERS


def no_waits_between_codes() -> None:
    """The pauses that django-otp makes for each device would let one code through and hide what
    is tested."""
    settings.OTP_TOTP_THROTTLE_FACTOR = settings.OTP_STATIC_THROTTLE_FACTOR = 0


class Login:
    """The login page, fetched once: its form may be sent any number of times."""

    def __init__(self, site: Site) -> None:
        self.address = f"{site.address}/login/"
        with urllib.request.urlopen(self.address, timeout=60) as page:  # noqa: S310 - our own
            self.cookie = page.headers["Set-Cookie"].partition(";")[0]
            found = _TOKEN.search(page.read().decode())
        assert found is not None
        self.token = found[1]

    def attempt(self, username: str, password: str, **headers: str) -> int:
        """The status: 200 for a wrong password, 302 for the right one, 429 if it was not tried."""
        body = {"username": username, "password": password}
        return self._send(self.address, body, self.cookie, headers)

    def enter(self, browser: str, code: str) -> int:
        """What becomes of a code in a browser, given as its cookies: 422 for a wrong one."""
        cookies = f"{self.cookie}; {browser}"
        return self._send(f"{self.address}code/", {"code": code}, cookies, {})

    def _send(self, to: str, body: dict[str, str], cookies: str, headers: dict[str, str]) -> int:
        body = {"csrfmiddlewaretoken": self.token, **body}
        number = next(_turns)
        request = urllib.request.Request(  # noqa: S310 - our own
            to,
            urllib.parse.urlencode(body).encode(),
            {
                "Cookie": cookies,
                "X-Forwarded-For": f"203.0.{number // 250}.{number % 250}, 198.51.100.7",
                **headers,
            },
        )
        try:
            with stays_here.open(request, timeout=120) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            error.close()
            return error.code


class _StayHere(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


stays_here = urllib.request.build_opener(_StayHere)


def guess(site: Site, attempts: int, *, names: tuple[str, ...] = ("pine",)) -> Counter[int]:
    """So many wrong passwords at once, each from another address as its header says."""
    login = Login(site)
    with ThreadPoolExecutor(32) as pool:
        return Counter(
            pool.map(
                lambda number: login.attempt(names[number % len(names)], f"wrong-{number}"),
                range(attempts),
            )
        )


def guess_codes(site: Site, attempts: int) -> Counter[int]:
    """So many wrong codes at once, each in a browser of its own: codes of an app, and in turn with
    them recovery codes."""
    browsers = json.loads(site.python(CODES))[:attempts]
    login = Login(site)
    with ThreadPoolExecutor(64) as pool:
        codes = itertools.cycle(("123456", "wrong-one"))
        return Counter(pool.map(login.enter, browsers, codes))
