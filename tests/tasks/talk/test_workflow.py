"""Recipients of messages: flags, answers, settlements, messages that admins begin, shared
answers."""

from functools import partial
from importlib import import_module

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction
from django.db.models.functions import Now

from tasks.adjudication.workflow import adjudicate
from tasks.events.workflow.events import add_webhook
from tasks.models import (
    AuditEntry,
    Campaign,
    Event,
    Flag,
    Item,
    Membership,
    Message,
    Notice,
    SharedAnswer,
    Thread,
)
from tasks.rating.workflow.records import raise_flag, settle_flag
from tasks.talk import workflow
from tasks.talk.workflow import (
    KeyReused,
    NotARaterOfIt,
    NotToBeShared,
    TooManyMessages,
    note_opened,
    share_answer,
    start_thread,
    write_message,
)
from tests.factories import make_member
from tests.tasks.talk.conversations import (
    REASON,
    answer,
    flagged_by,
    held_by,
    inbox_of,
    rate,
    say,
    thread,
)

__all__ = ["thread"]


def texts(thread: Thread) -> list[tuple[str, str]]:
    return list(thread.messages.order_by("pk").values_list("kind", "text"))


def test_flag_opens_a_thread_and_tells_every_admin(
    rater: Membership, admin: Membership, researcher: Membership
) -> None:
    other, former = make_member(rater.campaign, "admin"), make_member(rater.campaign, "admin")
    Membership.objects.filter(pk=former.pk).update(is_active=False)
    fellow = make_member(rater.campaign)
    flagged_by(rater)
    assert texts(Thread.objects.get()) == [("flag", REASON)]
    assert [inbox_of(who) for who in (admin, other)] == [[REASON], [REASON]]
    assert [inbox_of(who) for who in (former, researcher, fellow, rater)] == [[], [], [], []]


def test_flag_that_says_something_else_is_a_message_of_its_own(
    rater: Membership, admin: Membership
) -> None:
    assignment = held_by(rater)
    for reason in ("A typo.", "A typo.", "Two typos."):
        raise_flag(assignment=assignment, reason=reason)
    assert texts(Thread.objects.get()) == [("flag", "A typo."), ("flag", "Two typos.")]
    assert Flag.objects.get().reason == "Two typos."


