"""The tables of the data explorer: a summary of every item, saved views, tags, and acts on many
items at once.

Summaries and scores are derived: `tasks.explorer.workflow.refreshing` works them out again for
every item that the queue of stale ones names. Triggers fill the queue (`summary_triggers`), so that
no way to write can forget it.
"""

import uuid

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import pgettext_lazy

from tasks.models.campaign import Campaign
from tasks.models.item import Document, Item
from tasks.models.people import Membership

START = 40
"""Characters of a text by which items are put in order."""

NO_SHARE = -1.0
"""Stands for the share of an item without votes, so that it has its place in the index."""


class ItemState(models.TextChoices):
    """The state of an item: ratings are missing; all are there and say the same; they differ, or
    adjudicators do; adjudicators have decided; it trains or checks raters and gets no votes; an
    admin has dismissed it, whatever its votes are."""

    OPEN = "open", pgettext_lazy("state of an item", "Not finished")
    RATED = "rated", pgettext_lazy("state of an item", "Rated")
    DISPUTED = "disputed", pgettext_lazy("state of an item", "Disputed")
    DECIDED = "decided", pgettext_lazy("state of an item", "Decided")
    APART = "apart", pgettext_lazy("state of an item", "No votes")
    DISMISSED = "dismissed", pgettext_lazy("state of an item", "Dismissed")


