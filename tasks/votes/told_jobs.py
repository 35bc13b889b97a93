"""Jobs as somebody may know them: why one failed can tell how items were judged."""

from django.utils.translation import gettext as _

from tasks.models import Job, JobKind, Membership
from tasks.votes.blindness import leaves_out_votes

_OF_VOTES = (JobKind.TRAIN, JobKind.EVALUATE, JobKind.RELEASE, JobKind.PREVIEW)


def told_jobs(jobs: list[Job], reader: Membership) -> list[Job]:
    """The jobs, without the errors of those that count votes while the reader may still rate items
    that have any."""
    telling = [job for job in jobs if job.error and job.kind in _OF_VOTES]
    if telling and leaves_out_votes(reader):
        for job in telling:
            job.error = _("Failed. The reason is shown to those who have asked for all votes.")
    return jobs
