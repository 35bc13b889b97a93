"""What workers do beside jobs: send invitations, remove deleted campaigns and ended sessions."""

from importlib import import_module

from celery import shared_task
from django.conf import settings

from tasks.access.workflow.sessions import forget_ended_sessions
from tasks.campaigns.workflow.removal import remove_due
from tasks.people.workflow.invitation_mails import SEND_INVITATIONS, send_due


@shared_task(name=SEND_INVITATIONS, expires=60)
def send_invitations() -> None:
    """Send the mails that wait, and try again what failed for the time being."""
    send_due()


@shared_task(name="tasks.remove_deleted", expires=3600)
def remove_deleted() -> None:
    """Remove campaigns that were deleted long enough ago."""
    remove_due()


@shared_task(name="tasks.forget_sessions", expires=3600)
def forget_sessions() -> None:
    """Remove sessions that have come to their limits, and the data of those that have expired."""
    forget_ended_sessions()
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
