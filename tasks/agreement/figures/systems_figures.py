"""How good the systems are, as people judged their answers (Bulian et al. 2022, Tab. 11)."""

from tasks.models import Campaign
from tasks.votes.system_answers import system_answers
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import estimate_as_json
from tomahto.ranking.all_pairs import PairDifference, all_pairs
from tomahto.ranking.system_accuracy import REPLICATES, JudgedSystem, judged_systems
from tomahto.types import JsonObject


def systems_figures(campaign: Campaign) -> JsonObject:
    """Every system, best first, and the differences of every two of them, the better one first.

    Accuracy is the share of rated items with a correct majority label, ties left out; how right
    the candidates are that people judge; and that with the exact matches, which count as correct
    and are never rated. The order is that of the last. A difference has an interval of its own, and
    under "together" one that holds for all pairs at once.
    """
    correct = campaign.annotation_protocol.correct_labels
    ranked = judged_systems(system_answers(campaign), correct, campaign.seed)
    bootstrap = bootstrap_of(campaign)
    return {
        "systems": [_system(campaign, system) for system in ranked],
        "differences": list(
            map(_difference, all_pairs([each.answers for each in ranked], bootstrap))
        ),
    }


def bootstrap_of(campaign: Campaign) -> Bootstrap:
    return Bootstrap(REPLICATES, campaign.seed)


def _system(campaign: Campaign, system: JudgedSystem[int]) -> JsonObject:
    """With the items that still wait, which a release does not have."""
    answers, labels = system.answers, campaign.annotation_protocol.scheme.labels
    return system.figures(labels) | {
        "items": answers.items,
        "unrated_items": answers.items - len(answers.rated),
    }


def _difference(pair: PairDifference) -> JsonObject:
    return {
        "better": pair.first,
        "worse": pair.second,
        "shared": pair.shared,
        **estimate_as_json(pair.alone),
        "together": estimate_as_json(pair.together),
    }
