"""What a restored site must not do by itself: somebody is to look at it first.

A backup may be old, restored for practice on another machine, or made by somebody else.
"""

from django.contrib.sessions.models import Session

from tasks.events.workflow.webhooks import switch_off
from tasks.jobs.workflow.jobs import cancel
from tasks.models import UNFINISHED, Job, Webhook


def stop_what_would_act() -> None:
    """End all sessions, cancel unfinished jobs and switch webhooks off; all can be started again,
    each by somebody who signs in."""
    Session.objects.all().delete()
    for job in Job.objects.filter(state__in=UNFINISHED):
        cancel(job=job)
    for webhook in Webhook.objects.filter(is_active=True).select_related("campaign"):
        switch_off(webhook=webhook)
