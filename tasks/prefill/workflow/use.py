"""Make a trained matcher the campaign's own."""

from django.db import transaction

from tasks.campaigns.workflow.campaign import change_settings
from tasks.jobs.workflow.starting import start_job
from tasks.models import Campaign, Job, JobKind, Membership


@transaction.atomic
def use_matcher(*, campaign: Campaign, name: str, by: Membership) -> Job:
    """Show the suggestions of a trained matcher, and let it score what it has not scored."""
    change_settings(campaign=campaign, changes={"suggestion_matcher": name})
    return start_job(
        campaign=campaign, kind=JobKind.SUGGEST, parameters={"name": name}, created_by=by.user
    )
