"""The site with leases by the clock of its own process, as other tools have them.

Only for the test that shows that the test of wrong clocks notices.
"""

from django.db.models import DateTimeField, Value
from django.utils import timezone

from annotation_site.wsgi import application
from tasks.rating.workflow import assignment

__all__ = ["application"]


def own_now() -> Value:
    return Value(timezone.now(), output_field=DateTimeField())


for name, own in [("Now", own_now), ("_claim_on_postgres", assignment._claim_on_sqlite)]:
    setattr(assignment, name, own)
