"""The site with its guard removed: no submission is known again, as if it had no key.

Only for the test that shows that the tests of replays notice.
"""

import uuid
from typing import Any

from annotation_site.wsgi import application
from tasks.rating.api import rating as calls
from tasks.rating.workflow.rating import StoredRating, submit_rating

__all__ = ["application"]


def submit_anew(*, idempotency_key: str, **given: Any) -> StoredRating:
    return submit_rating(idempotency_key=f"{idempotency_key} {uuid.uuid4()}", **given)


setattr(calls, "submit_rating", submit_anew)  # noqa: B010 - mypy forbids to assign to a function
