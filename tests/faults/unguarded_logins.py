"""The site with its guard removed: it is looked whether a try is left, and counted afterwards.

Only for the test that shows that the test of guesses notices. Everybody looks before anybody's
guess is judged, as happens where hashes take their time.
"""

from collections.abc import Sequence
from threading import Barrier

from django.db.models.functions import Now

from annotation_site.wsgi import application
from tasks.access.guards import logins as login_guard
from tasks.access.workflow import TriedTooOften, Tries
from tasks.models import LoginAttempts
from tests.faults.logins import MORE_THAN_TEN, quick_hashes

__all__ = ["application"]

_everybody_looked = Barrier(MORE_THAN_TEN, timeout=120)


def look_then_count(*, tries: Sequence[Tries]) -> None:
    for each in tries:
        if LoginAttempts.objects.filter(subject=each.subject, tried__gte=each.most).exists():
            raise TriedTooOften(900)
    _everybody_looked.wait()
    for each in tries:
        begun = {"tried": 0, "counted_from": Now()}
        counted, _is_new = LoginAttempts.objects.get_or_create(subject=each.subject, defaults=begun)
        LoginAttempts.objects.filter(pk=counted.pk).update(tried=counted.tried + 1)


quick_hashes()
login_guard.take = look_then_count  # type: ignore[attr-defined]  # what it imports
