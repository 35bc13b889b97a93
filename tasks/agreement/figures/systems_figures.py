"""How good the systems are, as people judged their answers (Bulian et al. 2022, Tab. 11)."""

from itertools import combinations

from tasks.models import Campaign
from tasks.votes.system_answers import system_answers
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import estimate_as_json
from tomahto.ranking.system_accuracy import REPLICATES, JudgedSystem, difference, judged_systems
from tomahto.ranking.system_answers import SystemAnswers
from tomahto.types import JsonObject


def systems_figures(campaign: Campaign) -> JsonObject:
    """Every system, best first, and the differences of all pairs, the better in this order first;
    counts alone where no label means that a candidate is right.

    Accuracy is the share of rated items with a correct majority label, ties left out; how right
    the candidates are that people judge; and that with the exact matches, which count as correct
    and are never rated. The order is that of the last.
    """
    accepted = frozenset(campaign.annotation_protocol.accepted_labels)
    bootstrap = bootstrap_of(campaign)
    ranked = judged_systems(system_answers(campaign), accepted, bootstrap)
    return {
        "systems": [_system(campaign, system) for system in ranked],
        "differences": [
            _difference(better.answers, worse.answers, bootstrap)
            for better, worse in combinations(ranked if accepted else (), 2)
        ],
    }


def bootstrap_of(campaign: Campaign) -> Bootstrap:
    return Bootstrap(REPLICATES, campaign.seed)


def _system(campaign: Campaign, system: JudgedSystem[int]) -> JsonObject:
    """With the items that still wait, which a release does not have."""
    answers, protocol = system.answers, campaign.annotation_protocol
    return system.figures(protocol.scheme.labels, protocol.accepted_labels) | {
        "items": answers.items,
        "unrated_items": answers.items - len(answers.rated),
    }


def _difference(
    better: SystemAnswers[int], worse: SystemAnswers[int], bootstrap: Bootstrap
) -> JsonObject:
    return {
        "better": better.system,
        "worse": worse.system,
        "shared": len(better.questions & worse.questions),
        **estimate_as_json(difference(better, worse, bootstrap)),
    }
