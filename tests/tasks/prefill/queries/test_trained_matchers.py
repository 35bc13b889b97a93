"""The matchers that a campaign may use: those of the site, and its own."""

import pytest

from tasks.models import Campaign
from tasks.prefill.queries.matchers import (
    load_trained_matcher,
    require_matcher_name,
    trained_matcher_names,
    usable_matchers,
)
from tests.factories import make_campaign
from tests.tasks.prefill.trained import CFMATCH, store
from tomahto.learning.files import WeightsError
from tomahto.matching.registry import UnknownMatcherError, available_matchers


@pytest.fixture
def campaign(db: None) -> Campaign:
    return make_campaign("lakes")


def test_a_campaign_may_use_the_sites_matchers_and_its_own(campaign: Campaign) -> None:
    store(campaign)
    store(campaign, digest="another")
    store(make_campaign("seas"), "feather")
    assert trained_matcher_names(campaign) == ["cfmatch@lakes"]
    assert usable_matchers(campaign) == [*available_matchers(), "cfmatch@lakes"]
    require_matcher_name(campaign, "f1")
    require_matcher_name(campaign, "cfmatch@lakes")
    for name in ("feather@seas", "feather@lakes", "cfmatch@", "oracle"):
        with pytest.raises(UnknownMatcherError, match=f"no matcher '{name}'; known: em, f1"):
            require_matcher_name(campaign, name)


def test_the_newest_of_the_name_is_loaded(campaign: Campaign) -> None:
    store(campaign, weights="old and unreadable", digest="older")
    store(campaign)
    matcher = load_trained_matcher(campaign, "cfmatch@lakes")
    assert (matcher.name, matcher.version) == ("cfmatch@lakes", CFMATCH.matcher.version)


def test_names_of_other_campaigns_are_refused(campaign: Campaign) -> None:
    store(campaign)
    store(make_campaign("seas"), "feather")
    for name in ("feather@seas", "feather@lakes", "cfmatch@seas", "cfmatch@", "@lakes"):
        with pytest.raises(UnknownMatcherError, match=r"it has trained: cfmatch@lakes$"):
            load_trained_matcher(campaign, name)


def test_weights_that_cannot_be_read_name_the_matcher(campaign: Campaign) -> None:
    store(campaign, weights='{"features": "of another version"}')
    with pytest.raises(WeightsError, match=f"^cfmatch@lakes {CFMATCH.digest}: features: 'of an"):
        load_trained_matcher(campaign, "cfmatch@lakes")
