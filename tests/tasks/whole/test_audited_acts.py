"""Every function of the workflow that writes records an act, or has a reason here why not; and
nothing else writes. Both are read from the source, so that a new one cannot be forgotten."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

TASKS: Final = Path(__file__).resolve().parents[3] / "tasks"
WRITES: Final = frozenset(
    (
        *("save", "create", "get_or_create", "update_or_create", "update", "delete", "issue"),
        *("bulk_create", "bulk_update", "execute", "executemany", "set_password"),
    )
)
# sets, hashes and dictionaries that are updated, by their names; and what executes only to read
NO_ROWS: Final = frozenset({"digest", "found"})
READ_ONLY: Final = frozenset({"storing.acts", "storing.database"})
RECORD: Final = "storing.acts.record"

# the module below `tasks` and the function: why it records no act
UNRECORDED: Final = {
    # the rater's cycle: rows that say themselves who and when, and must not wait for the chain
    "rating.workflow.assignment.claim_item": "a claim",
    "votes.workflow.skip_item": "a claim given back",
    "rating.workflow.admission.claim_control": "a claim",
    "rating.workflow.assignment.claim_following": "a claim",
    "rating.workflow.rating.submit_rating": "a rating",
    "rating.workflow.rating.save_draft": "a draft",
    **dict.fromkeys(
        (
            "rating.workflow.rating.show_before",
            "rating.workflow.records.close_view",
            "rating.workflow.records.close_views_of",
            "rating.workflow.records.note_rated",
            "rating.workflow.records.note_shown",
            "rating.workflow.records.note_shown_after",
        ),
        "what a rater saw, kept with when",
    ),
    "rating.workflow.records.raise_flag": "a rater's note, kept with who and when",
    "talk.workflow.note_opened": "append-only rows with who and when",
    "talk.workflow.note_flag": "an append-only message with who and when",
    "talk.workflow.note_settlement": "part of an act",
    "talk.workflow.write_message": "an append-only message with who and when",
    "talk.workflow.mark_all_read": "a mark in a person's own inbox",
    "talk.workflow.mark_thread_read": "a mark in a person's own inbox",
    "talk.workflow.make_mails": "a worker's bookkeeping",
    "access.workflow.choose_language": "a choice for a person's own mails",
    "access.workflow.set_message_mails": "a choice for a person's own inbox",
    "people.workflow.members.give_consent": "append-only rows with who and when",
    "training.workflow.start_attempt": "rows with who and when",
    "training.workflow.answer_item": "rows with who and when",
    "adjudication.workflow.store_first_look": "append-only rows with who and when",
    "votes.workflow.reveal_votes_for_decision": "rows with who and when",
    "votes.workflow.show_votes": "rows with who and when",
    "votes.workflow.show_all_votes": "a time beside the member; what they took is recorded",
    "adjudication.workflow.leave_item": "a note for the order of a person's own queue",
    # parts of an act, recorded by whoever calls them
    "storing.planned.execute_many": "part of an import",
    "storing.planned.write": "fills a temporary table",
    "intake.workflow.items.store_expectations": "part of an import",
    "intake.workflow.identity.attach_documents": "part of an import",
    "intake.workflow.identity.find_questions": "part of an import",
    "storing.import_run.run_import": "records by what its callers give it to note",
    "intake.workflow.items.find_items": "part of an import",
    "intake.workflow.items.find_systems": "part of an import",
    "intake.workflow.items.plan_rows": "part of an import",
    "intake.workflow.ratings.plan_places": "part of an import",
    "campaigns.workflow.slots.note_items": "part of an import",
    "campaigns.workflow.slots.note_items_of": "part of an import",
    "intake.workflow.identity.keep_answers": "part of an import",
    "intake.workflow.items.store_rows": "part of an import or an approval",
    "intake.workflow.items.store_items": "part of an import",
    "intake.workflow.questions.store_questions": "part of an import",
    "intake.workflow.questions.questions_of_items": "part of an import",
    "campaigns.workflow.slots.change_overlaps": "part of an act",
    "campaigns.workflow.slots.follow_settings": "part of a change of settings",
    "campaigns.workflow.slots.fit_campaign": "part of an act",
    "campaigns.workflow.slots.fit_items": "part of an act",
    "campaigns.workflow.slots.withdraw_places": "part of an act",
    "campaigns.workflow.slots.offer_places": "part of an act",
    "campaigns.workflow.slots.give_up_places": "part of an act",
    "campaigns.workflow.slots.take_places_back": "part of an act",
    "campaigns.workflow.slots.plan_slots": "part of an import",
    "campaigns.workflow.slots.reorder": "part of an act",
    "access.workflow.begin": "an unconfirmed secret protects nothing yet",
    "access.workflow.cancel": "an unconfirmed secret protects nothing yet",
    # what machines do: the job that was started is the act
    "intake.workflow.candidates.answer_questions": "a job's work",
    "prefill.workflow.generation.generate": "a job's work; drafts become items by approval",
    "prefill.workflow.matchers.suggest": "a job's work",
    "prefill.workflow.matchers.store_suggestions": "a job's work",
    "evaluations.workflow.leaderboard.bring_up_to_date": "a job's work",
    "jobs.workflow.jobs.begin": "a worker's bookkeeping",
    "jobs.workflow.jobs.renewed_lease": "a worker's bookkeeping",
    "jobs.workflow.jobs.report_progress": "a worker's bookkeeping",
    "jobs.workflow.jobs.require_held": "a worker's bookkeeping",
    "jobs.workflow.jobs.finish": "a worker's bookkeeping",
    "jobs.workflow.jobs.give_up": "a worker's bookkeeping",
    "jobs.workflow.jobs.hand_back": "a worker's bookkeeping",
    "jobs.workflow.jobs.report_batches": "a worker's bookkeeping",
    "jobs.workflow.jobs.report_rows": "a worker's bookkeeping",
    "jobs.workflow.jobs.send_waiting_jobs": "a worker's bookkeeping",
    "jobs.workflow.jobs.jobs_to_send": "a worker's bookkeeping",
    "jobs.workflow.failures.record_failures": "a worker's bookkeeping",
    "jobs.workflow.workers.start_heartbeat": "a worker's bookkeeping",
    "agreement.workflow.assessment.ask_for_figures": "figures are recomputed, whoever asks",
    "agreement.workflow.assessment.ask": "figures are recomputed, whoever asks",
    "agreement.workflow.assessment.figures_of": "notes that figures are looked at",
    "agreement.workflow.assessment.all_figures_of": "notes that figures are looked at",
    "agreement.workflow.assessment.assess": "figures are recomputed",
    "agreement.workflow.assessment.due_campaigns": "figures are recomputed",
    **dict.fromkeys(
        (
            "explorer.workflow.refreshing.refresh",
            "explorer.workflow.refreshing.refresh_all",
            "explorer.workflow.refreshing.refresh_before_reading",
            "explorer.workflow.refreshing.row_of_item",
        ),
        "summaries are worked out again, whoever asks",
    ),
    "explorer.workflow.handling.handle": "part of an act",
    "explorer.workflow.views.save_view": "a name in a member's own list",
    "explorer.workflow.views.remove_view": "a name in a member's own list",
    "evaluations.workflow.evaluation.evaluate": "keeps scores; a stored report is recorded",
    "evaluations.workflow.evaluation.metric_scores": "keeps scores",
    "agreement.workflow.alerts.look_if_due": "made by the number of ratings, kept for good",
    "agreement.workflow.alerts.raise_after_look": "an alert is a row of its own",
    "agreement.workflow.alerts.raise_stalled": "an alert is a row of its own",
    "events.workflow.sending.take": "a worker's bookkeeping",
    "events.workflow.sending.send_due": "a worker's bookkeeping",
    "people.workflow.mailed_invitations.open_link": "a worker's bookkeeping",
    "events.workflow.sending.take_due_deliveries": "a worker's bookkeeping",
    "events.workflow.sending.note_sent": "a worker's bookkeeping",
    "events.workflow.sending.note_failure": "a worker's bookkeeping",
    "events.workflow.events.store_event": "part of an act, or a rating",
    "events.workflow.events.note_events": "part of an act, or a rating",
    "events.workflow.events.note_import": "part of an import",
    "rating.workflow.records.note_rating": "part of a rating",
    "events.workflow.sending.forget_delivered": "a worker's bookkeeping",
    "events.workflow.sending.refresh_campaigns": "a worker's bookkeeping",
    "events.workflow.events.refresh_campaign": "part of an act",
    "events.workflow.events.try_webhook": "sends nothing but that it was tried",
    "events.workflow.events.retry_delivery": "sends sooner what would be sent",
    # guesses are counted for a quarter of an hour; what follows from them is an act
    "access.workflow.take": "a try",
    "access.workflow.give_back": "a try that was none",
    "access.workflow.forget": "part of a new password",
}


@cache
def trees() -> dict[str, ast.Module]:
    """The modules that write, by their dotted names below `tasks`."""
    paths = (
        *TASKS.glob("*/workflow/*.py"),
        *TASKS.glob("*/workflow.py"),
        *TASKS.glob("storing/*.py"),
    )
    return {
        ".".join(path.relative_to(TASKS).with_suffix("").parts): ast.parse(path.read_text())
        for path in paths
        if path.stem != "__init__"
    }


@cache
def functions(module: str) -> dict[str, ast.FunctionDef | ast.ClassDef]:
    body = trees()[module].body
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


@cache
def imported(module: str) -> dict[str, str]:
    """The names that a module has from others of the workflow: its name there ->
    "module.function"."""
    found = {}
    for node in ast.walk(trees()[module]):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tasks."):
            origin = (node.module or "").removeprefix("tasks.")
            for name in node.names:
                found[name.asname or name.name] = f"{origin}.{name.name}"
    return found


@cache
def used(place: str) -> frozenset[str]:
    """The functions of the workflow that one calls, or hands on."""
    module, _dot, name = place.rpartition(".")
    known = imported(module) | {name: f"{module}.{name}" for name in functions(module)}
    found = set()
    for inner in ast.walk(functions(module)[name]):
        if isinstance(inner, ast.Name) and inner.id in known:
            found.add(known[inner.id])
        elif (
            isinstance(inner, ast.Attribute)
            and isinstance(inner.value, ast.Name)
            and inner.value.id in known
        ):
            found.add(f"{known[inner.value.id]}.{inner.attr}")
    return frozenset(other for other in found if is_function(other))


def is_function(place: str) -> bool:
    module, _dot, name = place.rpartition(".")
    return module in trees() and name in functions(module)


def writes_itself(place: str) -> bool:
    module, _dot, name = place.rpartition(".")
    return module not in READ_ONLY and any(
        isinstance(inner, ast.Call)
        and isinstance(inner.func, ast.Attribute)
        and inner.func.attr in WRITES
        and not (isinstance(inner.func.value, ast.Name) and inner.func.value.id in NO_ROWS)
        for inner in ast.walk(functions(module)[name])
    )


def reached(start: str) -> set[str]:
    """The function itself and all that it calls, the recording aside."""
    found, waiting = set(), {start}
    while waiting:
        place = waiting.pop()
        found.add(place)
        if place != RECORD:
            waiting |= used(place) - found
    return found


def is_unrecorded(place: str) -> bool:
    places = reached(place)
    return RECORD not in places and any(writes_itself(each) for each in places)


def public() -> Iterator[str]:
    for module in sorted(trees()):
        for name, node in functions(module).items():
            if isinstance(node, ast.FunctionDef) and not name.startswith("_"):
                yield f"{module}.{name}"


def test_every_function_that_writes_records_or_says_why_not() -> None:
    unrecorded = sorted(place for place in public() if is_unrecorded(place))
    assert unrecorded == sorted(UNRECORDED)


def test_an_act_is_recorded_in_the_transaction_that_does_it() -> None:
    outside = [
        place for place in public() if RECORD in used(place) and not _opens_transaction(place)
    ]
    assert outside == []


def _opens_transaction(place: str) -> bool:
    module, _dot, name = place.rpartition(".")
    nodes = ast.walk(functions(module)[name])
    return any(isinstance(node, ast.Attribute) and node.attr == "atomic" for node in nodes)


# what else writes, and why
ELSEWHERE: Final = {
    "models/summary_triggers.py": "what triggers write, made after a migration",
    "models/people.py": "ApiToken.issue, called by the workflow",
    "models/rating.py": "the outcomes of the protocols, after a migration",
    "backup/restoring.py": "a new database is filled, its sessions are ended",
    "release_store/publication.py": "files of an object store",
    "access/pages/account.py": "a picture is saved into memory",
}
_WRITE = re.compile(
    r"(?<!form)\.(save|delete|bulk_create|bulk_update|get_or_create|update_or_create|issue)\("
    r"|objects\.create\(|objects[^=]{0,300}\)\s*\.update\(|INSERT INTO|UPDATE tasks|DELETE FROM"
)


def test_nothing_but_the_workflow_writes() -> None:
    found = {
        str(path.relative_to(TASKS))
        for path in TASKS.rglob("*.py")
        if not {"workflow", "workflow.py", "migrations", "storing"}
        & set(path.relative_to(TASKS).parts)
        and _WRITE.search(path.read_text())
    }
    assert found == set(ELSEWHERE)
