"""The client: a site, and what can be done in one of its campaigns."""

import json
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from http.client import HTTPResponse
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, Literal, Self, TypeVar, Unpack
from urllib.parse import parse_qs, urlsplit

from tomahto.client import bodies, operations
from tomahto.client.bodies import Json
from tomahto.client.connection import Answer, Connection, JobEnded, download_release
from tomahto.client.operations import Operation

FIRST_LOOK, LONGEST_LOOK = 0.2, 5.0  # seconds between two looks at a job
_UNFINISHED = ("queued", "running")
_DONE = "done"

File = str | PathLike[str] | BinaryIO
Fields = Mapping[str, Any]
T = TypeVar("T")


class Client(Connection):
    """A site, for the holder of a token. It keeps one connection open; not for several threads."""

    def campaign(self, slug: str, *, votes_seen: bool = False) -> "Campaign":
        """Asks nothing: whether there is such a campaign, its first call finds out.

        Holders who rate or adjudicate in the campaign say with `votes_seen` that they want what
        comes of everybody's votes, and are not given these items any more; otherwise calls for it
        raise Refused, and figures leave out the items that they may still rate.
        """
        return Campaign(self, slug, votes_seen=votes_seen)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class Campaign:
    """The calls about one campaign. Every method raises Refused and
    Unanswered; lists ask for a page when it is wanted."""

    def __init__(self, client: Client, slug: str, *, votes_seen: bool = False) -> None:
        self.slug = slug
        self._client = client
        self._votes = {"votes": "seen"} if votes_seen else {}

    # rating

    def claim(self) -> bodies.Claim | None:
        """The next item to rate, or the one that is held; None when nothing is left."""
        return self._next(operations.CLAIM)

    def submit(
        self,
        claim: bodies.Claim,
        answers: Fields,
        **details: Unpack[bodies.SubmissionDetails],
    ) -> bodies.Rating:
        """Submit the rating of a claimed item. The claim's key makes sending it twice harmless."""
        body: bodies.Submission = {"answers": dict(answers), **details}
        key = {"Idempotency-Key": claim["idempotency_key"]}
        return self._json(operations.SUBMIT, body, headers=key, assignment_id=claim["assignment"])

    # content

    def items(self, **filters: Unpack[bodies.ItemFilters]) -> Iterator[bodies.ListedItem]:
        """Those that meet every filter, newest first without an `order`. `q` searches their texts;
        `key` is an item's id."""
        return self._rows(operations.ITEMS, filters)

    def ratings(
        self,
        *,
        rater: str | None = None,
        item: str | None = None,
        label: str | None = None,
        counted: bool | None = None,
    ) -> Iterator[bodies.ListedRating]:
        """Each rating in its last revision, newest first, as far as the caller may see them."""
        filters = {"rater": rater, "item": item, "label": label, "counted": counted}
        return self._rows(operations.RATINGS, filters)

    def import_questions(self, file: File, *, form: str | None = None) -> bodies.Imported:
        """`form` is what the file is written in, such as squad; told from the file if not named."""
        return self._import("questions", file, form)

    def import_predictions(
        self, file: File, *, system: str, form: str | None = None
    ) -> bodies.Imported:
        """Import a system's answers."""
        return self._import("predictions", file, form, system=system)

    def import_items(self, file: File, *, form: str | None = None) -> bodies.Imported:
        return self._import("items", file, form)

    def import_ratings(
        self, file: File, *, form: str | None = None, newest: bool = False
    ) -> bodies.Imported:
        """With `newest` the newest annotation of a task by one rater counts (Label Studio)."""
        return self._import("ratings", file, form, newest=newest or None)

    def import_answers(self, file: File, *, form: str | None = None) -> bodies.Imported:
        """Import systems' answers from a release, after its items."""
        return self._import("answers", file, form)

    # people

    def invitees(self) -> Iterator[bodies.Invitee]:
        """The people invited by e-mail and how far each invitation is, newest first."""
        return self._rows(operations.INVITEES, {})

    def invite(self, **invitation: Unpack[bodies.InvitationMails]) -> bodies.Inviting:
        """Invite people by e-mail, 200 at once. Whoever was invited before gets no second mail."""
        return self._json(operations.INVITE, invitation)

    def invite_again(self, invitation_id: int) -> bodies.Invitee:
        """Send a new link, which ends the earlier one. Refused (409) while a mail is on its way,
        and once the invitation was withdrawn or accepted."""
        return self._json(
            operations.INVITE_AGAIN, {}, may_repeat=False, invitation_id=invitation_id
        )

    # jobs

    def jobs(self, *, state: str | None = None, kind: str | None = None) -> Iterator[bodies.Job]:
        """Newest first."""
        return self._rows(operations.JOBS, {"state": state, "kind": kind})

    def job(self, job_id: int) -> bodies.Job:
        return self._json(operations.JOB, job_id=job_id)

    def start_job(self, **job: Unpack[bodies.NewJob]) -> bodies.Job:
        """Have a worker do something, such as ask a matcher for suggestions."""
        return self._json(operations.START_JOB, job)

    def cancel_job(self, job_id: int) -> bodies.Job:
        """Finished work is kept. Refused (409) if it has ended."""
        return self._json(operations.CANCEL_JOB, {}, may_repeat=False, job_id=job_id)

    def wait_for(self, job: int | bodies.Started, *, timeout: float = 3600) -> bodies.Job:
        """The job once it is done. Raises JobEnded if it failed or was cancelled, and
        TimeoutError."""
        job_id = job if isinstance(job, int) else job["job"]
        until, pause = time.monotonic() + timeout, FIRST_LOOK
        while (found := self.job(job_id))["state"] in _UNFINISHED:
            if time.monotonic() > until:
                raise TimeoutError(f"job {job_id} is not done after {timeout} s")
            self._client.wait(pause)
            pause = min(2 * pause, LONGEST_LOOK)
        if found["state"] != _DONE:
            raise JobEnded(found)
        return found

    # results

    def agreement(self, **narrowing: Unpack[bodies.Narrowing]) -> Json:
        """Of all ratings, or of those that meet every condition."""
        return self._json(operations.AGREEMENT, parameters=narrowing)

    def figures(self, name: str, **narrowing: Unpack[bodies.Narrowing]) -> bodies.Figures:
        """The figures of a dashboard, of all ratings or of those that meet every condition.

        In a large campaign they may be some minutes old, and None while they are worked out for
        the first time.
        """
        return self._json(operations.FIGURES, parameters=narrowing, name=name)

    def looks(self) -> Iterator[bodies.Look]:
        return self._rows(operations.LOOKS, {})

    def alerts(
        self,
        *,
        state: Literal["open", "acknowledged"] | None = None,
        kind: str | None = None,
    ) -> Iterator[bodies.Alert]:
        """Newest first."""
        return self._rows(operations.ALERTS, {"state": state, "kind": kind})

    def acknowledge(self, alert_id: int, note: str = "") -> bodies.Alert:
        """Say that somebody has seen to an alert. Refused (409) if somebody has said so before."""
        body: bodies.Acknowledgement = {"note": note}
        return self._json(operations.ACKNOWLEDGE, body, may_repeat=False, alert_id=alert_id)

    def set_asides(self) -> Iterator[bodies.SetAside]:
        """The acts that set ratings aside, newest first."""
        return self._rows(operations.SET_ASIDES, {})

    def ratings_to_set_aside(self, rater: str, *, since: str | None = None) -> bodies.Concerned:
        """The number of ratings of the rater, a pseudonym, that could be set aside: all, or those
        since a day (YYYY-MM-DD)."""
        parameters = {"since": since}
        return self._json(operations.TO_SET_ASIDE, parameters=parameters, pseudonym=rater)

    def set_ratings_aside(
        self, rater: str, reason: str, *, since: str | None = None
    ) -> bodies.SetAside:
        """Let ratings not count any more; others get their places. Refused (409) if there are
        none."""
        body: bodies.SetAsideSubmission = {"reason": reason}
        if since is not None:
            body["since"] = since
        return self._json(operations.SET_ASIDE, body, may_repeat=False, pseudonym=rater)

    def undo_set_aside(self, set_aside_id: int) -> bodies.SetAside:
        """Count the ratings again. Refused (409) if that has been done before."""
        return self._json(operations.UNDO_SET_ASIDE, may_repeat=False, set_aside_id=set_aside_id)

    # adjudication

    def adjudications(
        self, *, item: str | None = None, adjudicator: str | None = None
    ) -> Iterator[bodies.Adjudication]:
        """The decisions that the caller may see, newest first."""
        return self._rows(operations.ADJUDICATIONS, {"item": item, "adjudicator": adjudicator})

    def next_to_adjudicate(self) -> bodies.Desk | None:
        """The most valuable item that waits for the caller, None when nothing does."""
        return self._next(operations.NEXT_TO_ADJUDICATE)

    def item_to_adjudicate(self, item: str) -> bodies.Desk:
        return self._json(operations.ITEM_TO_ADJUDICATE, parameters={"item": item})

    def first_look(self, item: str, answers: Fields) -> bodies.FirstLook:
        """Judge an item before seeing what others say."""
        body: bodies.FirstLookSubmission = {"item": item, "answers": dict(answers)}
        return self._json(operations.FIRST_LOOK, body)

    def adjudicate(
        self,
        item: str,
        answers: Fields,
        reason: str,
        *,
        key: str = "",
        settles_flags: bool = False,
    ) -> bodies.Adjudication:
        """Decide an item, with a new key revise the decision. Without one it gets a key of its
        own."""
        body: bodies.AdjudicationSubmission = {
            "item": item,
            "answers": dict(answers),
            "reason": reason,
            "settles_flags": settles_flags,
        }
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        return self._json(operations.ADJUDICATE, body, headers=headers)

    # releases

    def releases(self) -> list[bodies.Release]:
        """Newest first."""
        found: list[bodies.Release] = self._call(operations.RELEASES).json()
        return found

    def release(self, version: str) -> bodies.Release:
        return self._json(operations.RELEASE, version=version)

    def make_release(self, **choices: Unpack[bodies.ReleaseChoices]) -> bodies.Started:
        """Have a worker make a release; `wait_for` waits until it is out."""
        return self._json(operations.MAKE_RELEASE, choices)

    def download(
        self, version: str, folder: str | PathLike[str], *, votes_seen: bool = False
    ) -> Path:
        """All files of a release below the folder, checked by its manifest.

        `votes_seen` is what `Client.campaign` takes, for this call. What an earlier call has left
        is continued. Raises Damaged if a file is not what the manifest says, and OSError if it
        cannot be written.
        """

        if votes_seen and not self._votes:
            return Campaign(self._client, self.slug, votes_seen=True).download(version, folder)

        def ask(path: str, start: int) -> HTTPResponse:
            target = operations.RELEASE_FILE.at(slug=self.slug, version=version, path=path)
            target += "?votes=seen" if self._votes else ""
            headers = {"Range": f"bytes={start}-"} if start else {}
            return self._client.open("GET", target, headers=headers)

        release = self.release(version)
        return download_release(release, Path(folder), ask, self._client.close)

    # the campaign as a whole

    def archive(self) -> bodies.CampaignState:
        """From now on it can only be read."""
        return self._json(operations.ARCHIVE, {})

    def reopen(self) -> bodies.CampaignState:
        """An archived campaign is paused after this."""
        return self._json(operations.REOPEN, {})

    def copy(self, **choices: Unpack[bodies.CopyChoices]) -> bodies.Copy:
        """A new campaign like this one, without its ratings; its job belongs to the new one."""
        return self._json(operations.COPY, choices, may_repeat=False)

    def delete(self) -> None:
        """Hide it; its admins and the site's operators can restore it for 30 days."""
        self._json(operations.DELETE, {"slug": self.slug})

    # the lab

    def evaluations(self) -> Iterator[bodies.Evaluation]:
        """Newest first, without their reports."""
        return self._rows(operations.EVALUATIONS, {})

    def evaluation(self, evaluation_id: int) -> Json:
        """The report of an evaluation."""
        return self._json(operations.EVALUATION, evaluation_id=evaluation_id)

    def evaluate(self, **choices: Unpack[bodies.EvaluationChoices]) -> bodies.Started:
        return self._json(operations.EVALUATE, choices)

    # calling

    def _json(self, operation: Operation[T], body: Fields | None = None, **options: Any) -> T:
        found: T = self._call(operation, body, **options).json()
        return found

    def _next(self, operation: Operation[T]) -> T | None:
        answer = self._call(operation)
        found: T | None = answer.json() if answer.status == 200 else None
        return found

    def _call(
        self,
        operation: Operation[Any],
        body: Fields | None = None,
        *,
        parameters: Fields | None = None,
        headers: Mapping[str, str] | None = None,
        may_repeat: bool = True,
        **parts: object,
    ) -> Answer:
        sent = {} if body is None else {"Content-Type": "application/json"}
        votes = self._votes if "votes" in operation.parameters else {}
        return self._client.call(
            operation.method,
            self._path(operation, parts),
            parameters={**(parameters or {}), **votes},
            content=b"" if body is None else json.dumps(body).encode(),
            headers={**sent, **(headers or {})},
            may_repeat=may_repeat,
        )

    def _path(self, operation: Operation[Any], parts: Mapping[str, object]) -> str:
        own = {"slug": self.slug} if "{slug}" in operation.path else {}
        return operation.at(**own, **parts)

    def _rows(self, operation: Operation[T], filters: Fields) -> Iterator[T]:
        """All rows of a list, page by page."""
        cursor: str | None = None
        while True:
            parameters = {**filters, "cursor": cursor}
            page = self._call(operation, parameters=parameters).json()
            yield from page["results"]
            if not page["next"]:
                return
            # the address may be that of the site behind its proxy: only the place counts
            cursor = parse_qs(urlsplit(page["next"]).query)["cursor"][0]

    def _import(
        self, kind: str, file: File, form: str | None, **parameters: object
    ) -> bodies.Imported:
        """Importing the same again changes nothing, so it may be sent twice."""
        with ExitStack() as stack:
            name: str | None = None
            content: BinaryIO
            if isinstance(file, str | PathLike):
                name, content = Path(file).name, stack.enter_context(Path(file).open("rb"))
            else:
                content = file
            answer = self._client.call(
                operations.IMPORT.method,
                self._path(operations.IMPORT, {"kind": kind}),
                parameters={"format": form, "name": name, **parameters, **self._votes},
                content=content,
                headers={"Content-Type": "application/octet-stream"},
            )
        found: bodies.Imported = answer.json()
        return found
