"""The tables: fields, constraints and small properties. Rules of work live in `workflow`."""

from tasks.models.audit import ActorKind, AuditEntry
from tasks.models.audit_action import AuditAction
from tasks.models.campaign import (
    Campaign,
    CampaignState,
    ConsentText,
    ExactAnswers,
    Guideline,
    ItemOrder,
    SuggestionPolicy,
)
from tasks.models.candidate import Candidate, System
from tasks.models.entry import CrowdVisit, Invitation, InvitationKind
from tasks.models.explorer import (
    ActedItem,
    ActKind,
    BulkAct,
    ItemHandling,
    ItemScore,
    ItemState,
    ItemSummary,
    ItemTag,
    SavedView,
    StaleItem,
    Tag,
)
from tasks.models.generated import GeneratedKind, GeneratedState, GeneratedText
from tasks.models.item import Document, Item, ItemPurpose, ItemSystem, Question
from tasks.models.login_attempts import LoginAttempts
from tasks.models.narrowing import Narrowing
from tasks.models.people import ApiToken, Membership, MessageMails, Role, Scope, User
from tasks.models.ratings.adjudication import Adjudication, FirstLook, LeftItem, SeenVotes
from tasks.models.ratings.assignment import Assignment, AssignmentState, Draft, Slot
from tasks.models.ratings.flag import Flag
from tasks.models.ratings.rating import Outcome, Rating, SuggestionArm
from tasks.models.ratings.set_aside import MAX_SET_ASIDE_REASON, RatingSetAside, SetAside
from tasks.models.ratings.suggestion_view import SuggestionView
from tasks.models.ratings.training import (
    CalibrationAnswer,
    CalibrationAttempt,
    Consent,
    ExpectedAnswer,
)
from tasks.models.results.alert import Alert, AlertChannels, AlertKind, AlertRule
from tasks.models.results.assessment import Assessment, Figures, Look, NarrowedFigures
from tasks.models.results.datasheet import DatasheetAnswer
from tasks.models.results.evaluation import Evaluation
from tasks.models.results.release import Release, Withdrawal
from tasks.models.results.submission import (
    Leaderboard,
    Submission,
    SubmissionScore,
    SubmissionWithdrawal,
)
from tasks.models.running.job import MAX_REASON, UNFINISHED, Job, JobFailure, JobKind, JobState
from tasks.models.running.trained_matcher import TrainedMatcher, TrainedMatcherKind
from tasks.models.running.webhook import CHOSEN_KINDS, Channel, Delivery, Event, EventKind, Webhook
from tasks.models.running.worker import BEAT, SILENT_AFTER, SchedulerTick, Worker
from tasks.models.suggestion import Suggestion
from tasks.models.talk import (
    MAX_MESSAGE,
    Message,
    MessageKind,
    Notice,
    OpenedAnswer,
    SharedAnswer,
    Thread,
)

__all__ = [
    "BEAT",
    "CHOSEN_KINDS",
    "MAX_MESSAGE",
    "MAX_REASON",
    "MAX_SET_ASIDE_REASON",
    "SILENT_AFTER",
    "UNFINISHED",
    "ActKind",
    "ActedItem",
    "ActorKind",
    "Adjudication",
    "Alert",
    "AlertChannels",
    "AlertKind",
    "AlertRule",
    "ApiToken",
    "Assessment",
    "Assignment",
    "AssignmentState",
    "AuditAction",
    "AuditEntry",
    "BulkAct",
    "CalibrationAnswer",
    "CalibrationAttempt",
    "Campaign",
    "CampaignState",
    "Candidate",
    "Channel",
    "Consent",
    "ConsentText",
    "CrowdVisit",
    "DatasheetAnswer",
    "Delivery",
    "Document",
    "Draft",
    "Evaluation",
    "Event",
    "EventKind",
    "ExactAnswers",
    "ExpectedAnswer",
    "Figures",
    "FirstLook",
    "Flag",
    "GeneratedKind",
    "GeneratedState",
    "GeneratedText",
    "Guideline",
    "Invitation",
    "InvitationKind",
    "Item",
    "ItemHandling",
    "ItemOrder",
    "ItemPurpose",
    "ItemScore",
    "ItemState",
    "ItemSummary",
    "ItemSystem",
    "ItemTag",
    "Job",
    "JobFailure",
    "JobKind",
    "JobState",
    "Leaderboard",
    "LeftItem",
    "LoginAttempts",
    "Look",
    "Membership",
    "Message",
    "MessageKind",
    "MessageMails",
    "NarrowedFigures",
    "Narrowing",
    "Notice",
    "OpenedAnswer",
    "Outcome",
    "Question",
    "Rating",
    "RatingSetAside",
    "Release",
    "Role",
    "SavedView",
    "SchedulerTick",
    "Scope",
    "SeenVotes",
    "SetAside",
    "SharedAnswer",
    "Slot",
    "StaleItem",
    "Submission",
    "SubmissionScore",
    "SubmissionWithdrawal",
    "Suggestion",
    "SuggestionArm",
    "SuggestionPolicy",
    "SuggestionView",
    "System",
    "Tag",
    "Thread",
    "TrainedMatcher",
    "TrainedMatcherKind",
    "User",
    "Webhook",
    "Withdrawal",
    "Worker",
]
