"""Sites that judge passwords quickly, with the guard and without, and many guesses at once."""

import itertools
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
MORE_THAN_TEN = 12
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
_turns = itertools.count()


def quick_hashes() -> None:
    """The time that a real hash takes is not what is tested."""
    settings.PASSWORD_HASHERS = HASHERS


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
        body = {"csrfmiddlewaretoken": self.token, "username": username, "password": password}
        number = next(_turns)
        request = urllib.request.Request(  # noqa: S310 - our own
            self.address,
            urllib.parse.urlencode(body).encode(),
            {
                "Cookie": self.cookie,
                "X-Forwarded-For": f"203.0.{number // 250}.{number % 250}, 198.51.100.7",
                **headers,
            },
        )
        try:
            with _opener.open(request, timeout=120) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            error.close()
            return error.code


class _StayHere(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


_opener = urllib.request.build_opener(_StayHere)


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
