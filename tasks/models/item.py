"""What is rated: documents, their questions, and the items made from candidates."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tasks.models.campaign import Campaign


class Document(models.Model):
    """The source page or passage group a context comes from. Splits never share one."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="documents")
    key = models.CharField(max_length=255)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="document_key_unique")
        ]

    def __str__(self) -> str:
        return self.key


class Question(models.Model):
    """A query with its passage and gold answers.

    `references` holds distinct texts; `answer_starts` their character offsets in the context,
    null where unknown. `fingerprint` is the hash of text and context: a question whose `key` is
    made of it is known by its texts only, until a file gives it a name. `split` is the one its
    source has it in, "" if none is known.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="questions")
    document = models.ForeignKey(Document, models.PROTECT, related_name="questions")
    key = models.CharField(max_length=255)
    text = models.TextField()
    context = models.TextField(blank=True)
    fingerprint = models.CharField(max_length=24)
    question_type = models.CharField(max_length=60, blank=True)
    split = models.CharField(max_length=40, blank=True, db_default="", default="")
    references = models.JSONField(default=list)
    answer_starts = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="question_key_unique")
        ]
        indexes = [models.Index(fields=["campaign", "fingerprint"], name="question_by_texts")]

    def __str__(self) -> str:
        return self.text


class ItemPurpose(models.TextChoices):
    """Why an item is there. Only live items get votes, agreement and a place in releases."""

    LIVE = "live", _("To be rated")
    CALIBRATION = "calibration", _("To train raters")
    CONTROL = "control", _("To check raters during live work")


class Item(models.Model):
    """One thing to rate, frozen as raters see it.

    For `ae` the 4-tuple (question, context, reference, candidate), the paper's AE-example; for
    other protocols the references stand together. `key` is the id an import gave, or one derived
    from the texts: equal texts are one item, whichever systems produced the candidate. `intended`
    is what a model was asked to write, the `target` of a generated text, or "". A control item may
    be copied from a live one: its votes and answer are withheld from whom those of that one are.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="items")
    question = models.ForeignKey(Question, models.PROTECT, related_name="items")
    key = models.CharField(max_length=255)
    references = models.JSONField()
    reference_index = models.PositiveSmallIntegerField(null=True)
    candidate = models.TextField()
    intended = models.CharField(max_length=100, blank=True, db_default="", default="")
    purpose = models.CharField(max_length=20, choices=ItemPurpose, default=ItemPurpose.LIVE)
    copied_from = models.ForeignKey(
        "self", models.PROTECT, null=True, related_name="copies", db_index=False
    )
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "key"], name="item_key_unique"),
            models.CheckConstraint(
                condition=models.Q(purpose__in=ItemPurpose.values), name="item_purpose_known"
            ),
            models.UniqueConstraint(
                fields=["copied_from"],
                name="item_copied_once",
                condition=models.Q(copied_from__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.question}: {self.candidate}"

    @property
    def system_names(self) -> list[str]:
        """Whose candidate it is."""
        return sorted(each.system.name for each in self.item_systems.all())


class ItemSystem(models.Model):
    """That a system produced an item's candidate."""

    item = models.ForeignKey(Item, models.PROTECT, related_name="item_systems")
    system = models.ForeignKey("System", models.PROTECT, related_name="item_systems")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "system"], name="system_once_per_item")
        ]

    def __str__(self) -> str:
        return f"{self.system}: {self.item}"
