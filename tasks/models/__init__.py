"""The tables: fields, constraints and small properties. Rules of work live in `workflow`."""

from tasks.models.assignment import Assignment, AssignmentState, Draft, Slot
from tasks.models.campaign import Campaign, CampaignState, Guideline, SuggestionPolicy
from tasks.models.candidate import Candidate, System
from tasks.models.item import Document, Item, ItemSystem, Question
from tasks.models.job import UNFINISHED, Job, JobKind, JobState
from tasks.models.people import ApiToken, Membership, Role, User
from tasks.models.rating import Outcome, Rating, SuggestionArm
from tasks.models.release import Release
from tasks.models.suggestion import Suggestion

__all__ = [
    "UNFINISHED",
    "ApiToken",
    "Assignment",
    "AssignmentState",
    "Campaign",
    "CampaignState",
    "Candidate",
    "Document",
    "Draft",
    "Guideline",
    "Item",
    "ItemSystem",
    "Job",
    "JobKind",
    "JobState",
    "Membership",
    "Outcome",
    "Question",
    "Rating",
    "Release",
    "Role",
    "Slot",
    "Suggestion",
    "SuggestionArm",
    "SuggestionPolicy",
    "System",
    "User",
]
