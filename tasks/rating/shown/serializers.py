"""Items, forms, ratings and evidence as the API takes and gives them: nothing else leaves."""

from collections.abc import Mapping
from functools import cache
from typing import Any, get_args

from rest_framework import serializers
from rest_framework.request import Request

from tasks.models import Campaign, Item, Suggestion
from tasks.models.rating import validate_wording, validators_of
from tasks.protocols.wording import form_texts
from tasks.rating.workflow.admission import Missing
from tasks.rating.workflow.rating import MAX_SECONDS
from tasks.votes.items import ItemToRate, as_shown, id_for_raters
from tasks.web.api_errors import ErrorSerializer
from tomahto.votes.remarks import REMARKS, TYPED, Remarks


class SubmittedAnswers(serializers.Serializer[Any]):
    """The protocol's answers, as `answers` or beside the other fields.

    A yes/no question takes true and false (or "yes" and "no"); a question that is not asked is
    absent or null.
    """

    answers = serializers.DictField(
        required=False, help_text="Answers by question key, as in `form.questions` of the claim."
    )

    def answers_in(self, body: Mapping[str, Any]) -> dict[str, Any]:
        if "answers" in body:
            return dict(body["answers"])
        return {key: value for key, value in body.items() if key not in self.fields}


class TakesRemarks(serializers.Serializer[Any]):
    """A body with the remarks that raters type."""

    def get_fields(self) -> dict[str, Any]:
        return super().get_fields() | {
            remark.name: serializers.CharField(
                required=False,
                default="",
                allow_blank=True,
                max_length=remark.max_length,
                trim_whitespace=False,
                validators=validators_of(remark),
            )
            for remark in TYPED
        }


class GivesRemarks(serializers.Serializer[Any]):
    """A rating or a draft with the remarks that its rater typed."""

    def get_fields(self) -> dict[str, Any]:
        return super().get_fields() | {remark.name: serializers.CharField() for remark in TYPED}


class RatingSubmission(TakesRemarks, SubmittedAnswers):
    """A rating: the answers to a claimed item."""

    seconds = serializers.FloatField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MAX_SECONDS,
        help_text="Active time.",
    )
    guideline_version = serializers.IntegerField(
        required=False,
        allow_null=True,
        help_text="Version of the guidelines that the rater saw; refused (409) if it is no longer "
        "in use.",
    )
    wording = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=50,
        validators=[validate_wording],
        help_text="Wording that the rater was asked in, as named in `form.wordings`; empty for "
        "the published one, which the form holds.",
    )


class ItemSerializer(serializers.Serializer[Any]):
    """What a rater sees of an item: neither its systems nor anybody's opinion of it.

    To raters `id` is a name made up for them; to adjudicators it is the item's own.
    """

    id = serializers.CharField()
    question = serializers.CharField()
    context = serializers.CharField()  # type: ignore[assignment]  # a field named like DRF's own
    references = serializers.ListField(child=serializers.CharField())
    candidate = serializers.CharField()

    def to_representation(self, instance: Item | ItemToRate) -> dict[str, Any]:
        item = as_shown(instance) if isinstance(instance, Item) else instance
        return {
            "id": id_for_raters(item.id),
            "question": item.question,
            "context": item.context,
            "references": item.references,
            "candidate": item.candidate,
        }


class SuggestionSerializer(serializers.ModelSerializer[Suggestion]):
    class Meta:
        model = Suggestion
        fields = ["matcher", "score", "is_correct"]


class ChoiceSerializer(serializers.Serializer[Any]):
    value = serializers.CharField()
    title = serializers.CharField()
    meaning = serializers.CharField()
    when = serializers.DictField(
        child=serializers.CharField(), help_text="Offered only after exactly these answers."
    )


class QuestionSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    text = serializers.CharField()
    note = serializers.CharField()
    multiple = serializers.BooleanField()
    when = serializers.DictField(
        child=serializers.CharField(), help_text="Asked only after exactly these answers."
    )
    choices = ChoiceSerializer(many=True)


class WordingSerializer(serializers.Serializer[Any]):
    """The form in another language: a rating given in these words says `name` as `wording`."""

    name = serializers.CharField()
    language = serializers.CharField()
    texts = serializers.DictField(
        child=serializers.CharField(), help_text="By the text of the form."
    )


class FormSerializer(serializers.Serializer[Any]):
    protocol = serializers.CharField()
    guideline_version = serializers.IntegerField(allow_null=True)
    wordings = WordingSerializer(many=True, help_text="Languages of the form besides English.")
    questions = QuestionSerializer(many=True)