class ItemSummary(models.Model):
    """One narrow row for each item, for filters and orders over a million of them.

    Votes are the counted ratings of live items. `wanted` counts the slots that are offered,
    `unfilled` those of them without a rating. `label` is the majority label or "" for a tie and
    without votes, `labels` a bit for each label that has votes, in the protocol's order, `share`
    the part of the most frequent label, NO_SHARE without votes. `first_rated_at` is when the first
    rating came, counted or not; `last_rated_at` when the newest revision did, the beginning of 1970
    without any. `decided` is the label on which all adjudicators agree, else "".
    """

    item = models.OneToOneField(
        Item, models.PROTECT, primary_key=True, related_name="summary", db_constraint=False
    )
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+", db_index=False)
    document = models.ForeignKey(
        Document, models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    purpose = models.CharField(max_length=20)
    question_type = models.CharField(max_length=60, blank=True)
    split = models.CharField(max_length=40, blank=True)
    question_start = models.CharField(max_length=START, blank=True)
    candidate_start = models.CharField(max_length=START, blank=True)
    ratings = models.PositiveIntegerField(default=0)
    wanted = models.PositiveIntegerField(default=0)
    unfilled = models.PositiveIntegerField(default=0)
    label = models.CharField(max_length=60, blank=True)
    labels = models.BigIntegerField(default=0)
    is_tied = models.BooleanField(default=False)
    is_disputed = models.BooleanField(default=False)
    share = models.FloatField(default=NO_SHARE)
    first_rated_at = models.DateTimeField(null=True)
    last_rated_at = models.DateTimeField()
    decided = models.CharField(max_length=60, blank=True)
    is_decided = models.BooleanField(default=False)
    open_flags = models.PositiveIntegerField(default=0)
    flags = models.PositiveIntegerField(default=0)
    skips = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=20, choices=ItemState)

    class Meta:
        verbose_name_plural = "item summaries"
        constraints = [
            models.CheckConstraint(condition=Q(state__in=ItemState.values), name="item_state_known")
        ]
        indexes = [
            models.Index(fields=["campaign", "item"], name="summary_by_item"),
            models.Index(fields=["campaign", "question_start", "item"], name="summary_by_question"),
            models.Index(
                fields=["campaign", "candidate_start", "item"], name="summary_by_candidate"
            ),
            models.Index(fields=["campaign", "ratings", "item"], name="summary_by_ratings"),
            models.Index(fields=["campaign", "share", "item"], name="summary_by_share"),
            models.Index(fields=["campaign", "last_rated_at", "item"], name="summary_by_time"),
            models.Index(fields=["campaign", "label", "item"], name="summary_by_label"),
            models.Index(fields=["campaign", "state", "item"], name="summary_by_state"),
            models.Index(fields=["campaign", "document", "item"], name="summary_by_document"),
            models.Index(
                fields=["campaign", "item"], name="summary_flagged", condition=Q(flags__gt=0)
            ),
            models.Index(
                fields=["campaign", "item"], name="summary_disputed", condition=Q(is_disputed=True)
            ),
            models.Index(fields=["campaign", "purpose", "item"], name="summary_by_purpose"),
            models.Index(fields=["campaign", "question_type", "item"], name="summary_by_type"),
            models.Index(fields=["campaign", "split", "item"], name="summary_by_split"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id}: {self.state}"


class ItemScore(models.Model):
    """The newest score of a matcher for an item; `differs`: its verdict is not that of the majority
    label, None where there is no such label."""

    item = models.ForeignKey(
        Item, models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="+", db_index=False)
    matcher = models.CharField(max_length=80)
    score = models.FloatField()
    is_correct = models.BooleanField()
    differs = models.BooleanField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "matcher"], name="one_score_per_matcher")
        ]
        indexes = [
            models.Index(fields=["campaign", "matcher", "score", "item"], name="scores_in_order"),
            models.Index(
                fields=["campaign", "matcher", "is_correct", "item"], name="scores_by_verdict"
            ),
            models.Index(
                fields=["campaign", "matcher", "item"],
                name="scores_that_differ",
                condition=Q(differs=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.matcher} {self.score:.2f}"


class StaleItem(models.Model):
    """That an item's summary is out of date, and with `texts` what the text search knows of it.

    Written by triggers alone; the same item may be named many times.
    """

    campaign = models.ForeignKey(
        Campaign, models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    item = models.ForeignKey(
        Item, models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    texts = models.BooleanField(default=False, db_default=False)

    class Meta:
        indexes = [models.Index(fields=["campaign", "item"], name="stale_items_of_campaign")]

    def __str__(self) -> str:
        return f"item {self.item_id}"


class ItemHandling(models.Model):
    """The handling of an item apart from its campaign, because an admin wanted it so.

    A dismissed item gets no more ratings and waits for no adjudicator; what was said of it stays
    and counts. One that was sent waits for adjudicators whatever its votes are. `more_ratings` come
    on top of those that its systems and the campaign want.
    """

    item = models.OneToOneField(Item, models.PROTECT, primary_key=True, related_name="handling")
    is_dismissed = models.BooleanField(default=False)
    is_sent = models.BooleanField(default=False)
    more_ratings = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"item {self.item_id}"


class Tag(models.Model):
    """A word that members put on items, for themselves: it changes nothing else."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="tags", db_index=False)
    name = models.CharField(max_length=60)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "name"], name="tag_name_unique"),
            models.CheckConstraint(condition=~Q(name=""), name="tag_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class ItemTag(models.Model):
    tag = models.ForeignKey(Tag, models.PROTECT, related_name="item_tags", db_index=False)
    item = models.ForeignKey(Item, models.PROTECT, related_name="item_tags")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tag", "item"], name="tag_once_per_item")]

    def __str__(self) -> str:
        return f"{self.tag}: item {self.item_id}"


class ActKind(models.TextChoices):
    TAG = "tag", pgettext_lazy("act on items", "Tag")
    UNTAG = "untag", pgettext_lazy("act on items", "Remove a tag")
    SEND = "send-to-adjudication", pgettext_lazy("act on items", "Send to adjudication")
    MORE = "more-ratings", pgettext_lazy("act on items", "Ask for more ratings")
    ASSIGN = "assign", pgettext_lazy("act on items", "Assign to people")
    CONTROL = "make-controls", pgettext_lazy("act on items", "Make control items")
    SET_ASIDE = "set-aside", pgettext_lazy("act on items", "Set ratings aside")
    DISMISS = "dismiss", pgettext_lazy("act on items", "Dismiss")
    TAKE_BACK = "take-back", pgettext_lazy("act on items", "Undo the dismissal")


class BulkAct(models.Model):
    """One act on many items, and whether it was undone.

    `options` is what it was told beside the items, `result` how these were named, and what undoing
    it needs and came to.
    `left_out` says how many of the chosen items it left alone, by the reason.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="bulk_acts")
    member = models.ForeignKey(Membership, models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=30, choices=ActKind)
    options = models.JSONField(default=dict)
    left_out = models.JSONField(default=dict)
    result = models.JSONField(default=dict)
    idempotency_key = models.CharField(max_length=100, default=uuid.uuid4)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(
        Membership, models.PROTECT, null=True, related_name="+", db_index=False
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["member", "idempotency_key"], name="bulk_act_key_once"),
            models.CheckConstraint(
                condition=Q(undone_at=None, undone_by=None)
                | Q(undone_at__isnull=False, undone_by__isnull=False),
                name="bulk_act_undone_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class ActedItem(models.Model):
    act = models.ForeignKey(BulkAct, models.PROTECT, related_name="acted_items", db_index=False)
    item = models.ForeignKey(Item, models.PROTECT, related_name="acted")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["act", "item"], name="acted_on_once")]

    def __str__(self) -> str:
        return f"{self.act}: item {self.item_id}"


class SavedView(models.Model):
    """A name for filters, order and columns of the explorer: `query` is what its address has after
    the question mark. Others see it if it is shared."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="saved_views")
    member = models.ForeignKey(Membership, models.PROTECT, related_name="+", db_index=False)
    name = models.CharField(max_length=100)
    query = models.TextField(blank=True)
    is_shared = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["member", "name"], name="view_name_once_per_member"),
            models.CheckConstraint(condition=~Q(name=""), name="view_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name
