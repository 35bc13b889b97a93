"""Bodies and answers of the API: the fields of every body, as its schema names them.

A test of the site keeps them as they are there. Long documents, such as the report of agreement,
are plain JSON objects.
"""

from typing import Any, Literal, NotRequired, TypedDict

Json = dict[str, Any]


class Choice(TypedDict):
    value: str
    title: str
    meaning: str
    when: dict[str, str]


class Question(TypedDict):
    """`when`: asked only after exactly these answers."""

    key: str
    text: str
    note: str
    multiple: bool
    when: dict[str, str]
    choices: list[Choice]


class Wording(TypedDict):
    """The form in another language: `texts` has its words by those of the form."""

    name: str
    language: str
    texts: dict[str, str]


class Form(TypedDict):
    protocol: str
    guideline_version: int | None
    wordings: list[Wording]
    questions: list[Question]


class ItemToRate(TypedDict):
    id: str
    question: str
    context: str
    references: list[str]
    candidate: str


class Suggestion(TypedDict):
    matcher: str
    score: float
    is_correct: bool


class Claim(TypedDict):
    """A claimed item; its key makes it harmless to submit its rating twice."""

    assignment: int
    idempotency_key: str
    expires_at: str
    item: ItemToRate
    form: Form
    suggestion: NotRequired[Suggestion | None]


class SubmissionDetails(TypedDict, total=False):
    """Parts of a submission beside the answers. `seconds` is the active time; `wording` names the
    words the rater was asked in, if they are one of the form's `wordings`."""

    comment: str
    wording: str
    seconds: float | None
    guideline_version: int | None


class SeenRemarks(TypedDict):
    """Texts that the rater typed beside the answers."""

    comment: str


class Submission(SubmissionDetails):
    answers: NotRequired[Json]


class Rating(TypedDict):
    rating: int
    assignment: int
    label: str
    counted: bool
    supersedes: int | None
    suggestion: Suggestion | None


class SuggestionView(TypedDict):
    """A suggestion that the rater saw, with the item or after the answer."""

    matcher: str
    version: str
    score: float
    is_correct: bool
    shown_at: str | None
    closed_at: str | None
    ending: Literal["closed", "left-open", "never-closed"]
    seconds: float | None


class ItemFilters(TypedDict, total=False):
    """The filters and the order of a list of items; docs/explorer.md says what each finds."""

    q: str
    key: str
    document: str
    system: str
    question_type: str
    split: str
    purpose: str
    state: str
    tag: str
    assigned: str
    unfinished: str
    flagged: str
    label: str
    vote: str
    rater: str
    guideline: int
    disputed: str
    matcher: str
    score_min: float
    score_max: float
    accepted: str
    differs: str
    order: str


class ListedVote(TypedDict):
    rater: str
    label: str
    counted: bool


class ListedScore(TypedDict):
    score: float
    accepted: bool


class ListedItem(TypedDict):
    """An item without its passage. `number` is what its address has, `id` what files call it.

    `withheld` says why votes and what follows from them are not shown.
    """

    number: int
    id: str
    document: str
    question_id: str
    question: str
    question_type: str
    split: str
    references: list[str]
    candidate: str
    systems: list[str]
    purpose: str
    created_at: str
    state: str
    wanted: int
    ratings: int
    withheld: Literal["rating", "blind"] | None
    votes: list[ListedVote]
    label: str
    tied: bool
    disputed: bool
    share: float | None
    decided: str
    open_flags: int
    flags: int
    skips: int
    tags: list[str]
    scores: dict[str, ListedScore]
    last_rated_at: str | None


class ListedRating(SeenRemarks):
    """The last revision of a rating. `counted` is false for a surplus one and one that an admin has
    set aside, `imported` true where a file named the rater, who has no account."""

    rating: int
    item: str
    rater: str
    imported: bool
    label: str
    answers: dict[str, str]
    counted: bool
    set_aside: bool
    supersedes: int | None
    guideline_version: int | None
    wording: str
    suggestion_arm: str
    suggestion_view: SuggestionView | None
    seconds: float | None
    rated_at: str | None
    created_at: str


class Skipped(TypedDict):
    line: int
    id: str | None
    reason: str


class Imported(TypedDict):
    """Numbers of imported records, by type."""

    counts: dict[str, int]
    skipped: list[Skipped]
    skipped_by_reason: dict[str, int]
    skipped_in_all: int


class Person(TypedDict):
    """Somebody to invite; their role instead of that of all."""

    email: str
    name: NotRequired[str]
    role: NotRequired[Literal["rater", "researcher", "admin"]]


class InvitationMails(TypedDict):
    people: list[Person]
    role: NotRequired[Literal["rater", "researcher", "admin"]]
    language: NotRequired[Literal["en", "de"]]
    message: NotRequired[str]


class Inviting(TypedDict):
    """The number of queued mails, and the addresses that get none: invited before, or members."""

    queued: int
    invited: list[str]
    members: list[str]


class Invitee(TypedDict):
    """`reason` says why the latest mail could not be sent."""

    id: int
    email: str
    name: str
    role: Literal["rater", "researcher", "admin"]
    language: str
    state: Literal["waiting", "sent", "failed", "accepted", "expired", "withdrawn"]
    reason: str
    created_at: str
    sent_at: str | None
    expires_at: str


