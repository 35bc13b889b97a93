"""What workers do beside jobs: take a backup when one is due."""

from celery import shared_task

from tasks.backup.scheduled.workflow import back_up_if_due


@shared_task(name="tasks.back_up", expires=600)
def back_up() -> None:
    """Take a backup, if the last one is old enough and no other process is at it."""
    back_up_if_due()
