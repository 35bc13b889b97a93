"""Every operation that the client uses: method, path, parameters and bodies.

The client calls nothing that does not stand here; a test of the site compares it with the schema.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from tomahto.client import bodies

_CAMPAIGN = "/api/v1/campaigns/{slug}"
_PAGE = ("cursor", "limit")


@dataclass(frozen=True, slots=True)
class Operation:
    """`takes` and `gives` are the types of the bodies, None where they are JSON objects of any kind
    or no JSON; `gives` is that of a row where a list is given, of which `is_paged` says whether it
    comes in pages."""

    method: str
    path: str
    parameters: tuple[str, ...] = ()
    takes: Any = None
    gives: Any = None
    is_paged: bool = False
    headers: tuple[str, ...] = ()

    def at(self, **parts: object) -> str:
        """The path with its parts filled in; a part named `path` keeps its slashes."""
        safe = {name: "/" if name == "path" else "" for name in parts}
        return self.path.format(
            **{name: quote(str(part), safe=safe[name]) for name, part in parts.items()}
        )


def _get(path: str, *parameters: str, gives: Any = None) -> Operation:
    return Operation("GET", _CAMPAIGN + path, parameters, gives=gives)


def _list(path: str, *parameters: str, gives: Any = None) -> Operation:
    parameters = (*_PAGE, *parameters)
    return Operation("GET", _CAMPAIGN + path, parameters, gives=gives, is_paged=True)


def _post(path: str, takes: Any = None, gives: Any = None, *headers: str) -> Operation:
    return Operation("POST", _CAMPAIGN + path, takes=takes, gives=gives, headers=headers)


CLAIM = _post("/claim", gives=bodies.Claim)
SUBMIT = Operation(
    "POST",
    "/api/v1/assignments/{assignment_id}/rating",
    takes=bodies.Submission,
    gives=bodies.Rating,
    headers=("Idempotency-Key",),
)

ITEMS = _list("/items", "document", "system", "split", "key", "purpose", gives=bodies.ListedItem)
RATINGS = _list("/ratings", "rater", "item", "counted", "label", gives=bodies.ListedRating)
IMPORT = Operation(
    "POST", f"{_CAMPAIGN}/imports/{{kind}}", ("format", "system", "name"), gives=bodies.Imported
)

JOBS = _list("/jobs", "state", "kind", gives=bodies.Job)
JOB = _get("/jobs/{job_id}", gives=bodies.Job)
START_JOB = _post("/jobs", bodies.NewJob, bodies.Job)
CANCEL_JOB = _post("/jobs/{job_id}/cancel", gives=bodies.Job)

AGREEMENT = _get("/agreement")
FIGURES = _get("/figures/{name}", gives=bodies.Figures)
LOOKS = _list("/looks", gives=bodies.Look)
ALERTS = _list("/alerts", "state", "kind", gives=bodies.Alert)
ACKNOWLEDGE = _post("/alerts/{alert_id}/acknowledge", bodies.Acknowledgement, bodies.Alert)

ADJUDICATIONS = _list("/adjudications", "item", "adjudicator", gives=bodies.Adjudication)
NEXT_TO_ADJUDICATE = _get("/adjudications/next", gives=bodies.Desk)
ITEM_TO_ADJUDICATE = _get("/adjudications/item", "item", gives=bodies.Desk)
FIRST_LOOK = _post("/first-looks", bodies.FirstLookSubmission, bodies.FirstLook)
ADJUDICATE = _post(
    "/adjudications", bodies.AdjudicationSubmission, bodies.Adjudication, "Idempotency-Key"
)

RELEASES = _get("/releases", gives=bodies.Release)
RELEASE = _get("/releases/{version}", gives=bodies.Release)
RELEASE_FILE = _get("/releases/{version}/files/{path}")
MAKE_RELEASE = _post("/releases", bodies.ReleaseChoices, bodies.Started)

EVALUATIONS = _list("/evaluations", gives=bodies.Evaluation)
EVALUATION = _get("/evaluations/{evaluation_id}")
EVALUATE = _post("/evaluations", bodies.EvaluationChoices, bodies.Started)

OPERATIONS = [each for each in list(globals().values()) if isinstance(each, Operation)]
