"""Matchers that a campaign has trained, stored without the training."""

from tasks.jobs.workflow.jobs import enqueue
from tasks.models import Campaign, JobKind, TrainedMatcher
from tests.tomahto.matching.examples import EXAMPLES
from tomahto.matching.trainable import TrainedWeights, train_matcher

_TRAINED = train_matcher("cfmatch", EXAMPLES, seed=0)
assert isinstance(_TRAINED, TrainedWeights)
CFMATCH: TrainedWeights = _TRAINED


def store(campaign: Campaign, kind: str = "cfmatch", **fields: object) -> TrainedMatcher:
    row = {
        "weights": CFMATCH.text,
        "digest": CFMATCH.digest,
        "labels": 12,
        "correct": 6,
        "ties": 0,
        "documents": 6,
        "seed": 0,
        "learning_curve": {},
        "job": enqueue(campaign=campaign, kind=JobKind.TRAIN, parameters={"name": kind}),
        **fields,
    }
    return TrainedMatcher.objects.create(campaign=campaign, kind=kind, **row)
