"""Bulian et al. 2022 again, from the public AE files: sizes, agreement, shares judged equivalent.

The paper's shares and accuracies count ratings where it does not say otherwise: 54.00 % of AE dev
(Tab. 4, EM) is a share of its 4,446 ratings, and of no number of its 2,734 AE-examples.
"""

from functools import partial

from tomahto.estimates.estimate import Estimate
from tomahto.lab.reproduce.ae_files import SPLITS, SYSTEMS, AeFiles, Part
from tomahto.lab.reproduce.bulian_metrics import JudgedFiles, metrics_found
from tomahto.lab.reproduce.bulian_sets import sets_found
from tomahto.lab.reproduce.bulian_systems import systems_found
from tomahto.lab.reproduce.comparison import Cells, Found
from tomahto.lab.reproduce.rated_pairs import RatedPairs
from tomahto.lab.reproduce.shares import counted
from tomahto.reliability.agreement import full_agreement, pair_agreement_item_mean, published_alpha

_PER_ITEM = {"one rating": 1, "two ratings": 2, "three ratings": 3, "four ratings": 4}


def bulian_found(judged: JudgedFiles) -> Found:
    """Every figure of the paper, or which input it needs."""
    given = judged.given
    return {
        **dict(_sizes(given)),
        **dict(_ratings_of_dev(given)),
        **dict(_agreement(given)),
        **dict(_equivalent(given)),
        **metrics_found(judged),
        **systems_found(judged),
        **dict(sets_found(given)),
    }


def _sizes(given: AeFiles) -> Cells:
    """Tab. 2 and 10."""
    splits = {title: given.part(name) for name, title in SPLITS.items()}
    for column, part in {**splits, "Total": given.part(*SPLITS)}.items():
        yield ("tab2", "AE-examples", column), part.find(_examples)
        yield ("tab2", "Ratings", column), part.find(_ratings)
    systems = {title: given.part(name) for name, title in SYSTEMS.items()}
    for column, part in {**systems, "Total": _dev(given)}.items():
        yield ("tab10", "Non-exact matches", column), part.find(_candidates)
        yield ("tab10", "AE-examples", column), part.find(_examples)
        yield ("tab10", "Ratings", column), part.find(_ratings)


def _ratings_of_dev(given: AeFiles) -> Cells:
    """§3.5: how many AE-examples of SQuAD dev have how many ratings."""
    table, column, dev = "sec35", "SQuAD dev", _dev(given)
    yield (table, "Ratings", column), dev.find(_ratings)
    yield (table, "AE-examples", column), dev.find(_examples)
    yield (table, "Ties", column), dev.find(_ties)
    for words, ratings in _PER_ITEM.items():
        yield (table, f"AE-examples with {words}", column), dev.find(partial(_rated, ratings))


def _agreement(given: AeFiles) -> Cells:
    """§3.5, on SQuAD dev; the shares of equivalent ratings are of all splits and of train."""
    dev, bootstrap = _dev(given), given.bootstrap
    ratings = partial(RatedPairs.equivalent_ratings, bootstrap=bootstrap)
    found = {
        "Equivalent ratings, all": given.part(*SPLITS).find(ratings),
        "Equivalent ratings, train": given.part("train").find(ratings),
        "Full agreement": dev.find(lambda pairs: full_agreement(pairs.patterns)),
        "Random pair agrees": dev.find(lambda pairs: pair_agreement_item_mean(pairs.patterns)),
        "Krippendorff's α": dev.find(
            lambda pairs: published_alpha(pairs.patterns, **bootstrap._asdict())
        ),
    }
    for column, estimate in found.items():
        yield ("sec35-agreement", "AE", column), estimate


def _equivalent(given: AeFiles) -> Cells:
    """Tab. 11."""
    shares = {
        "Equivalent candidates": RatedPairs.equivalent_candidates,
        "Equivalent AE-examples": RatedPairs.equivalent_examples,
        "Equivalent ratings": RatedPairs.equivalent_ratings,
    }
    for name, column in SYSTEMS.items():
        for row, share in shares.items():
            found = given.part(name).find(partial(share, bootstrap=given.bootstrap))
            yield ("tab11", row, column), found


def _dev(given: AeFiles) -> Part:
    """AE dev and AE test: both are of SQuAD dev."""
    return given.part("dev", "test")


def _examples(pairs: RatedPairs) -> Estimate:
    return counted(len(pairs.pairs), pairs.ratings)


def _ratings(pairs: RatedPairs) -> Estimate:
    return counted(pairs.ratings, pairs.ratings)


def _candidates(pairs: RatedPairs) -> Estimate:
    return counted(len(pairs.by_candidate), pairs.ratings)


def _ties(pairs: RatedPairs) -> Estimate:
    return counted(sum(pair.is_tied for pair in pairs.pairs), len(pairs.pairs))


def _rated(ratings: int, pairs: RatedPairs) -> Estimate:
    """How many AE-examples have that many ratings."""
    return counted(pairs.patterns.ratings_per_item().get(ratings, 0), len(pairs.pairs))
