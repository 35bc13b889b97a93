"""Texts that are rated: documents, their questions, the candidates that systems gave, the items
made of both, and texts that a model wrote. None of the last is rated before a person has approved
it."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from tasks.models.campaign import Campaign
from tasks.models.people import Membership


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
        indexes = [models.Index(fields=["campaign", "purpose"], name="items_by_purpose")]

    def __str__(self) -> str:
        return f"{self.question}: {self.candidate}"

    @property
    def system_names(self) -> list[str]:
        """The system that gave the candidate."""
        return sorted(each.system.name for each in self.item_systems.all())


class ItemSystem(models.Model):
    item = models.ForeignKey(Item, models.PROTECT, related_name="item_systems")
    system = models.ForeignKey("System", models.PROTECT, related_name="item_systems")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "system"], name="system_once_per_item")
        ]

    def __str__(self) -> str:
        return f"{self.system}: {self.item}"


class System(models.Model):
    """Whatever produces candidates: a QA system, a language model, a person.

    `overlap` is how many ratings its items are to get, where that differs from the campaign's.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="systems")
    name = models.CharField(max_length=255)
    overlap = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "name"], name="system_name_unique")
        ]

    def __str__(self) -> str:
        return self.name


class Candidate(models.Model):
    """An answer a system gave. Exact matches with any reference are recorded and not rated;
    `is_exact_match` is false of one that is to be rated all the same.

    `score` is the system's confidence, for the order of its own answers. `alternatives` are the
    pairs (text, score) it might have given instead, best first. `provenance` says which version of
    an answerer gave it, and how (model, prompt, parameters, raw reply).
    """

    system = models.ForeignKey(System, models.PROTECT, related_name="candidates")
    question = models.ForeignKey(Question, models.PROTECT, related_name="candidates")
    text = models.TextField(blank=True)
    is_exact_match = models.BooleanField()
    score = models.FloatField(null=True, blank=True)
    alternatives = models.JSONField(default=list, blank=True)
    provenance = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["system", "question"], name="one_candidate_per_question"
            )
        ]

    def __str__(self) -> str:
        return self.text


class GeneratedKind(models.TextChoices):
    CANDIDATES = "candidates", _("Candidates by class")
    STATEMENTS = "statements", _("Statements")
    RULES = "rules", _("Pairs by rule")


class GeneratedState(models.TextChoices):
    PENDING = "pending", _("Pending")
    APPROVED = "approved", _("Approved")
    REJECTED = "rejected", _("Rejected")
    FAILED = "failed", _("Failed")


class GeneratedText(models.Model):
    """A draft with all that is known of how it came about, or a reply that made none.

    `target` is what it was asked to be: a class of CAP, `SUBJECT/TYPE`, or `RULE/LABEL`. `source`
    is the campaign's question it was made for; drafts that bring their own question have none.
    `system` names who wrote it. A failed one has an `error` and no texts. `fingerprint` is the
    hash of the texts (or of the failure and its draw), so that a repeated job stores nothing twice.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="generated_texts")
    kind = models.CharField(max_length=20, choices=GeneratedKind)
    target = models.CharField(max_length=100)
    source = models.ForeignKey(Question, models.PROTECT, null=True, related_name="+")
    question = models.TextField(blank=True)
    question_type = models.CharField(max_length=60, blank=True)
    reference = models.TextField(blank=True)
    candidate = models.TextField(blank=True)
    system = models.CharField(max_length=255)
    provenance = models.JSONField(default=dict)
    error = models.TextField(blank=True)
    fingerprint = models.CharField(max_length=64)
    state = models.CharField(max_length=20, choices=GeneratedState, default=GeneratedState.PENDING)
    reviewed_by = models.ForeignKey(Membership, models.PROTECT, null=True, related_name="+")
    reviewed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["campaign", "state", "id"], name="generated_by_state")]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "kind", "fingerprint"], name="generated_text_once"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=GeneratedKind.values), name="generated_kind_known"
            ),
            models.CheckConstraint(
                condition=(
                    Q(state__in=[GeneratedState.PENDING, GeneratedState.FAILED])
                    & Q(reviewed_by=None, reviewed_at=None)
                )
                | (
                    Q(state__in=[GeneratedState.APPROVED, GeneratedState.REJECTED])
                    & Q(reviewed_by__isnull=False, reviewed_at__isnull=False)
                ),
                name="generated_state_says_who_reviewed",
            ),
            models.CheckConstraint(
                condition=(Q(state=GeneratedState.FAILED, candidate="") & ~Q(error=""))
                | (~Q(state=GeneratedState.FAILED) & Q(error="") & ~Q(candidate="")),
                name="generated_text_or_error",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.target}: {self.candidate or self.error}"

    @property
    def asked(self) -> str:
        """The question, which is the source's where there is one."""
        return self.source.text if self.source else self.question