class NewJob(TypedDict):
    """`name` is that of the matcher, the answerer or the endpoint."""

    kind: Literal["suggest", "answer", "generate"]
    name: str
    texts: NotRequired[str]
    number: NotRequired[int]


class Job(TypedDict):
    id: int
    kind: str
    parameters: Json
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    done: int
    total: int | None
    attempts: int
    error: str
    result: Json | None
    failed_count: int
    created_at: str
    finished_at: str | None
    acknowledged_at: str | None


class Narrowing(TypedDict, total=False):
    """Of which ratings figures are; days as YYYY-MM-DD, docs/dashboards.md says what each means."""

    system: str
    since: str
    until: str
    guideline: int
    source: Literal["rated", "imported"]


class Figures(TypedDict):
    """`figures` is None while they are worked out for the first time."""

    figures: Json | None
    made_at: str | None
    is_current: bool


class Look(TypedDict):
    number: int
    ratings: int
    level: float
    made_at: str
    findings: Json


class AlertDelivery(TypedDict):
    channel: str
    attempts: int
    sent_at: str | None
    error: str


class Alert(TypedDict):
    id: int
    campaign: str
    kind: str
    subject: str
    evidence: Json
    look: int | None
    raised_at: str
    acknowledged_at: str | None
    acknowledged_by: str | None
    note: str
    url: str
    deliveries: list[AlertDelivery]


class Acknowledgement(TypedDict):
    note: NotRequired[str]


class SetAside(TypedDict):
    id: int
    rater: str
    reason: str
    ratings: int
    votes: int
    by: str
    created_at: str
    undone_by: str | None
    undone_at: str | None


class Concerned(TypedDict):
    ratings: int
    votes: int


class SetAsideSubmission(TypedDict):
    reason: str
    since: NotRequired[str]


class EvidenceVote(SeenRemarks):
    rating: int
    rater: str
    label: str
    answers: Json
    counted: bool
    set_aside: bool
    seconds: float | None
    rated_at: str | None


class MatcherSuggestion(TypedDict):
    matcher: str
    version: str
    score: float
    is_correct: bool
    explanation: Any


class FlagOnItem(TypedDict):
    flag: int
    rater: str
    reason: str
    created_at: str
    settled_at: str | None
    settlement: str


class Adjudication(TypedDict):
    adjudication: int
    item: str
    adjudicator: str
    label: str
    answers: dict[str, str]
    first_label: str | None
    reason: str
    guideline_version: int | None
    supersedes: int | None
    created_at: str


class FirstLookSubmission(TypedDict):
    item: str
    answers: NotRequired[Json]


class AdjudicationSubmission(FirstLookSubmission):
    reason: str
    guideline_version: NotRequired[int | None]
    settles_flags: NotRequired[bool]


class FirstLook(TypedDict):
    first_look: int
    item: str
    label: str


class Evidence(TypedDict):
    votes: list[EvidenceVote]
    flags: list[FlagOnItem]
    suggestion: MatcherSuggestion | None
    decisions: list[Adjudication]


class Desk(TypedDict):
    """An item before an adjudicator. While `is_blind` a first look is due."""

    item: ItemToRate
    form: Form
    idempotency_key: str
    is_blind: bool
    first_look: FirstLook | None
    decision: Adjudication | None
    evidence: Evidence | None


class ReleaseFile(TypedDict):
    path: str
    bytes: int
    url: str


class Withdrawal(TypedDict):
    reason: str
    role: str
    withdrawn_at: str


class Release(TypedDict):
    version: str
    digest: str
    seed: int
    split: str
    splits: Json
    items: int
    ratings: int
    created_at: str
    withdrawn: Withdrawal | None
    files: list[ReleaseFile]


class PreviewChoices(TypedDict):
    split: str
    seed: NotRequired[int]
    labels: NotRequired[Literal["majority", "adjudicated", "dawid-skene"]]
    comments: NotRequired[bool]
    personal_data_reason: NotRequired[str]
    without_controls: NotRequired[bool]
    without_deactivated: NotRequired[bool]
    consented_only: NotRequired[bool]
    guideline_versions: NotRequired[list[int]]


class ReleaseChoices(PreviewChoices):
    version: str
    requires_datasheet: NotRequired[bool]


class EvaluationChoices(TypedDict):
    metrics: list[str]
    release: NotRequired[str | None]
    tune_on: NotRequired[str | None]
    unit: NotRequired[Literal["items", "ratings"]]


class Evaluation(TypedDict):
    id: int
    release: str | None
    digest: str
    parameters: Json
    created_at: str


class Started(TypedDict):
    """A job that a worker does; `url` is where to ask how far it is."""

    job: int
    url: str


class CampaignState(TypedDict):
    slug: str
    state: Literal["open", "paused", "archived"]


class CopyChoices(TypedDict):
    """Members in `roles` come along."""

    title: str
    slug: NotRequired[str]
    roles: NotRequired[list[Literal["rater", "researcher", "admin"]]]
    content: NotRequired[Literal["none", "questions", "items"]]


class Copy(CampaignState):
    """`job` copies data into the new campaign, None where none was wanted."""

    job: int | None


class Deletion(TypedDict):
    """`slug` is the campaign's once more."""

    slug: str
