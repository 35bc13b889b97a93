"""The agreement of a campaign: the one report that page, command, API and release share."""

from tasks.models import Campaign
from tasks.votes.patterns import votes_of
from tomahto.reliability.report import AgreementReport, agreement_report


def agreement_of(campaign: Campaign) -> AgreementReport:
    """Over every item with counted ratings, finished or not; the seed is the campaign's."""
    votes = votes_of(campaign)
    return agreement_report(campaign.protocol, votes.patterns, votes.pairs, seed=campaign.seed)
