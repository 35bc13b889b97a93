"""Everything that a rater sees of a control item, and from then on, is what they would see of a
live item with the same texts."""

import re
from collections.abc import Iterator

import pytest
from django.db.models import F
from django.test import Client

from tasks.campaigns.workflow.campaign import change_settings
from tasks.intake.workflow.items import import_items
from tasks.models import Assignment, Campaign, Item, Membership, Suggestion, Thread
from tests.factories import make_campaign, make_member
from tests.sampling import mostly
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import item_row
from tests.tasks.whole.routes import ANYBODY, ROWS, Row, addresses, filled
from tomahto.interchange.reading.records import GivenAnswer, ItemRow

pytestmark = pytest.mark.slow


# what differs between any two campaigns, raters and answers
PARTICULAR = re.compile(
    r'nonce="[^"]*"|nonce-[\w-]*|name="(csrfmiddlewaretoken|idempotency_key)" value="[^"]*"'
    r"|i-[0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=rate/)\d+|(?<=assignments/)\d+"
    r"|(?<=threads/)\d+|(?<=message-)\d+"
    r'|(?<=data-assignment=")\d+|(?<="assignment":)\d+|(?<="rating":)\d+|(?<="supersedes":)\d+'
    r'|(?<="id":)\d+|rater-[0-9a-f]+|\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)'
    r"|<time[^>]*>[^<]*</time>|<code>[0-9a-f]{32}</code>"
)
OF_EVERY_ANSWER = {"Content-Length", "Content-Security-Policy", "Expires", "X-Request-ID"}


def row(place: int, *, has_control: bool) -> ItemRow:
    is_control = has_control and place == 2
    return item_row(
        place,
        id=f"gold-{place}" if is_control else f"live-{place}",
        question=f"Where does river {place} rise?",
        purpose="control" if is_control else "live",
        expected=GivenAnswer("equivalent") if is_control else None,
    )


def campaign_of(slug: str, *, has_control: bool, policy: str) -> Campaign:
    """Three items of which the second comes second, as a control item or as a live one."""
    campaign = make_campaign(slug, title="Rivers", overlap=1, suggestions=policy)
    settings = {"item_order": "oldest", "control_every": 1, "rater_quota": 3}
    change_settings(campaign=campaign, changes=settings)
    rows = [row(place, has_control=has_control) for place in (1, 2, 3)]
    import_items(campaign=campaign, rows=rows)
    Suggestion.objects.bulk_create(
        Suggestion(item=item, matcher="feather", version="1", score=0.8125, is_correct=True)
        for item in campaign.items.all()
    )
    return campaign


class Rater:
    """One who looks at everything after each step."""

    def __init__(self, membership: Membership) -> None:
        self.membership, self.client = membership, signed_in(membership)
        self.campaign = membership.campaign

    def held(self) -> Assignment:
        return Assignment.objects.filter(rater=self.membership).latest("pk")

    def everything(self) -> Iterator[tuple[str, str]]:
        """The address, and status, headers and body of all that can be read there."""
        threads = Thread.objects.filter(rater=self.membership)
        parts = {
            "<int:assignment_id>": str(self.held().pk),
            "<int:item_id>": "1",
            "<int:thread_id>": str(max(threads.values_list("pk", flat=True), default=0)),
        }
        for name, pattern in addresses():
            row = ROWS.get(name, Row(ANYBODY, ()))
            if row.people == ANYBODY or not row.admits("rater", "GET") or "GET" not in row.methods:
                continue
            for part, number in parts.items():
                pattern = pattern.replace(part, number)
            address = filled(pattern, self.membership)
            yield self.said(self.client, "GET", address)

    def said(self, client: Client, method: str, address: str, **body: object) -> tuple[str, str]:
        response = client.generic(method, address, **body)  # type: ignore[arg-type]
        content = b"".join(response) if response.streaming else response.content
        headers = {k: v for k, v in response.headers.items() if k not in OF_EVERY_ANSWER}
        text = f"{response.status_code} {sorted(headers.items())} {content.decode()}"
        return self.plain(f"{method} {address}"), self.plain(text)

    def plain(self, text: str) -> str:
        user = self.membership.user
        assert user is not None
        for own, word in (
            (self.campaign.slug, "SLUG"),
            (user.username, "NAME"),
            (self.membership.pseudonym, "PSEUDONYM"),
        ):
            text = text.replace(own, word)
        return PARTICULAR.sub("…", text)

    def api(self, place: str, body: str, key: str = "") -> tuple[str, str]:
        address = f"/api/v1/{place}"
        headers = {"Idempotency-Key": key} if key else {}
        more = {"data": body, "content_type": "application/json", "headers": headers}
        return self.said(self.client, "POST", address, **more)

    def work(self) -> Iterator[tuple[str, str]]:
        """The whole way: claim, look, rate, look, revise, look, flag, skip."""
        for place in (1, 2, 3):
            yield self.api(f"campaigns/{self.campaign.slug}/claim", "{}")
            yield from self.everything()
            number = self.held().pk
            yield self.api(f"assignments/{number}/following", "{}")
            yield self.api(f"assignments/{number}/flag", '{"reason": "A typo."}')
            yield self.api(f"assignments/{number}/rating", '{"q1": true}', f"first-{place}")
            yield from self.everything()
            yield self.api(f"assignments/{number}/go-on", "{}")
            answers = '{"q1": false, "q2": true}'
            yield self.api(f"assignments/{number}/rating", answers, f"second-{place}")
            yield from self.everything()
        yield self.api(f"campaigns/{self.campaign.slug}/claim", "{}")


@pytest.mark.parametrize("policy", mostly(["hidden", "before", "after"], "before"))
def test_a_control_item_looks_like_a_live_one_everywhere(db: None, policy: str) -> None:
    seen = []
    for slug, has_control in (("with-gold", True), ("all-alive", False)):
        campaign = campaign_of(slug, has_control=has_control, policy=policy)
        rater = Rater(make_member(campaign, "rater", f"pine-{slug}"))
        seen.append(list(rater.work()))
        rated = rater.membership.assignments.order_by("pk").values_list(
            F("item__purpose"), flat=True
        )
        assert list(rated) == ["live", "control" if has_control else "live", "live"]
    differing = [a for a, b in zip(*seen, strict=True) if a != b]
    assert not differing, differing[:1]
    assert not [where for where, text in seen[0] if "gold" in text]
    # they look at something: an item's texts, its rating and the rater's own count
    assert Item.objects.filter(key="gold-2").exists()
    texts = " ".join(text for _where, text in seen[0])
    assert len(seen[0]) > 80
    assert all(f"river {place} rise" in texts for place in (1, 2, 3))
    assert "<b>2</b> of 3 rated by you" in texts
