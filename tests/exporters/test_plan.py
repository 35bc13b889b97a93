import json

import pytest

from exporters.plan import ReleasePlan

CHOSEN = {"version": "1.0.0", "split": "document:test=100", "seed": 1}


@pytest.mark.parametrize("formats", [None, (), ("squad", "doccano")])
def test_plan_comes_back_from_the_parameters_of_a_job(formats: tuple[str, ...] | None) -> None:
    plan = ReleasePlan(version="1.0.0", split="folds:3", seed=1, formats=formats)
    assert ReleasePlan.from_json(json.loads(json.dumps(plan.as_json()))) == plan


def test_plan_of_a_job_from_before_there_were_further_formats_has_none() -> None:
    assert ReleasePlan.from_json(CHOSEN).formats == ()
