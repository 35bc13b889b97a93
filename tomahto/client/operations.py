"""Every operation that the client uses: method, path, parameters and bodies.

The client calls nothing that does not stand here; a test of the site compares it with the schema.
"""

from dataclasses import dataclass
from types import NoneType
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from tomahto.client import bodies
from tomahto.client.bodies import Json

_CAMPAIGN = "/api/v1/campaigns/{slug}"
_PAGE = ("cursor", "limit")
_VOTES = "votes"  # of what comes of everybody's votes


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Operation(Generic[T]):
    """`takes` and `gives` are the types of the bodies. `takes` is None where nothing is sent, or a
    file; `gives` is that of a row where a list is given, of which `is_paged` says whether it comes
    in pages."""

    method: str
    path: str
    gives: type[T]
    parameters: tuple[str, ...] = ()
    takes: Any = None
    is_paged: bool = False
    headers: tuple[str, ...] = ()

    def at(self, **parts: object) -> str:
        """The path with its parts filled in; a part named `path` keeps its slashes."""
        safe = {name: "/" if name == "path" else "" for name in parts}
        return self.path.format(
            **{name: quote(str(part), safe=safe[name]) for name, part in parts.items()}
        )


def _get(path: str, gives: type[T], *parameters: str) -> Operation[T]:
    return Operation("GET", _CAMPAIGN + path, gives, parameters)


def _list(path: str, gives: type[T], *parameters: str) -> Operation[T]:
    return Operation("GET", _CAMPAIGN + path, gives, (*_PAGE, *parameters), is_paged=True)


def _post(
    path: str, takes: Any, gives: type[T], *headers: str, asks: tuple[str, ...] = ()
) -> Operation[T]:
    return Operation("POST", _CAMPAIGN + path, gives, asks, takes=takes, headers=headers)


CLAIM = _post("/claim", None, bodies.Claim)
SUBMIT = Operation(
    "POST",
    "/api/v1/assignments/{assignment_id}/rating",
    bodies.Rating,
    takes=bodies.Submission,
    headers=("Idempotency-Key",),
)

ITEMS = _list("/items", bodies.ListedItem, *bodies.ItemFilters.__annotations__)
RATINGS = _list("/ratings", bodies.ListedRating, "rater", "item", "counted", "label")
IMPORT = Operation(
    "POST",
    f"{_CAMPAIGN}/imports/{{kind}}",
    bodies.Imported,
    ("format", "system", "newest", "name", _VOTES),
)

INVITEES = _list("/invitees", bodies.Invitee)
INVITE = _post("/invitees", bodies.InvitationMails, bodies.Inviting)
INVITE_AGAIN = _post("/invitees/{invitation_id}/again", None, bodies.Invitee)

JOBS = _list("/jobs", bodies.Job, "state", "kind")
JOB = _get("/jobs/{job_id}", bodies.Job)
START_JOB = _post("/jobs", bodies.NewJob, bodies.Job, asks=(_VOTES,))
CANCEL_JOB = _post("/jobs/{job_id}/cancel", None, bodies.Job)

AGREEMENT = _get("/agreement", Json, _VOTES, *bodies.Narrowing.__annotations__)
FIGURES = _get("/figures/{name}", bodies.Figures, _VOTES, *bodies.Narrowing.__annotations__)
LOOKS = _list("/looks", bodies.Look, _VOTES)
ALERTS = _list("/alerts", bodies.Alert, "state", "kind", _VOTES)
ACKNOWLEDGE = _post(
    "/alerts/{alert_id}/acknowledge", bodies.Acknowledgement, bodies.Alert, asks=(_VOTES,)
)
SET_ASIDES = _list("/set-asides", bodies.SetAside)
TO_SET_ASIDE = _get("/raters/{pseudonym}/set-aside", bodies.Concerned, "since")
SET_ASIDE = _post("/raters/{pseudonym}/set-aside", bodies.SetAsideSubmission, bodies.SetAside)
UNDO_SET_ASIDE = _post("/set-asides/{set_aside_id}/undo", None, bodies.SetAside)

ADJUDICATIONS = _list("/adjudications", bodies.Adjudication, "item", "adjudicator")
NEXT_TO_ADJUDICATE = _get("/adjudications/next", bodies.Desk)
ITEM_TO_ADJUDICATE = _get("/adjudications/item", bodies.Desk, "item")
FIRST_LOOK = _post("/first-looks", bodies.FirstLookSubmission, bodies.FirstLook)
ADJUDICATE = _post(
    "/adjudications", bodies.AdjudicationSubmission, bodies.Adjudication, "Idempotency-Key"
)

RELEASES = _get("/releases", bodies.Release, _VOTES)
RELEASE = _get("/releases/{version}", bodies.Release, _VOTES)
RELEASE_FILE = _get("/releases/{version}/files/{path}", Json, _VOTES)
MAKE_RELEASE = _post("/releases", bodies.ReleaseChoices, bodies.Started, asks=(_VOTES,))

ARCHIVE = _post("/archive", None, bodies.CampaignState)
REOPEN = _post("/reopen", None, bodies.CampaignState)
COPY = _post("/copies", bodies.CopyChoices, bodies.Copy)
DELETE = _post("/deletion", bodies.Deletion, NoneType)

EVALUATIONS = _list("/evaluations", bodies.Evaluation, _VOTES)
EVALUATION = _get("/evaluations/{evaluation_id}", Json, _VOTES)
EVALUATE = _post("/evaluations", bodies.EvaluationChoices, bodies.Started, asks=(_VOTES,))

OPERATIONS = [each for each in list(globals().values()) if isinstance(each, Operation)]
