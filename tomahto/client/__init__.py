"""A client of the API of Tomahto, with the standard library alone."""

from tomahto.client.client import Campaign, Client
from tomahto.client.connection import Damaged, JobEnded, Refused, Unanswered

__all__ = ["Campaign", "Client", "Damaged", "JobEnded", "Refused", "Unanswered"]
