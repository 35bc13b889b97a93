"""An import of a file: run as a whole, noted for webhooks and kept in the audit log, with the
records that it left out; and the outcome for which an answer in a file stands."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, TypeVar, cast

from tasks.events.workflow.events import note_import
from tasks.models import AuditAction, Campaign
from tasks.protocols.definition import AnnotationProtocol, AnswersError, Outcome
from tasks.storing.acts import record
from tasks.storing.import_run import run_import
from tasks.storing.plan import Plan
from tomahto.interchange.reading.records import GivenAnswer, Source

EXAMPLES: Final = 20
"""The number of skipped records that are shown for each reason: a file may hold thousands."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that was left out; `id` is the one its file gives it."""

    line: int
    id: str | None
    reason: str


@dataclass
class SkippedRecords:
    """The first EXAMPLES records of each reason, and how many there are of each."""

    examples: list[Skipped] = field(default_factory=list)
    by_reason: Counter[str] = field(default_factory=Counter)

    def add(self, source: Source, id: str | None, reason: str) -> None:  # noqa: A002 - as shown
        self.by_reason[reason] += 1
        if self.by_reason[reason] <= EXAMPLES:
            self.examples.append(Skipped(source.line, id, reason))


def counts_of(brought: Mapping[str, Any]) -> dict[str, int]:
    """The outcome of a file in numbers alone; skipped records are counted together."""
    counts = {name: count for name, count in brought.items() if not name.startswith("skipped")}
    if "skipped_by_reason" in brought:
        counts["skipped"] = sum(brought["skipped_by_reason"].values())
    return counts


def outcome_of(
    protocol: AnnotationProtocol, given: GivenAnswer, source: Source, *, label_field: str = "label"
) -> Outcome:
    """From the answers if there are any, else from the bare label; if both, they must agree.

    A label is bare also where a question asks for it, if no other is answered.
    Raises InputError naming the field that is wrong; `label_field` is where the label stands.
    """
    answers = {key: value for key, value in given.answers.items() if value is not None}
    try:
        if not answers or answers == {"label": given.label}:
            return protocol.outcome_of_label(given.label or "")
        outcome = protocol.outcome(answers)
    except AnswersError as error:
        field = error.question if answers else label_field
        raise source.error(error.message, field) from error
    if given.label is not None and given.label != outcome.label:
        raise source.error(
            f"{given.label!r} does not match the answers, which mean {outcome.label!r}",
            label_field,
        )
    return outcome


_Record = TypeVar("_Record")
_Intake = TypeVar("_Intake")


def import_of(
    kind: str,
    *,
    campaign: Campaign,
    records: Iterable[_Record],
    plan: Callable[[Plan, Iterable[_Record]], _Intake],
    noted: Iterable[str],
    subject: tuple[str, str] | None = None,
    details: Mapping[str, Any] | None = None,
) -> _Intake:
    """The result of `plan` for the records, stored; webhooks are sent the `noted` of its counts.

    `subject` is what the audit log says it was about, the file's kind unless given; `details` is
    what it says beside all counts. Raises what `plan` raises, and ImportRefused; nothing is stored
    then.
    """

    def note(intake: _Intake) -> None:
        counts = {name: getattr(intake, name) for name in noted}
        all_details = counts_of(asdict(cast(Any, intake))) | dict(details or {})
        _note(campaign, kind, counts, subject or ("file", kind), all_details)

    return run_import(campaign=campaign, records=records, plan=plan, note=note)


def _note(
    campaign: Campaign,
    kind: str,
    counts: Mapping[str, int],
    subject: tuple[str, str],
    details: Mapping[str, Any],
) -> None:
    note_import(campaign.pk, kind, **counts)
    record(AuditAction.IMPORT_DONE, campaign=campaign, subject=subject, details=details)