class ClaimSerializer(serializers.Serializer[Any]):
    """A claimed item. Send `idempotency_key` back as the header `Idempotency-Key`."""

    assignment = serializers.IntegerField()
    idempotency_key = serializers.CharField()
    expires_at = serializers.DateTimeField()
    item = ItemSerializer()
    form = FormSerializer()
    suggestion = SuggestionSerializer(
        allow_null=True, required=False, help_text="Only where the campaign shows suggestions."
    )


class RatingSerializer(serializers.Serializer[Any]):
    """A stored rating. `counted` is false for a surplus one."""

    rating = serializers.IntegerField()
    assignment = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field named like DRF's own
    counted = serializers.BooleanField()
    supersedes = serializers.IntegerField(allow_null=True)
    suggestion = SuggestionSerializer(
        allow_null=True,
        help_text="Where raters see it after their answer. They go on by `go-on`, or a claim.",
    )


def body_of(
    request: Request, kind: type[SubmittedAnswers]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The checked fields of a submission besides its answers, and these as given.

    Raises ValidationError naming the field.
    """
    if not isinstance(request.data, dict):
        raise serializers.ValidationError("the body must be a JSON object")
    body = _checking(kind)
    fields = dict(body.run_validation(request.data))
    fields.pop("answers", None)
    return fields, body.answers_in(request.data)


@cache
def _checking(kind: type[SubmittedAnswers]) -> SubmittedAnswers:
    """One for all calls, as it keeps nothing of them: making its fields takes three times as long
    as checking a body."""
    return kind()


def with_remarks(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a body with its remarks as one, as the workflow takes them."""
    remarks = {each.name: fields.pop(each.name) for each in REMARKS if each.name in fields}
    return fields | {"remarks": Remarks(**remarks)}


def form_of(campaign: Campaign) -> dict[str, Any]:
    protocol = campaign.annotation_protocol
    return {
        "protocol": protocol.name,
        "guideline_version": campaign.guideline_version,
        "wordings": [
            {
                "name": wording.name,
                "language": wording.language,
                "texts": {text: wording.texts[text] for text in form_texts(protocol)},
            }
            for wording in campaign.form_wordings
        ],
        "questions": [
            {
                "key": question.key,
                "text": question.text,
                "note": question.note,
                "multiple": question.multiple,
                "when": dict(question.when),
                "choices": [
                    {
                        "value": choice.value,
                        "title": choice.title,
                        "meaning": choice.meaning,
                        "when": dict(choice.when),
                    }
                    for choice in question.choices
                ],
            }
            for question in protocol.questions
        ],
    }


class EvidenceVoteSerializer(GivesRemarks):
    """A rating in its last revision. `counted` is false for a surplus one and one set aside."""

    rating = serializers.IntegerField(source="pk")
    rater = serializers.CharField(source="rater.pseudonym", help_text="Pseudonym.")
    label = serializers.CharField(source="outcome.label")  # type: ignore[assignment]  # a field named like DRF's own
    answers = serializers.DictField(source="outcome.answers")
    counted = serializers.BooleanField(source="is_counted")
    set_aside = serializers.BooleanField(source="is_set_aside", help_text="By an admin's act.")
    seconds = serializers.FloatField(allow_null=True)
    rated_at = serializers.DateTimeField(allow_null=True)


class MatcherSuggestionSerializer(serializers.Serializer[Any]):
    matcher = serializers.CharField()
    version = serializers.CharField()
    score = serializers.FloatField()
    is_correct = serializers.BooleanField()
    explanation = serializers.JSONField(allow_null=True)


class FlagOnItemSerializer(serializers.Serializer[Any]):
    flag = serializers.IntegerField(source="pk")
    rater = serializers.CharField(source="rater.pseudonym", help_text="Pseudonym.")
    reason = serializers.CharField()
    created_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(allow_null=True)
    settlement = serializers.CharField()


def item_with_evidence(item: Item) -> dict[str, Any]:
    """As ItemSerializer describes it, with the item's own id."""
    return {
        "id": item.key,
        "question": item.question.text,
        "context": item.question.context,
        "references": item.references,
        "candidate": item.candidate,
    }


class NotAdmittedSerializer(ErrorSerializer):
    """What has to be done before an item can be claimed, and the page where it is done."""

    missing = serializers.ChoiceField(choices=get_args(Missing))
    url = serializers.URLField()
