"""A campaign of any size in which nothing has been rated yet, stored in bulk."""

from django.db import connection, transaction

from tasks.campaigns.workflow.campaign import add_member, create_campaign
from tasks.models import ApiToken, Campaign, Document, Item, Question, Slot, User

_SPREAD = 2_654_435_761  # odd, so that the order of the items is a permutation
_SERIES = "WITH RECURSIVE series(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM series WHERE n < {})"
_ITEMS = """
INSERT INTO tasks_item
    (campaign_id, question_id, key, "references", candidate, purpose, created_at)
{series}
SELECT {campaign}, {question}, 'item-' || n, '["in the northern hills"]', 'far from the sea',
    'live', CURRENT_TIMESTAMP
FROM series
"""
_SLOTS = """
INSERT INTO tasks_slot (campaign_id, item_id, number, order_key, is_filled)
{series}
SELECT {campaign}, i.id, series.n - 1, (i.id * {spread}) % 4294967296, {false}
FROM tasks_item i CROSS JOIN series WHERE i.campaign_id = {campaign}
"""


def make_open_campaign(slug: str, *, items: int, overlap: int, raters: int) -> list[str]:
    """Items of one question, each with `overlap` open slots; returns a token for each rater."""
    campaign = create_campaign(slug=slug, protocol="ae", overlap=overlap)
    document = Document.objects.create(campaign=campaign, key="rivers")
    question = Question.objects.create(
        campaign=campaign, document=document, key="q", text="Where does it rise?", fingerprint=""
    )
    _store(campaign, question, items, overlap)
    tokens = []
    for number in range(raters):
        user = User.objects.create(username=f"{slug}-{number}")
        add_member(campaign=campaign, user=user, role="rater")
        tokens.append(ApiToken.issue(user))
    return tokens


def _store(campaign: Campaign, question: Question, items: int, overlap: int) -> None:
    ids = {"campaign": campaign.pk, "question": question.pk}
    false = "false" if connection.vendor == "postgresql" else "0"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_ITEMS.format(series=_SERIES.format(items), **ids))
        series = _SERIES.format(overlap)
        cursor.execute(_SLOTS.format(series=series, spread=_SPREAD, false=false, **ids))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    assert Item.objects.filter(campaign=campaign).count() == items
    assert Slot.objects.filter(campaign=campaign).count() == items * overlap