def test_answer_tells_the_rater_and_only_admins_who_take_part(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    birch, elm = (make_member(thread.item.campaign, "admin", name) for name in ("birch", "elm"))
    say(thread, admin, "Which sentence? @birch")
    assert [inbox_of(who) for who in (rater, birch, elm)] == [
        ["Which sentence? @birch"],
        ["Which sentence? @birch"],
        [],
    ]
    assert Notice.objects.get(member=birch).is_mention
    say(thread, birch, "The last one.")
    assert inbox_of(admin)[-1] == "The last one."  # who has written in it
    assert inbox_of(elm) == []
    say(thread, rater, "Yes, the last one.")
    assert [inbox_of(who)[-1] for who in (admin, birch, elm)] == ["Yes, the last one."] * 3


def test_mention_is_the_whole_name_of_somebody_in_the_thread(
    thread: Thread, admin: Membership
) -> None:
    campaign = thread.item.campaign
    ann, anna = (make_member(campaign, "admin", name) for name in ("ann", "anna oak"))
    fellow = make_member(campaign, "rater", "fern")
    say(thread, admin, "me@ann.example, @anna oakley, @ann-b, @fern, @nobody")
    assert [inbox_of(who) for who in (ann, anna, fellow)] == [[], [], []]
    say(thread, admin, "(@anna oak), please")
    assert [inbox_of(who) for who in (ann, anna)] == [[], ["(@anna oak), please"]]


def test_settlement_is_the_last_word_in_the_thread(rater: Membership, admin: Membership) -> None:
    flag = flagged_by(rater)
    assert settle_flag(flag=flag, by=admin, settlement="It is whole now.")
    assert not settle_flag(flag=flag, by=admin, settlement="Again.")
    thread = Thread.objects.get()
    assert texts(thread) == [("flag", REASON), ("settled", "It is whole now.")]
    assert inbox_of(rater) == ["It is whole now."]
    say(thread, rater, "Thank you.")
    assert inbox_of(admin)[-1] == "Thank you."


def test_rater_is_not_told_the_reason_of_a_decision(rater: Membership, admin: Membership) -> None:
    """It may say how others have rated the item."""
    flag = flagged_by(rater)
    admin.campaign.adjudicates_blind = False
    adjudicate(
        item=flag.item,
        adjudicator=admin,
        answers={"q1": True},
        reason="Three of four raters say different.",
        idempotency_key="decision",
        settles_flags=True,
    )
    flag.refresh_from_db()
    assert flag.settlement == "Three of four raters say different."
    assert texts(Thread.objects.get()) == [("flag", REASON), ("settled", "")]
    assert inbox_of(rater) == [""]


def test_same_key_stores_one_message_and_tells_it_once(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    send = partial(write_message, thread=thread, author=admin, idempotency_key="key")
    first, again = (send(text="Which one?") for _time in range(2))
    assert (first.is_replay, again.is_replay, again.message) == (False, True, first.message)
    assert inbox_of(rater) == ["Which one?"]
    with pytest.raises(KeyReused, match="used for another message"):
        send(text="Another one.")
    assert thread.messages.count() == 2


def test_nobody_floods_inboxes(
    thread: Thread, rater: Membership, admin: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workflow, "MOST_PER_HOUR", 3)
    for text in ("one", "two"):  # the flag was the first
        say(thread, rater, text)
    with pytest.raises(TooManyMessages) as refused:
        say(thread, rater, "three")
    assert (refused.value.status, refused.value.headers()) == (429, {"Retry-After": "600"})
    say(thread, admin, "Enough.")
    assert [text for _kind, text in texts(thread)] == [REASON, "one", "two", "Enough."]


def test_nobody_floods_inboxes_by_flags(
    rater: Membership, admin: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workflow, "MOST_PER_HOUR", 1)
    assignment = held_by(rater)
    raise_flag(assignment=assignment, reason="A typo.")
    with pytest.raises(TooManyMessages):
        raise_flag(assignment=assignment, reason="Two typos.")
    assert Flag.objects.get().reason == "A typo."


def test_admin_writes_to_who_has_rated_the_item(rater: Membership, admin: Membership) -> None:
    assignment = held_by(rater)
    item = assignment.item
    start = partial(start_thread, item=item, author=admin, text="Why?", idempotency_key="key")
    with pytest.raises(NotARaterOfIt):
        start(rater=rater)
    rate(assignment)
    with pytest.raises(NotARaterOfIt):
        start(rater=make_member(rater.campaign))
    for _time in range(2):
        start(rater=rater)
    assert texts(Thread.objects.get()) == [("words", "Why?")]
    assert inbox_of(rater) == ["Why?"]
    acts = AuditEntry.objects.filter(action="thread.started")
    assert list(acts.values_list("actor", "subject")) == [("oak", item.key)]


def test_admin_does_not_write_to_who_has_left(rater: Membership, admin: Membership) -> None:
    flag = flagged_by(rater)
    Membership.objects.filter(pk=rater.pk).update(is_active=False)
    with pytest.raises(NotARaterOfIt):
        start_thread(item=flag.item, rater=rater, author=admin, text="Why?", idempotency_key="key")
    say(Thread.objects.get(), admin, "For the record.")
    assert inbox_of(rater) == []


def test_webhooks_hear_of_a_message_without_its_text(
    campaign: Campaign, rater: Membership, admin: Membership
) -> None:
    add_webhook(campaign=campaign, url="https://example.org/", events=["message.written"])
    flag = flagged_by(rater)
    message = Message.objects.get()
    assert Event.objects.get().data == {
        "message": message.pk,
        "thread": message.thread_id,
        "kind": "flag",
        "item": flag.item.key,
        "rater": rater.pseudonym,
        "author": rater.pseudonym,
    }


def test_nothing_written_or_shown_is_changed_or_taken_back(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    shared = answer(thread, admin, "It is whole.")
    note_opened(answers=[shared], rater=rater)
    for table, column in (
        ("tasks_message", "text = ''"),
        ("tasks_sharedanswer", "created_at = NULL"),
        ("tasks_openedanswer", "opened_at = NULL"),
    ):
        for statement in (f"UPDATE {table} SET {column}", f"DELETE FROM {table}"):
            with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
                connection.cursor().execute(statement)


def test_answer_is_shown_once_by_its_author_and_opened_once_by_a_rater(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    other, fellow = (make_member(rater.campaign, role) for role in ("admin", "rater"))
    message = say(thread, admin, "The last sentence counts.")
    naming = say(thread, admin, f"@{rater.pseudonym} the last sentence counts.")
    question = thread.messages.get(kind="flag")
    refused = ((other, message), (rater, question), (rater, message), (admin, question))
    for who, what in (*refused, (admin, naming)):
        with pytest.raises(NotToBeShared):
            share_answer(message=what, by=who)
    assert [share_answer(message=message, by=admin) for _time in range(2)] == [True, False]
    shared = SharedAnswer.objects.get()
    for _time in range(2):
        note_opened(answers=[shared], rater=fellow)
    assert list(shared.opened.values_list("rater", flat=True)) == [fellow.pk]
    act = AuditEntry.objects.get(action="answer.shared")
    assert (act.actor, act.subject) == ("oak", thread.item.key)


def test_flags_of_before_begin_threads(rater: Membership, admin: Membership) -> None:
    """The effect of the migration: settlements stay with the flags, as raters were not to read
    them."""
    first, second = Item.objects.order_by("pk")
    settled = Flag.objects.create(
        item=first,
        rater=rater,
        reason="Old.",
        settled_at=Now(),
        settled_by=admin,
        settlement="Others say so too.",
    )
    flags = [
        settled,
        *(Flag.objects.create(item=i, rater=rater, reason="New.") for i in (first, second)),
    ]
    migration = import_module("tasks.migrations.0009_threads")
    migration.open_threads_of_flags(apps, None)
    found = {thread.item_id: texts(thread) for thread in Thread.objects.all()}
    assert found == {
        first.pk: [("flag", "Old."), ("settled", ""), ("flag", "New.")],
        second.pk: [("flag", "New.")],
    }
    for flag in flags:
        flag.refresh_from_db()
    written = list(Message.objects.filter(kind="flag").values_list("created_at", flat=True))
    assert sorted(written) == sorted(flag.created_at for flag in flags)
    assert not Notice.objects.exists()
