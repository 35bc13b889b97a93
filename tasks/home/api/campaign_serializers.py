"""A campaign in answers of the API."""

from typing import Any, get_args

from rest_framework import serializers

from tasks.campaigns.workflow.campaign import SETTINGS
from tasks.home.queries.own_work import NextForMember
from tasks.models import Campaign, CampaignState, Role
from tasks.rating.workflow.admission import Missing
from tasks.rating.workflow.items_left import MOST_LEFT


class SettingsSerializer(serializers.ModelSerializer[Campaign]):
    """Settings that may change in a running campaign."""

    class Meta:
        model = Campaign
        fields = SETTINGS


class ContentsSerializer(serializers.Serializer[Any]):
    """How much of what there is in a campaign."""

    questions = serializers.IntegerField()
    unanswerable = serializers.IntegerField(
        help_text="Of the questions; candidates for them are not counted."
    )
    candidates = serializers.IntegerField()
    exact_matches = serializers.IntegerField(help_text="Of the candidates; they are not rated.")
    items = serializers.IntegerField()
    suggested = serializers.IntegerField(help_text="Items that the campaign's matcher has scored.")
    raters = serializers.IntegerField(help_text="Active members of that role with an account.")
    have_rated = serializers.IntegerField(
        help_text="Raters with at least one vote, by account or import."
    )
    ratings = serializers.IntegerField()
    releases = serializers.IntegerField()


class ProgressSerializer(serializers.Serializer[Any]):
    """Ratings in place, and ratings wanted; those of live items, without surplus."""

    done = serializers.IntegerField()
    wanted = serializers.IntegerField()


class TimeSpentSerializer(serializers.Serializer[Any]):
    """Active seconds, revisions included; `pace` is the median over the items."""

    total = serializers.FloatField()
    this_week = serializers.FloatField()
    pace = serializers.FloatField(allow_null=True)
    items = serializers.IntegerField(help_text="Those whose time is known.")


class OwnStandingSerializer(serializers.Serializer[Any]):
    """The caller's progress in the campaign."""

    role = serializers.ChoiceField(choices=Role.choices)
    pseudonym = serializers.CharField()
    is_paused = serializers.BooleanField()
    missing = serializers.ChoiceField(
        choices=get_args(Missing), allow_null=True, help_text="Steps before the first item."
    )
    next = serializers.ChoiceField(
        choices=get_args(NextForMember),
        help_text="Next step for a rater; `stuck` if an admin has to decide about the calibration.",
    )
    left = serializers.IntegerField(
        allow_null=True,
        help_text="Upper bound of the items left to rate, control items included: rounded to "
        f"tens, or the rest of the quota; null for more than {MOST_LEFT}.",
    )
    ratings = serializers.IntegerField(help_text="Items rated; revisions count once.")
    time = TimeSpentSerializer()


class NextStepSerializer(serializers.Serializer[Any]):
    """The next thing to do in a campaign; `key` names the case as the documentation does."""

    key = serializers.CharField()
    page = serializers.CharField(help_text="Path of the page for this step.")


class LabelSerializer(serializers.Serializer[Any]):
    value = serializers.CharField()
    title = serializers.CharField()


class CampaignSerializer(serializers.Serializer[Any]):
    """A campaign as its members see it; `progress`, `settings`, `contents` and `next_step` are null
    for raters.

    The progress of a campaign rises with ratings of live items alone, so a rater who saw it could
    tell control items from them.
    """

    slug = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    language = serializers.CharField()
    protocol = serializers.CharField()
    labels = LabelSerializer(many=True)
    state = serializers.ChoiceField(choices=CampaignState.choices)
    guideline_version = serializers.IntegerField(allow_null=True)
    consent_version = serializers.IntegerField(allow_null=True)
    progress = ProgressSerializer(allow_null=True)
    own = OwnStandingSerializer()
    settings = SettingsSerializer(allow_null=True)
    contents = ContentsSerializer(allow_null=True)
    next_step = NextStepSerializer(allow_null=True)
