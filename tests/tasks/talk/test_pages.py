"""Threads on pages: who sees which, what is written there, and how it is shown."""

import re

import pytest
from django.test import Client

from tasks.models import Assignment, Campaign, Membership, Message, Thread
from tasks.rating.workflow.seen_votes import show_votes
from tasks.talk.workflow import messages as workflow
from tests.factories import make_campaign, make_item, make_member
from tests.tasks.browsers import compact, signed_in
from tests.tasks.talk.conversations import REASON, flagged_by, held_by, inbox_of, rate, say, thread

__all__ = ["thread"]


def address_of(thread: Thread) -> str:
    return f"/c/rivers/threads/{thread.pk}/"


def read(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return compact(response.content.decode())


def key_in(html: str) -> str:
    found = re.search(r'name="idempotency_key"\s+value="([^"]+)"', html)
    assert found is not None
    return found[1]


def test_flag_answer_and_last_word_on_the_pages(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    admins, raters = signed_in(admin), signed_in(rater)
    address = address_of(thread)
    html = read(admins, address)
    assert f"Conversation with {rater.pseudonym}" in html
    assert "pine" not in html
    sent = {"text": "Which sentence?\r\nThe last?", "idempotency_key": key_in(html)}
    for _twice in range(2):
        response = admins.post(address, sent)
        message = Message.objects.latest("pk")
        assert (response.status_code, response["Location"]) == (
            302,
            f"{address}#message-{message.pk}",
        )
    assert thread.messages.count() == 2
    html = read(raters, address)
    assert "Which sentence?\nThe last?" in html
    assert '<b dir="auto">oak</b><span class="hint">Admin</span>' in html
    raters.post(address, {"text": "Yes.", "idempotency_key": key_in(html)})
    flags = read(admins, "/c/rivers/flags/")
    assert "Yes." in flags
    admins.post(f"/c/rivers/flags/{thread.item.flags.get().pk}/", {"settlement": "It is whole."})
    html = read(raters, address)
    assert "Flag settled" in html
    assert "It is whole." in html


def test_opening_a_thread_marks_it_read_for_oneself(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    other = make_member(thread.item.campaign, "admin")
    say(thread, rater, "Hello?")
    signed_in(admin).head(address_of(thread))
    assert len(inbox_of(admin)) == 2
    signed_in(admin).get(address_of(thread))
    assert (inbox_of(admin), inbox_of(other)) == ([], ["Hello?"])


def test_nobody_else_sees_a_thread(
    thread: Thread, rater: Membership, researcher: Membership
) -> None:
    fellow = make_member(thread.item.campaign, "rater")
    elsewhere = make_campaign("lakes")
    make_item(elsewhere)
    stranger = make_member(elsewhere, "admin")
    assert read(signed_in(rater), address_of(thread))
    for who in (fellow, researcher, stranger):
        client = signed_in(who)
        assert client.get(address_of(thread)).status_code == 404
        sent = {"text": "Hello", "idempotency_key": "key"}
        assert client.post(address_of(thread), sent).status_code == 404
    assert signed_in(stranger).get(f"/c/lakes/threads/{thread.pk}/").status_code == 404
    assert thread.messages.count() == 1


@pytest.mark.parametrize("change", [{"is_paused": True}, {"is_active": False}])
def test_rater_who_is_paused_or_has_left_sees_nothing(
    thread: Thread, rater: Membership, admin: Membership, change: dict[str, bool]
) -> None:
    say(thread, admin, "sentinel")
    Membership.objects.filter(pk=rater.pk).update(**change)
    client = signed_in(rater)
    assert client.get(address_of(thread)).status_code == 404
    inbox = read(client, "/inbox/")
    assert "sentinel" not in inbox
    assert "badge" not in inbox
    Membership.objects.filter(pk=rater.pk).update(is_paused=False, is_active=True)
    assert "sentinel" in read(client, "/inbox/")


def test_admin_who_is_one_no_more_sees_only_their_own(thread: Thread, admin: Membership) -> None:
    Membership.objects.filter(pk=admin.pk).update(role="rater")
    client = signed_in(admin)
    assert client.get(address_of(thread)).status_code == 404
    assert REASON not in read(client, "/inbox/")


def test_admin_who_is_rating_the_item_does_not_see_what_others_write_of_it(
    rater: Membership, admin: Membership
) -> None:
    flag = flagged_by(rater, "sentinel: I said different.")
    thread = Thread.objects.get()
    while held_by(admin).item_id != flag.item_id:
        admin.assignments.update(state="skipped")
    client = signed_in(admin)
    for place in (address_of(thread), "/inbox/"):
        html = read(client, place)
        assert "sentinel" not in html
        assert "You are rating this item" in html
    sent = {"text": "Hello", "idempotency_key": "key"}
    assert client.post(address_of(thread), sent).status_code == 409
    assert thread.messages.count() == 1
    assert inbox_of(admin) == ["sentinel: I said different."]  # still unread
    rate(Assignment.objects.get(rater=admin, item=flag.item))
    assert "sentinel" in read(client, address_of(thread))


def test_page_of_the_item_shows_threads_to_who_may_see_its_votes(
    thread: Thread, admin: Membership, researcher: Membership
) -> None:
    address = f"/c/rivers/items/{thread.item_id}/"
    client = signed_in(admin)
    assert "Conversations" not in read(client, address)
    response = client.get(f"{address}threads/")
    assert (response.status_code, response["Location"]) == (302, address)
    show_votes(member=admin, items=[thread.item_id])
    html = read(client, address)
    assert REASON in html
    assert f'href="{address}threads/"' in html
    show_votes(member=researcher, items=[thread.item_id])
    assert "Conversations" not in read(signed_in(researcher), address)


def test_admin_begins_a_conversation_with_somebody_who_has_rated(
    rater: Membership, admin: Membership
) -> None:
    assignment = held_by(rater)
    rate(assignment)
    fellow = make_member(rater.campaign)
    show_votes(member=admin, items=[assignment.item_id])
    client, address = signed_in(admin), f"/c/rivers/items/{assignment.item_id}/threads/"
    html = read(client, address)
    assert (rater.pseudonym in html, fellow.pseudonym in html) == (True, False)
    wrong = client.post(
        address, {"rater": fellow.pseudonym, "text": "Why?", "idempotency_key": "key"}
    )
    assert wrong.status_code == 422
    sent = {"rater": rater.pseudonym, "text": "Why?", "idempotency_key": key_in(html)}
    assert client.post(address, sent).status_code == 302
    assert inbox_of(rater) == ["Why?"]
    html = read(signed_in(rater), "/inbox/")
    assert "Why?" in html


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Write a message first."),
        (" \r\n ", "Write a message first."),
        ("x" * 2001, "at most 2000 characters"),
        ("a\0b", "Null characters are not allowed."),
    ],
)
def test_what_is_no_message_is_refused(
    thread: Thread, rater: Membership, text: str, says: str
) -> None:
    response = signed_in(rater).post(address_of(thread), {"text": text, "idempotency_key": "key"})
    assert response.status_code == 422
    assert says in response.content.decode()
    assert thread.messages.count() == 1


def test_line_breaks_count_as_the_browser_counts_them(thread: Thread, rater: Membership) -> None:
    text = "\r\n".join(["x" * 99] * 20)
    sent = {"text": text, "idempotency_key": "key"}
    assert signed_in(rater).post(address_of(thread), sent).status_code == 302
    assert thread.messages.latest("pk").text == text.replace("\r\n", "\n")


def test_too_many_messages_keep_what_was_typed(
    thread: Thread, rater: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workflow, "MOST_PER_HOUR", 1)
    sent = {"text": "Once more.", "idempotency_key": "key"}
    response = signed_in(rater).post(address_of(thread), sent)
    html = response.content.decode()
    assert response.status_code == 422
    assert "You have sent many messages in the last hour." in html
    assert "Once more.</textarea>" in html


def test_foreign_text_is_inert_and_links_lead_where_they_say(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    text = (
        "<script>alert(1)</script> javascript:alert(1) "
        'see (https://example.org/a_(b)?c=1&d="x), https://example.org/<b>. @oak!'
    )
    say(thread, rater, text)
    html = read(signed_in(admin), address_of(thread))
    shown = html[html.rindex('<p class="words"') :].partition("</p>")[0]
    rel = 'rel="nofollow noopener noreferrer ugc" target="_blank"'
    assert shown == (
        '<p class="words" dir="auto">&lt;script&gt;alert(1)&lt;/script&gt; javascript:alert(1) '
        f'see (<a href="https://example.org/a_(b)?c=1&amp;d=" {rel}>https://example.org/a_(b)?c=1&amp;d='
        f'</a>&quot;x),<a href="https://example.org/" {rel}>https://example.org/</a>&lt;b&gt;.'
        '<b class="named">@oak</b>!'
    )


def test_rater_sees_where_the_answer_comes_and_that_it_has_come(
    campaign: Campaign, rater: Membership, admin: Membership
) -> None:
    client = signed_in(rater)
    address = client.get("/c/rivers/rate/").context["page"].assignment.pk
    htmx = {"HX-Request": "true"}
    flagged = f"/c/rivers/rate/{address}/flag/"
    html = client.post(flagged, {"reason": REASON}, headers=htmx).content.decode()
    thread = Thread.objects.get()
    assert "their answer will arrive in your inbox" in html
    assert address_of(thread) in html
    assert "new messages for you" not in read(client, "/c/rivers/rate/")
    say(thread, admin, "sentinel")
    html = read(client, "/c/rivers/rate/")
    assert "1 conversation has new messages for you." in html
    assert '<span class="badge">1<span class="unseen">unread</span></span>' in html
    assert "sentinel" not in html


def test_signed_out_pages_ask_for_no_inbox(db: None) -> None:
    assert "Inbox" not in Client().get("/login/").content.decode()
