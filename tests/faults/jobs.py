"""Looking at the job table of a site from outside."""

import json
from typing import Any

from tests.site import Site

_AWAIT = """
import json, time
from tasks.models import Job

deadline = time.monotonic() + {seconds}
wanted = Job.objects.filter(**{fields!r}).order_by("-id")
while not (job := wanted.first()) and time.monotonic() < deadline:
    time.sleep(0.05)
if job is None:
    raise SystemExit(f"no such job: {{list(Job.objects.values())}}")
print(json.dumps({{
    "state": job.state, "attempts": job.attempts, "fence": job.fence,
    "done": job.done, "total": job.total, "result": job.result,
    "lease_until": job.lease_until and job.lease_until.isoformat(),
}}))
"""

_SUGGESTIONS = """
import json
from tasks.models import Suggestion
found = Suggestion.objects.order_by("matcher", "item__key")
print(json.dumps(list(found.values_list("matcher", "item__key", "score", "is_correct"))))
"""


def await_job(site: Site, *, seconds: float = 40, **fields: Any) -> dict[str, Any]:
    """The newest job with these values (names as in a filter), as soon as there is one."""
    found: dict[str, Any] = json.loads(site.python(_AWAIT.format(seconds=seconds, fields=fields)))
    return found


def stored_suggestions(site: Site) -> list[tuple[str, str, float, bool]]:
    """Matcher, item, score and decision, ordered by matcher and item."""
    return [tuple(row) for row in json.loads(site.python(_SUGGESTIONS))]
